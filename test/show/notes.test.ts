import { expect, test } from "vitest";
import type { ToolCall } from "../../src/core/call.ts";
import { classify } from "../../src/core/classify/classify.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import type { Effect } from "../../src/core/effect.ts";
import { type Message, say } from "../../src/core/messages/message.ts";
import type { Language } from "../../src/core/messages/text.ts";
import { cardOf } from "../../src/core/show/card.ts";
import { causeSentences } from "../../src/core/show/causes.ts";
import { commandCall, knowing, tryingCall } from "../cases/trying.ts";

/** What a card says about how well the call is understood, without the first line. */
function notesOn(call: ToolCall, effect: Effect, language: Language): readonly string[] {
  const quorum = { needed: 1, approved: 0 };
  return cardOf({ call, digest: "sha256:1", effect, why: [], deadline: "", quorum, language }).understanding.slice(1);
}

const noted = (call: ToolCall) => {
  const effect = classify(readCall(call), knowing(call));
  return { en: notesOn(call, effect, "en"), zh: notesOn(call, effect, "zh") };
};

test("a card shows the notes about the call in the reader's language, with the same names", () => {
  expect(noted(commandCall("tar --brush -cf a.tar src"))).toEqual({
    en: ["tar has an unknown option: --brush"],
    zh: ["tar 有无法识别的选项：--brush"],
  });
  expect(noted(commandCall("cat ~/.ssh/id_ed25519"))).toEqual({
    en: ["the path is protected: keys"],
    zh: ["该路径受保护：密钥"],
  });
  expect(noted(tryingCall("frobnicate", {}))).toEqual({ en: ["the tool is unknown"], zh: ["该工具未知"] });
});

test("a note that occurs twice is shown once", () => {
  expect(noted(commandCall("tar --brush -cf a.tar src; tar --brush -cf b.tar src")).en).toEqual([
    "tar has an unknown option: --brush",
  ]);
});

test("notes of an entry of an older version are text, and are shown unchanged in every language", () => {
  const call = tryingCall("frobnicate", {});
  const notes = ["the tool is not known"];
  const before: Effect = { ...classify(readCall(call), knowing(call)), notes };
  expect([notesOn(call, before, "en"), notesOn(call, before, "zh")]).toEqual([notes, notes]);
  const cause = { by: "understanding", understood: "not", notes } as const;
  expect([causeSentences([cause]), causeSentences([cause], { language: "zh" })]).toEqual([
    ["the call is not understood: the tool is not known"],
    ["未能理解该调用：the tool is not known"],
  ]);
});

test("the reason why a call needs a person is in the reader's language, or unchanged if an old entry has text", () => {
  const marked = (mark: Message | string) => ({ by: "human", mark, layer: "leeway.yaml" }) as const;
  const causes = [say("part.class_by_preset", { name: "payments.move", preset: "standard" }), "tool pay"].map(marked);
  expect([causeSentences(causes), causeSentences(causes, { language: "zh" })]).toEqual([
    ["needs a person: class payments.move, by preset standard", "needs a person: tool pay"],
    ["需要人工：类型 payments.move（预设 standard）", "需要人工：tool pay"],
  ]);
});

test("a cause repeats the notes in the reader's language", () => {
  const call = tryingCall("frobnicate", {});
  const { notes } = classify(readCall(call), knowing(call));
  const cause = { by: "understanding", understood: "not", notes } as const;
  expect([causeSentences([cause]), causeSentences([cause], { language: "zh" })]).toEqual([
    ["the call is not understood: the tool is unknown"],
    ["未能理解该调用：该工具未知"],
  ]);
});
