import { type Approval, stateAt } from "../../core/approval.ts";
import type { Box, Walls } from "../../core/box.ts";
import type { ToolCall } from "../../core/call.ts";
import type { Code } from "../../core/codes.ts";
import type { Decision, Outcome } from "../../core/decision.ts";
import type { Effect } from "../../core/effect.ts";
import type { Entry } from "../../core/ledger.ts";
import { nameText } from "../../core/letters/name-text.ts";
import type { Receipt } from "../../core/receipt.ts";
import { EN } from "../../core/say/en.ts";
import type { Card } from "../../core/show/card.ts";
import { leadOfEntry } from "../../core/show/lead.ts";
import { partText } from "../../core/show/render-text.ts";
import { clockText, inOrAgo } from "../../core/show/when.ts";
import type { Json } from "../../core/values/json.ts";
import { visible, visibleText } from "../../core/values/text.ts";
import { isBoxed } from "../../service/views/boxed.ts";
import type { Out } from "../terminal/io.ts";
import { cut, facts, tierColour } from "../terminal/table.ts";

/** What an outcome means for the caller, in a few words. */
const MEANS: Record<CheckedLine["outcome"], string> = {
  run: "would run now",
  pending: "would wait for a person",
  not_executed: "would be recorded but would not run",
  denied: "would be refused",
  delegated: "would be left to the program that runs the agent, which asks its own user",
};

export function checkText(out: Out, call: Pick<ToolCall, "agent" | "tool">, checked: CheckedLine, said: Said): string {
  const code = checked.code === null ? "" : ` (${checked.code})`;
  const isForHuman = checked.code === "LEEWAY_NEEDS_HUMAN";
  const means = isForHuman
    ? "would be asked about, and would not run before a person has approved it"
    : MEANS[checked.outcome];
  const head = `${tierColour(out, checked.tier)}: ${nameText(call.tool)} ${means}${code}`;
  const next = isForHuman ? NEXT_HUMAN : checked.outcome === "pending" ? NEXT_ASK : undefined;
  return `${head}\n${facts(out, [
    ["agent", visible(call.agent)],
    ...doesRows(said),
    ["classes", checked.classes.join(", ")],
    ["understood", understoodText(checked.understood, checked.classes)],
    ["because", because(checked.because)],
    ...(checked.box === null ? [] : [["box", boxText(checked.box)] as const]),
    ...(next === undefined ? [] : [["next", next] as const]),
  ])}`;
}

/** What `process.exec` runs is code that Leeway does not read, however clear the command is. */
export function understoodText(understood: Effect["understood"], classes: readonly string[]): string {
  return understood === "fully" && classes.includes("process.exec")
    ? "the command, but not the code that it runs"
    : understood;
}

const NEXT_ASK = "when the call is made (for example with `leeway run -- …`), a person answers it in `leeway inbox`";
const NEXT_HUMAN = `${NEXT_ASK}. The agent does not wait for it: after the approval the call runs once, when the agent makes it again`;

type Said = Pick<Card, "sentence" | "parts">;

/** What the call would do, and what each of several programs does, in the same words as on the card. */
export function doesRows({ sentence, parts }: Said): readonly (readonly [name: string, value: string])[] {
  return [["does", sentence], ...(parts.length === 0 ? [] : [["parts", parts.map(partText).join("\n")] as const])];
}

/** The walls of a box, in words. */
function boxText({ rehearsed, ...walls }: CheckedBox): string {
  return [...EN.box.walls(walls, visible), ...(rehearsed ? [EN.box.rehearsed] : [])].join("\n");
}

/** Sentences, one below the other. */
export function because(sentences: readonly string[]): string {
  return sentences.map((sentence) => visibleText(sentence.trim())).join("\n");
}

/** The kind, the time and a few random letters of an id: enough to be unique, and short enough to type. */
export function shortId(id: string, letters = 16): string {
  return id.slice(0, id.indexOf("_") + 1 + letters);
}

/** The kind and the time of an id, for narrow screens. */
export function shortestId(id: string): string {
  return shortId(id, 12);
}

export function answeredText(approval: Approval, nowMs: number): string {
  switch (stateAt(approval, nowMs)) {
    case "approved":
      if (approval.plan !== undefined) {
        return `approved ${approval.id}: each call that the plan covers may run once, until ${clockText(nowMs + approval.permitMs)}`;
      }
      return approval.runBy === "leeway"
        ? `approved ${approval.id}: Leeway runs it as soon as \`leeway up\` or \`leeway mcp\` is up; \`leeway show ${shortId(approval.id)}\` says how it ended`
        : `approved ${approval.id}: the agent may run it once, until ${clockText(nowMs + approval.permitMs)}`;
    case "denied":
      return `denied ${approval.id}: the agent will read why`;
    default: {
      const have = new Set(approval.reviews.map((given) => given.by)).size;
      return `counted ${approval.id}: ${have} of ${approval.quorum} people have approved`;
    }
  }
}

const WIDE = 110;
const NARROW = 78;

/** One line of the record: index, time, kind, actor and subject. On narrow screens time and id are shorter. */
export function entryLine(
  out: Out,
  entry: Pick<Entry, "index" | "atMs" | "kind" | "actor" | "subject" | "body">,
): string {
  const { subject, actor } = entry;
  const wide = out.width >= WIDE;
  const lead = leadOfEntry(entry);
  const byItself = actor === `agent:${subject.agent}`;
  const about = [
    byItself ? undefined : namedOrNone(subject.agent),
    namedOrNone(subject.tool),
    // The command says more than its class.
    wide && lead === undefined ? subject.class : undefined,
    isBoxed(entry) ? "in a box" : undefined,
    ...(entry.kind === "passphrase.wrong" ? [namedOrNone(subject.person), ...purposeOf(entry.body?.json["to"])] : []),
  ].filter((part) => part !== undefined);
  const time = clockText(entry.atMs);
  const place = String(entry.index).padStart(5);
  const head = `${place}  ${wide ? time : time.slice(-8)}  ${entry.kind.padEnd(19)}`;
  const tier = subject.tier === undefined ? "" : ` ${tierColour(out, subject.tier)}`;
  const ref = subject.approval ?? subject.execution ?? subject.grant ?? subject.call;
  const id = ref === undefined || out.width < NARROW ? "" : wide ? shortId(ref) : shortestId(ref);
  const room = out.width - head.length - 2 - (subject.tier?.length ?? -1) - 1 - (id === "" ? 0 : id.length + 1);
  const who = cut(`${[nameText(actor), ...about].join(" ")}${lead === undefined ? "" : `: ${lead}`}`, room);
  return `${head}  ${who}${tier}${id === "" ? "" : ` ${out.colours.dim(id)}`}`;
}

function namedOrNone(name: string | undefined): string | undefined {
  return name === undefined ? undefined : nameText(name);
}

/** What the person with the wrong passphrase tried to do. */
function purposeOf(to: Json | undefined): readonly string[] {
  return typeof to === "string" ? [`to ${visible(to)}`] : [];
}

/** A row without a card, field by field. */
export function rowText(out: Out, row: object, nowMs: number): string {
  const rows = Object.entries(row)
    .filter(([key, value]) => key !== "args" && key !== "result" && value !== undefined)
    .map(([key, value]): [string, string] => [key, visibleText(fieldText(key, value, nowMs).trim())]);
  return facts(out, rows);
}

function fieldText(key: string, value: unknown, nowMs: number): string {
  if (key.endsWith("Ms") && typeof value === "number") return `${clockText(value)} (${inOrAgo(value, nowMs)})`;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The output format of `leeway check` for programs. It must stay stable. */
export type CheckedLine = {
  tier: Decision["tier"];
  outcome: Outcome;
  code: Code | null;
  classes: readonly string[];
  understood: Effect["understood"];
  targets: Effect["parts"][number]["targets"];
  rules: readonly string[];
  because: readonly string[];
  /** The box that the call would run in, with its walls; null if it would run without one. */
  box: CheckedBox | null;
};

type CheckedBox = Walls & Pick<Box, "because" | "rehearsed">;

/** The output for a call that was checked. */
export function checkedOf(decision: Receipt["decision"], effect: Effect): CheckedLine {
  return {
    tier: decision.tier,
    outcome: decision.outcome,
    code: decision.code ?? null,
    classes: [...new Set(effect.parts.map((part) => part.class))],
    understood: effect.understood,
    targets: effect.parts.flatMap((part) => part.targets),
    rules: decision.rules,
    because: decision.because,
    box: decision.box === undefined ? null : checkedBox(decision.box),
  };
}

function checkedBox({ walls, because, rehearsed }: Box): CheckedBox {
  return { because, rehearsed, ...walls };
}
