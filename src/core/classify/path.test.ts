import { posix } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { say } from "../messages/message.ts";
import { isUnder, normalise, parentOf, spellOut } from "./path.ts";

test("normalising gives the same result as Node for every absolute path", () => {
  const name = fc.constantFrom(".", "..", "", "a", "b.c", "...", ".git");
  fc.assert(
    fc.property(fc.array(name, { maxLength: 12 }), (names) => {
      const path = "/" + names.join("/");
      const resolved = posix.resolve(path);
      expect(normalise(path)).toBe(resolved);
      expect(parentOf(path)).toBe(posix.dirname(resolved));
    }),
  );
});

test("a path is inside a folder only if whole names match", () => {
  expect(isUnder("/project/src", "/project/src")).toBe(true);
  expect(isUnder("/project/src/a", "/project/src")).toBe(true);
  expect(isUnder("/project/src-backup", "/project/src")).toBe(false);
  expect(isUnder("/anything", "/")).toBe(true);
});

const from = { base: "/project", home: "/home/ana" };

test("a path is made absolute, and `..` after a possible link is kept for the file system to resolve", () => {
  const raw = (text: string) => {
    const spelled = spellOut(text, from);
    return spelled.ok ? [spelled.raw, spelled.doubts.length] : spelled.why;
  };
  expect(raw("src/a")).toEqual(["/project/src/a", 0]);
  expect(raw("link/../a")).toEqual(["/project/link/../a", 0]);
  expect(raw("~/a")).toEqual(["/home/ana/a", 0]);
  expect(raw("~")).toEqual(["/home/ana", 0]);
  expect(raw("file:///etc/pass%77d")).toEqual(["/etc/passwd", 0]);
  expect(raw("$HOME/a")).toEqual(["/home/ana/a", 1]);
  expect(raw(" a")).toEqual(["/project/a", 1]);
  expect(raw("src\\..\\a")).toEqual(["/project/src/../a", 1]);
  expect(raw("C:\\a\\b")).toEqual(["C:/a/b", 0]);
  expect(raw("a\u202e")).toEqual(["/project/a\u202e", 1]);
  expect(raw("~ben/a")).toEqual(say("note.other_home_unknown"));
  expect(raw("")).toEqual(say("note.path_empty"));
});

test("a relative path without a working folder, and `~` without a known home, are not guessed", () => {
  expect(spellOut("a", {})).toEqual({ ok: false, why: say("note.working_folder_unknown") });
  expect(spellOut("~/a", {})).toEqual({ ok: false, why: say("note.home_unknown") });
});
