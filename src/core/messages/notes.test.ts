import { expect, test } from "vitest";
import { say } from "./message.ts";
import { Notes } from "./notes.ts";

test("a note that is added twice is held once, and notes that name different things are different notes", () => {
  const option = (name: string) => say("note.option_unknown", { option: name, program: "tar" });
  const path = (place: "place.key" | "place.keys") => say("note.path_is_protected", { place: say(place) });
  const notes = new Notes([say("note.path_empty"), option("-a")]);
  for (const note of [option("-b"), say("note.path_empty"), option("-a"), path("place.key"), path("place.keys")])
    notes.add(note);
  notes.add(path("place.key"));
  expect([notes.size, [...notes]]).toEqual([
    5,
    [say("note.path_empty"), option("-a"), option("-b"), path("place.key"), path("place.keys")],
  ]);
});
