import { expect, test } from "vitest";
import { MESSAGES as ENGLISH } from "./en/messages.ts";
import { inTurn, keptMessage, type Message, Notes, say } from "./message.ts";
import { inEnglish, textOf } from "./text.ts";
import { MESSAGES as CHINESE } from "./zh/messages.ts";

/** What is between braces without spaces beside them. */
function namesIn(sentence: string): readonly string[] {
  return [...new Set([...sentence.matchAll(/\{(\w+)[|}]/g)].map(([, name]) => name ?? ""))].sort();
}

test("every Chinese sentence uses exactly the same values as the English one", () => {
  const names = (sentences: { readonly [id: string]: string }) =>
    Object.entries(sentences).map(([id, sentence]) => [id, namesIn(sentence)]);
  expect(names(CHINESE)).toEqual(names(ENGLISH));
});

test("an id is a family and a name in snake case, and no sentence is empty", () => {
  const odd = Object.entries(ENGLISH).filter(([id, text]) => !/^[a-z]+\.[a-z0-9_]+$/.test(id) || text.trim() === "");
  expect(odd).toEqual([]);
});

test("a message needs exactly the values of its sentence, or it does not compile", () => {
  expect(say("policy.unknown_key", { key: "tire" })).toEqual({ say: "policy.unknown_key", with: { key: "tire" } });
  expect(say("policy.empty_match")).toEqual({ say: "policy.empty_match", with: {} });
  // @ts-expect-error: the key is missing
  say("policy.unknown_key");
  // @ts-expect-error: the sentence has no such name
  say("policy.unknown_key", { key: "tire", word: "tier" });
  // @ts-expect-error: the sentence names nothing
  say("policy.empty_match", { key: "tire" });
  // @ts-expect-error: a word depends on this number
  say("policy.too_few_reviewers", { who: "x", quorum: 2, count: "one" });
  // @ts-expect-error: there is no such sentence
  say("policy.no_such_sentence");
});

test("words agree with their number, lists are joined, and a nested message uses the same language", () => {
  const few = (count: number) => say("policy.too_few_reviewers", { who: say("policy.the_policy"), quorum: 3, count });
  expect([textOf(few(1), "en"), textOf(few(2), "en"), textOf(few(2), "zh")]).toEqual([
    "the policy needs 3 approvals but names only 1 reviewer",
    "the policy needs 3 approvals but names only 2 reviewers",
    "策略需要 3 次批准，却只指定了 2 位审阅者",
  ]);
  const hint = say("policy.did_you_mean_or", { word: "a", otherwise: say("policy.use_one_of", { words: ["a", "b"] }) });
  expect([textOf(hint, "en"), textOf(hint, "zh")]).toEqual([
    "did you mean `a`? use one of: a, b",
    "是否指 `a`？请使用以下之一：a、b",
  ]);
});

test("a value is never read as part of the sentence's template", () => {
  const key = "{key} {count|one|many} $& x";
  expect(textOf(say("policy.unknown_key", { key }), "en")).toBe(`unknown key \`${key}\``);
  expect(textOf(say("policy.write_range"), "en")).toBe("write { min: 1 }, { max: 100 } or { min: 1, max: 100 }");
});

test("text of a parser or of an old entry is unchanged, and a message of a newer version is still readable", () => {
  expect(textOf("the tool said so", "zh")).toBe("the tool said so");
  // As in an entry of the ledger that a newer version of Leeway wrote.
  const newer = (text: string): Message => JSON.parse(text);
  const unknown =
    '{"say":"policy.new_idea","with":{"key":"tire","words":["a","b"],"why":{"say":"policy.empty_match","with":{}}}}';
  expect(textOf(newer(unknown), "en")).toBe("policy.new_idea (key: tire, words: a, b, why: the match is empty)");
  expect(textOf(newer('{"say":"constructor","with":{}}'), "en")).toBe("constructor");
  expect(textOf(newer('{"say":"policy.unknown_key","with":{}}'), "en")).toBe("unknown key `{key}`");
});

test("messages in lists and in sequence are each shown in the reader's language", () => {
  const parts = [say("cause.part_by", { class: "fs.write", program: "tar" }), "fs.read"];
  const both = inTurn([say("cause.preset_asks", { name: "standard", parts }), "as it was said", say("cause.silent")]);
  expect([textOf(both, "en"), textOf(both, "zh")]).toEqual([
    "preset standard asks before fs.write by tar, fs.read; as it was said; no policy file covers this call, so a person is asked",
    "预设 standard 在 fs.write（tar）、fs.read 之前询问；as it was said；没有策略文件提及此事，因此询问",
  ]);
  expect(textOf(inTurn([]), "en")).toBe("");
});

test("a stored value is recognised as a message, as text of an older version, or as neither", () => {
  const kept = say("refusal.may_not_review", { person: say("refusal.nameless"), id: "apr_1" });
  expect([kept, "said before"].map(keptMessage)).toEqual([kept, "said before"]);
  const newer = { say: "idea.of_a_newer_version", with: { count: 1, names: ["a", say("cause.silent")] } };
  expect(keptMessage(newer)).toEqual(newer);
  const others = [undefined, null, 1, [], { say: "x" }, { say: 1, with: {} }, { say: "x", with: { a: { b: 1 } } }];
  expect(others.map(keptMessage)).toEqual(others.map(() => undefined));
});

test("a program gets English text in place of every message, and everything else unchanged", () => {
  const given = { ok: false, fault: { why: say("cause.silent"), at: [1, "a"] }, old: "as it was", none: undefined };
  expect(inEnglish(given)).toEqual({
    ok: false,
    fault: { why: "no policy file covers this call, so a person is asked", at: [1, "a"] },
    old: "as it was",
    none: undefined,
  });
});

test("a note that is added twice is kept once, and notes with different values are different notes", () => {
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
