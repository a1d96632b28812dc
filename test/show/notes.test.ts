import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { markZh, noteZh } from "../../src/core/say/note.ts";
import { MARKS_ZH, NOTES_ZH } from "../../src/core/say/notes-zh.ts";
import { PLACES_ZH } from "../../src/core/say/places-zh.ts";
import { protectedRows } from "../../src/core/tables/protected.ts";

const CORE = join(import.meta.dirname, "..", "..", "src", "core");

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(CORE, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(join(CORE, folder, name), "utf8"));
}

/** Every text that the classifier notes, as its source has it; what it names is called x1. */
function notesInSource(): readonly string[] {
  const sources = [...sourcesIn("classify"), ...sourcesIn("shell")];
  const constants = new Map(
    sources.flatMap((text) =>
      [...text.matchAll(/const ([A-Z_]+) =\s+"([^"]+)"/g)].map(([, name, said]) => [name, said]),
    ),
  );
  return sources.flatMap((text) =>
    [...text.matchAll(/(?:doubts\.add|notes\.add|notes\.push|\bdoubt)\((?:\w+, )?(?:(["`])(.*?)\1|([A-Z_]+)\))/g)].map(
      ([, , said, name]) => (said ?? constants.get(name) ?? "").replaceAll(/\$\{[^}]+\}/g, "x1"),
    ),
  );
}

test("whatever the classifier notes about a call is said in Chinese too", () => {
  const notes = new Set(notesInSource());
  expect(notes.size).toBeGreaterThan(120);
  const missing = [...notes].filter((note) => noteZh(note) === note);
  expect(missing, "say them in src/core/say/notes-zh.ts").toEqual([]);
});

test("whatever a protected place is called is said in Chinese too", () => {
  const named = new Set(protectedRows().map(({ what }) => what));
  expect([...named].filter((what) => PLACES_ZH[what] === undefined)).toEqual([]);
});

test("a note names in Chinese what it names in English", () => {
  expect(noteZh("the option --rcfile of bash is not known")).toBe("bash 的选项 --rcfile 无法识别");
  expect(noteZh("the path is who may sign in")).toBe("该路径是谁可以登录");
  expect(noteZh("x$1 hands out credentials")).toBe("x$1 会发放凭据");
  expect(noteZh("something else")).toBe("something else");
  expect(markZh("class payments.move, by preset standard")).toBe("类型 payments.move（预设 standard）");
  const places = (text: string) => text.split(/\{[12]?\}/).length;
  for (const [said, zh] of [...NOTES_ZH, ...MARKS_ZH]) expect([said, places(zh)]).toEqual([said, places(said)]);
});
