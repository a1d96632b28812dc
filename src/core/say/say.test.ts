import fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolCall } from "../call.ts";
import type { Cause } from "../decision.ts";
import { EFFECT_CLASSES, type Effect, type Part, type Target } from "../effect.ts";
import type { Language } from "../messages/text.ts";
import { cardOf } from "../show/card.ts";
import { causeSentences } from "../show/causes.ts";
import { sentenceOf } from "../show/sentence.ts";
import { sheetOf } from "../show/sheet.ts";
import { sayIn } from "./languages.ts";

const CALL: ToolCall = {
  workspace: "default",
  agent: "x1",
  tool: "t1",
  args: { amount: 40, currency: "EUR" },
  cwd: "/p",
  callId: "c",
  traceId: "t",
  chain: [],
  claims: {},
};

const TARGETS: readonly (readonly Target[])[] = [
  [],
  [{ kind: "tool", tool: "t1", level: "write" }],
  [{ kind: "path", path: "/p", level: "read", recursive: true }],
  ["/p/1", "/p/2", "/p/3"].map((path): Target => ({ kind: "path", path, level: "admin", recursive: false })),
  [{ kind: "domain", domain: "d1", level: "write" }],
  [{ kind: "command", words: ["c1"], env: ["E1"], level: "execute" }],
];

const part: fc.Arbitrary<Part> = fc.record({
  class: fc.constantFrom(...EFFECT_CLASSES),
  capability: fc.constant("x"),
  level: fc.constant("admin" as const),
  targets: fc.constantFrom(...TARGETS),
  reversible: fc.boolean(),
  reach: fc.constantFrom("local" as const, "project" as const, "outside" as const),
});
const effect: fc.Arbitrary<Effect> = fc.record({
  parts: fc.tuple(part, fc.array(part, { maxLength: 3 })).map(([first, rest]) => [first, ...rest] as const),
  understood: fc.constantFrom("fully" as const, "partly" as const, "not" as const),
  notes: fc.constant([]),
});

/** Words that both languages share: our own name, names of tiers, currencies, scripts and protocols are not sentences. */
const SHARED = /\b(?:Leeway|git|MCP|EUR|sha256|ask|deny|auto|notify|shadow|suggest|Latin|Cyrillic)\b/g;
const ENGLISH = /[A-Za-z]{3,}/;

function spoken(language: Language, made: Effect): readonly string[] {
  const card = cardOf({
    call: { ...CALL, says: "1" },
    digest: "sha256:1",
    effect: made,
    owner: "o1",
    why: [],
    deadline: "",
    quorum: { needed: 2, approved: 1 },
    project: "/p",
    language,
  });
  const { title, sentence, sections: all } = sheetOf(card, sayIn(language));
  // What does not fit on the first screen differs, because Chinese is shorter.
  const sections = all.filter(({ of }) => of !== "inFull");
  const shown = sections.filter(({ style }) => style === "plain");
  return [
    title,
    sentence,
    ...sections.map((one) => one.title),
    ...shown.flatMap(({ lines }) => lines.flat().map(({ text }) => text)),
  ];
}

test("every effect is described in Chinese without an English word, and as completely as in English", () => {
  fc.assert(
    fc.property(effect, (of) => {
      const [en, zh] = [spoken("en", of), spoken("zh", of)];
      expect(zh.length).toBe(en.length);
      expect(zh.filter((text) => ENGLISH.test(text.replaceAll(SHARED, "")))).toEqual([]);
    }),
  );
});

test("different effects have different sentences in both languages", () => {
  const sentences = (language: Language) =>
    EFFECT_CLASSES.flatMap((effectClass) =>
      [true, false].flatMap((reversible) =>
        (["project", "outside"] as const).map((reach) => {
          const only: Part = {
            class: effectClass,
            capability: "x",
            level: "admin",
            targets: [{ kind: "domain", domain: "d1", level: "write" }],
            reversible,
            reach,
          };
          const said: Effect = { parts: [only], understood: "fully", notes: [] };
          return sentenceOf(said, { call: CALL, project: "/p", say: sayIn(language) });
        }),
      ),
    );
  expect(new Set(sentences("zh")).size).toBe(new Set(sentences("en")).size);
});

const at = { file: "/p/l.y", line: 4, column: 1 };
const CAUSES: readonly Cause[] = [
  { by: "pause", id: "1", because: "1" },
  ...(["agent+tool", "agent+class", "agent", "tool", "class", "promotion", "preset"] as const).map(
    (of): Cause => ({ by: "baseline", row: { of, name: "n1" }, tier: "ask", layer: "l", at }),
  ),
  { by: "baseline", row: { of: "policy" }, tier: "ask", layer: "l", at: { ...at, file: "built in" } },
  { by: "rule", name: "r1", tier: "deny", because: "1", layer: "l", at },
  { by: "silent" },
  { by: "grant", id: "g1" as never, tier: "auto" },
  { by: "callback", name: "c1", tier: "deny", because: "1" },
  { by: "understanding", understood: "partly", notes: [] },
  { by: "understanding", understood: "not", notes: ["1"] },
  { by: "demotion", id: "d1", tier: "ask", because: "1" },
  { by: "limit", name: "m1", tier: "deny", used: 3, max: 3, at },
  { by: "human", mark: "1", layer: "l", at },
  { by: "headless", tier: "deny" },
  { by: "erased" },
  { by: "permit", executionId: "e1" as never },
];

test("every cause has a Chinese sentence, with the place of its rule relative to the project", () => {
  const said = causeSentences(CAUSES, { language: "zh", project: "/p" });
  expect(said.filter((text) => !/\p{Script=Han}/u.test(text))).toEqual([]);
  expect(said.filter((text) => ENGLISH.test(text.replaceAll(SHARED, "").replace("built in", "")))).toEqual([]);
  expect(said[1]).toBe("智能体与工具 n1 一行的等级为 ask（l.y:4）");
  expect(new Set(said).size).toBe(CAUSES.length);
});
