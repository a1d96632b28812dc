import { expect, test } from "vitest";
import { MESSAGES as ENGLISH } from "./en/messages.ts";
import { inEnglish } from "./in-english.ts";
import { inTurn, keptMessage, type Message, say } from "./message.ts";
import { textOf } from "./text.ts";
import { MESSAGES as CHINESE } from "./zh/messages.ts";

/** What stands between braces, and not spaces beside them. */
function namesIn(sentence: string): readonly string[] {
  return [...new Set([...sentence.matchAll(/\{(\w+)[|}]/g)].map(([, name]) => name ?? ""))].sort();
}

test("every Chinese sentence names exactly what the English one names", () => {
  const names = (sentences: { readonly [id: string]: string }) =>
    Object.entries(sentences).map(([id, sentence]) => [id, namesIn(sentence)]);
  expect(names(CHINESE)).toEqual(names(ENGLISH));
});

test("an id is a family and words in snake case, and a sentence is never empty", () => {
  const odd = Object.entries(ENGLISH).filter(([id, text]) => !/^[a-z]+\.[a-z0-9_]+$/.test(id) || text.trim() === "");
  expect(odd).toEqual([]);
});

test("a sentence is said with exactly the names that it has, or it does not compile", () => {
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

test("a word follows its number, a list is joined, and a message in a message is said in the same language", () => {
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

test("what is named is never read as a part of the sentence", () => {
  const key = "{key} {count|one|many} $& `x`";
  expect(textOf(say("policy.unknown_key", { key }), "en")).toBe(`unknown key \`${key}\``);
  expect(textOf(say("policy.write_range"), "en")).toBe("write { min: 1 }, { max: 100 } or { min: 1, max: 100 }");
});

test("text of a parser or of an old entry stays as it is, and a message of a newer version is still readable", () => {
  expect(textOf("the tool said so", "zh")).toBe("the tool said so");
  // As an entry of the ledger has it that a newer version of Leeway wrote.
  const newer = (text: string): Message => JSON.parse(text);
  const unknown =
    '{"say":"policy.new_idea","with":{"key":"tire","words":["a","b"],"why":{"say":"policy.empty_match","with":{}}}}';
  expect(textOf(newer(unknown), "en")).toBe("policy.new_idea (key: tire, words: a, b, why: the match is empty)");
  expect(textOf(newer('{"say":"constructor","with":{}}'), "en")).toBe("constructor");
  expect(textOf(newer('{"say":"policy.unknown_key","with":{}}'), "en")).toBe("unknown key `{key}`");
});

test("messages stand in lists and after one another, each in the language of the reader", () => {
  const parts = [say("cause.part_by", { class: "fs.write", program: "tar" }), "fs.read"];
  const both = inTurn([say("cause.preset_asks", { name: "standard", parts }), "as it was said", say("cause.silent")]);
  expect([textOf(both, "en"), textOf(both, "zh")]).toEqual([
    "preset standard asks before fs.write by tar, fs.read; as it was said; no policy file covers this call, so a person is asked",
    "预设 standard 在 fs.write（tar）、fs.read 之前询问；as it was said；没有策略文件提及此事，因此询问",
  ]);
  expect(textOf(inTurn([]), "en")).toBe("");
});

test("what a row or an entry holds is a message, text of before, or neither", () => {
  const kept = say("refusal.may_not_review", { person: say("refusal.nameless"), id: "apr_1" });
  expect([kept, "said before"].map(keptMessage)).toEqual([kept, "said before"]);
  const newer = { say: "idea.of_a_newer_version", with: { count: 1, names: ["a", say("cause.silent")] } };
  expect(keptMessage(newer)).toEqual(newer);
  const others = [undefined, null, 1, [], { say: "x" }, { say: 1, with: {} }, { say: "x", with: { a: { b: 1 } } }];
  expect(others.map(keptMessage)).toEqual(others.map(() => undefined));
});

test("a program gets English text in the place of every message, and everything else as it was", () => {
  const given = { ok: false, fault: { why: say("cause.silent"), at: [1, "a"] }, old: "as it was", none: undefined };
  expect(inEnglish(given)).toEqual({
    ok: false,
    fault: { why: "no policy file covers this call, so a person is asked", at: [1, "a"] },
    old: "as it was",
    none: undefined,
  });
});
