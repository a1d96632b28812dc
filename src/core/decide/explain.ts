import type { Cause, PartMeant } from "../decision.ts";
import type { Effect } from "../effect.ts";
import { inTurn, type Message, say } from "../messages/message.ts";
import { type Language, textOf } from "../messages/text.ts";
import { BUILT_IN, type Position } from "../policy.ts";
import { partsMeant } from "./parts-meant.ts";
import { rowMessage } from "./row-message.ts";

/** One sentence per cause, in the order the decision was made. What is answered to programs is English. */
export function sentencesOf(causes: readonly Cause[]): readonly string[] {
  return causes.map((cause) => sentenceOf(cause, "en"));
}

/** All of them as one message, to be kept with why something ended. */
export function causesMessage(causes: readonly Cause[]): Message {
  return inTurn(causes.map((cause) => causeMessage(cause)));
}

export function rulesOf(causes: readonly Cause[]): readonly string[] {
  return causes.flatMap((cause) => (cause.by === "rule" ? [cause.name] : []));
}

/** With the effect at hand a preset is said to speak of the parts that it does speak of. */
export function sentenceOf(cause: Cause, language: Language, effect?: Pick<Effect, "parts">): string {
  return textOf(causeMessage(cause, effect), language);
}

export function causeMessage(cause: Cause, effect?: Pick<Effect, "parts">): Message | string {
  switch (cause.by) {
    case "pause":
      return paused(cause);
    case "baseline":
      return where(baseline(cause, effect), cause.at);
    case "rule":
      return where(say("cause.rule", { name: cause.name, tier: cause.tier, because: cause.because }), cause.at);
    case "silent":
      return say("cause.silent");
    case "grant":
      return say("cause.grant", { id: cause.id, tier: cause.tier });
    case "callback":
      return say("cause.callback", { name: cause.name, tier: cause.tier, because: cause.because });
    case "understanding":
      return understanding(cause.understood, cause.notes);
    case "unread":
      return say("cause.unread", { what: cause.what, why: cause.why });
    case "demotion":
      return say("cause.demotion", { tier: cause.tier, because: cause.because });
    case "limit":
      return where(limit(cause), cause.at);
    case "human":
      return where(say("cause.human", { mark: cause.mark }), cause.at);
    case "headless":
      return say("cause.headless", { tier: cause.tier });
    case "permit":
      return say("cause.permit", { id: cause.executionId });
    case "code":
      return cause.because;
    case "erased":
      return say("cause.erased");
  }
}

type CauseBy<By extends Cause["by"]> = Extract<Cause, { by: By }>;

function paused({ because, who }: CauseBy<"pause">): Message {
  if (who === undefined) return say("cause.paused", { because });
  return say("cause.paused_by", { who: who === "leeway" ? "Leeway" : who, because });
}

function baseline({ row, tier }: CauseBy<"baseline">, effect: Pick<Effect, "parts"> | undefined): Message {
  if (row.of === "policy") return say("cause.policy_tier", { tier });
  if (row.of !== "preset") return say("cause.row", { row: rowMessage(row), tier });
  const { name } = row;
  const parts = (effect === undefined ? [] : partsMeant(row, tier, effect)).map(partMessage);
  if (parts.length === 0) return say("cause.preset", { name, tier });
  return tier === "ask" ? say("cause.preset_asks", { name, parts }) : say("cause.preset_for", { name, tier, parts });
}

function partMessage({ class: effectClass, program }: PartMeant): Message | string {
  return program === undefined ? effectClass : say("cause.part_by", { class: effectClass, program });
}

function understanding(understood: "partly" | "not", said: readonly (Message | string)[]): Message {
  if (said.length === 0) return understood === "not" ? say("cause.not_understood") : say("cause.partly_understood");
  const notes = inTurn(said);
  return understood === "not"
    ? say("cause.not_understood_because", { notes })
    : say("cause.partly_understood_because", { notes });
}

function limit({ name, used, max, tier }: CauseBy<"limit">): Message {
  return say("cause.limit", { name, used, max, tier });
}

function where(cause: Message, at: Position | undefined): Message {
  if (at === undefined) return cause;
  return at.file === BUILT_IN ? builtIn(cause) : say("cause.at", { cause, file: at.file, line: at.line });
}

export function builtIn(cause: Message | string): Message {
  return say("cause.built_in", { cause });
}
