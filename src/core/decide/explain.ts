import type { BaselineRow, Cause, Decision, PartMeant } from "../decision.ts";
import type { Effect, Part } from "../effect.ts";
import type { AttemptId } from "../ids.ts";
import { inTurn, type Message, say } from "../messages/message.ts";
import { type Language, textOf } from "../messages/text.ts";
import { BUILT_IN, POLICY_OBJECT, type Position, PRESETS } from "../policy.ts";
import type { Receipt } from "../receipt.ts";
import type { CallRow } from "../rows/rows.ts";
import { programCalled } from "../shell/program.ts";
import { PIN_TOOL } from "../standing/pin.ts";
import { PLAN_TOOL } from "../standing/plan.ts";
import { presetTier } from "../tables/presets.ts";
import type { Tier } from "../tier.ts";

/** One sentence per cause, in the order in which the decision was made. Programs get English. */
export function sentencesOf(causes: readonly Cause[], effect?: Pick<Effect, "parts">): readonly string[] {
  return causes.map((cause) => sentenceOf(cause, "en", effect));
}

/** All of them as one message, to be stored with the reason why something ended. */
export function causesMessage(causes: readonly Cause[]): Message {
  return inTurn(causes.map((cause) => causeMessage(cause)));
}

/** If the effect is known, the sentence about a preset names the parts that it is about. */
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
      // The rule that asks about every plan is in no file.
      if (cause.at.file === PLAN_TOOL) return say("cause.plan");
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
      // The rule that a person accepts what an MCP server offers is in no file.
      if (cause.at?.file === PIN_TOOL) return say("cause.pin");
      return where(say("cause.human", { mark: cause.mark }), cause.at);
    case "box":
      if (cause.tier === "ask") return say("cause.without_box");
      if (cause.kept === true) return say("cause.kept", { tier: cause.tier });
      return cause.tier === "notify" ? say("cause.box_told") : say("cause.box", { tier: cause.tier });
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
  if (parts.length === 0)
    return tier === "ask" ? say("cause.preset_asks_plain", { name }) : say("cause.preset", { name, tier });
  return tier === "ask" ? say("cause.preset_asks", { name, parts }) : say("cause.preset_for", { name, tier, parts });
}

function partMessage({ class: effectClass, program }: PartMeant): Message | string {
  return program === undefined ? effectClass : say("cause.part_by", { class: effectClass, program });
}

function understanding(understood: "partly" | "not", said: readonly (Message | string)[]): Message {
  if (said.length === 0) return understood === "not" ? say("cause.not_understood") : say("cause.partly_understood");
  const [note] = said;
  // Nothing about the command is unclear then.
  if (said.length === 1 && typeof note === "object" && note.say === "note.without_box") return note;
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
  // An object of the program has no lines.
  if (at.file === POLICY_OBJECT) return say("cause.in_option", { cause });
  return at.file === BUILT_IN ? builtIn(cause) : say("cause.at", { cause, file: at.file, line: at.line });
}

export function builtIn(cause: Message | string): Message {
  return say("cause.built_in", { cause });
}

/** At most this many are named: a sentence should not become a list. */
const NAMED_MAX = 3;

/** The parts of a call that a preset's tier is about, by class and program. */
function partsMeant(row: BaselineRow, tier: Tier, { parts }: Pick<Effect, "parts">): readonly PartMeant[] {
  const name = row.of === "preset" ? PRESETS.find((preset) => preset === row.name) : undefined;
  if (name === undefined) return [];
  const meant = parts.filter((part) => presetTier(name, part) === tier).map(partMeant);
  const isFirst = (one: PartMeant, at: number) =>
    meant.findIndex((other) => other.class === one.class && other.program === one.program) === at;
  return meant.filter(isFirst).slice(0, NAMED_MAX);
}

function partMeant(part: Part): PartMeant {
  const program = part.targets
    .map((target) => (target.kind === "command" ? programName(target.words) : ""))
    .find(Boolean);
  return { class: part.class, ...(program === undefined ? {} : { program }) };
}

/**
 * A program with the subcommands that the table knows. Any other word could be a secret, and any other name could be
 * misleading.
 */
function programName([first = "", ...rest]: readonly string[]): string {
  if (!/^[\w./+-]{1,64}$/.test(first)) return "";
  const found = [first];
  let program = programCalled(first);
  for (const word of rest) {
    program = program?.subs.get(word)?.();
    if (program === undefined) break;
    found.push(word);
  }
  return found.join(" ");
}

const ROWS = {
  "agent+tool": "part.row_agent_tool",
  "agent+class": "part.row_agent_class",
  agent: "part.row_agent",
  tool: "part.row_tool",
  class: "part.row_class",
  promotion: "part.row_promotion",
  preset: "part.preset",
} as const;

/** A row of a policy by its name. */
export function rowMessage({ of, name }: Exclude<BaselineRow, { of: "policy" }>): Message {
  return say(ROWS[of], { name });
}

/** The receipt of a call row; its index in the ledger is known after the Change is committed. */
export function receiptOf(row: CallRow, attempt?: AttemptId): Receipt {
  const { decision } = row;
  const refusal = decision.outcome === "denied" ? decision.causes.find((cause) => cause.by === "code") : undefined;
  const receipt: Receipt = {
    id: row.id,
    callId: row.callId,
    decision: decisionView(decision, row.effect),
    outcome: row.outcome,
    digest: row.digest,
  };
  if (decision.code !== undefined) receipt.code = decision.code;
  if (refusal?.by === "code") receipt.reason = textOf(refusal.because, "en");
  if (row.approvalId !== undefined) receipt.approvalId = row.approvalId;
  if (row.executionId !== undefined) receipt.executionId = row.executionId;
  if (attempt !== undefined) receipt.attempt = attempt;
  return receipt;
}

export function decisionView(decision: Decision, effect: Pick<Effect, "parts">): Receipt["decision"] {
  const view: Receipt["decision"] = {
    tier: decision.tier,
    outcome: decision.outcome,
    because: sentencesOf(decision.causes, effect),
    rules: decision.causes.flatMap((cause) => (cause.by === "rule" ? [cause.name] : [])),
    policyVersion: decision.policyVersion,
    needsHuman: decision.needsHuman,
  };
  if (decision.code !== undefined) view.code = decision.code;
  if (decision.grant !== undefined) view.grant = decision.grant;
  if (decision.box !== undefined) view.box = decision.box;
  return view;
}
