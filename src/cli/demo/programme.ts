import type { Receipt } from "../../core/receipt.ts";
import type { Verified } from "../../core/record/verify.ts";
import type { Card } from "../../core/show/card.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { visibleLines, wrap as wrapLines } from "../../core/values/text.ts";
import { verifiedText } from "../commands/record/verify.ts";
import type { Out } from "../terminal/io.ts";
import { tierColour, wrap } from "../terminal/table.ts";
import type { Verdict } from "./reviewer.ts";

// What the demo prints: nothing here decides anything.

export type Played = {
  at: number;
  tool: string;
  args: JsonObject;
  tier: string;
  outcome: Receipt["outcome"];
  code: string | null;
  again?: true;
};

const INDENT = "    ";

export function opening(out: Out, who: { isPerson: boolean }): string {
  const { bold, dim } = out.colours;
  const body = who.isPerson
    ? "An agent named coder works on a small shop and makes a dozen calls. You are ana, its owner and reviewer: press a to approve, d to deny, q to leave. Everything happens in a temporary folder with its own database, so you need no passphrase here. After `leeway init` you would."
    : "An agent named coder works on a small shop and makes a dozen calls. There is no terminal here, so a scripted reviewer answers. Everything happens in a temporary folder with its own database.";
  const ladder = "deny · shadow · suggest · ask · notify · auto";
  return `${bold("Leeway decides how much leeway an AI agent has.")}\n\n${wrap(body, width(out))}\n\n${dim(`Strict to loose:  ${ladder}`)}\n`;
}

/** What happened to a call, for readers who do not know the glossary. */
const SAYS: Record<string, string> = {
  auto: "it ran; nobody is told, but it is in the record",
  notify: "it ran, and the owner is told",
  shadow: "it did not run; the proposal is in the record",
  suggest: "it did not run; reviewers see a proposal, and the agent continues",
  ask: "a person must approve it first",
  deny: "it did not run and never will",
};

export function sceneText(out: Out, played: Played, receipt: Receipt): string {
  const { bold, dim } = out.colours;
  const head =
    played.again === true
      ? ""
      : `${bold(String(played.at).padStart(2))}  ${bold(played.tool)} ${dim(argsText(out, played))}\n`;
  const what = saysOf(played, receipt);
  const label = played.code === "LEEWAY_NEEDS_HUMAN" ? out.colours.red("human") : tierColour(out, played.tier);
  const tier =
    played.again === true
      ? "→"
      : label + " ".repeat(Math.max(0, 8 - (played.code === "LEEWAY_NEEDS_HUMAN" ? 5 : played.tier.length)));
  return `${head}${INDENT}${tier} ${wrap(what, width(out) - 13).replaceAll("\n", `\n${" ".repeat(13)}`)}`;
}

function saysOf(played: Played, receipt: Receipt): string {
  const why = receipt.reason ?? receipt.decision.because[0] ?? "";
  if (played.outcome === "run")
    return played.again === true || SAYS[played.tier]?.startsWith("it ran") !== true
      ? "it ran, exactly as approved, once"
      : (SAYS[played.tier] ?? "");
  if (played.code === "LEEWAY_NEEDS_HUMAN") return "not now: a person must review exactly this call first";
  if (played.code === "LEEWAY_REVIEW_DENIED") return `refused: ${why}`;
  if (played.outcome === "denied") return `refused: ${why}`;
  return SAYS[played.tier] ?? "";
}

/** The most important parts of the card; the agent's words come last. `leeway show` has all of it. */
export function questionText(out: Out, card: Card, who: { isPerson: boolean; project: string }): string {
  const { dim, yellow } = out.colours;
  // Paths are shown as the agent wrote them, without the temporary folder.
  const why = card.why.map((line) => `because ${line.replaceAll(`${who.project}/`, "")}`);
  const says = card.says === undefined ? [] : visibleLines(card.says).map((line) => `the agent claims: “${line}”`);
  const body = [card.title, card.sentence, ...card.exact.map((line) => `  ${line}`), ...why, ...says];
  const lines = body
    .flatMap((line) => wrapLines(line, width(out) - 6))
    .map((line) => `${INDENT}${yellow("│")} ${line}`);
  const keys = who.isPerson
    ? `${INDENT}${yellow("└")} ${dim("a approve · d deny · q leave")}`
    : `${INDENT}${yellow("└")}`;
  return [...lines, keys].join("\n");
}

export function verdictText(out: Out, given: Verdict): string {
  const { green, red } = out.colours;
  const who = given.by === "person" ? "you, as ana," : "the scripted reviewer";
  const said = given.verdict === "approve" ? green("approved") : red("denied");
  const note = given.by === "script" && given.note !== "" ? `: ${given.note}` : "";
  return `${INDENT}${who} ${said}${note}`;
}

export function closing(out: Out, verified: Extract<Verified, { ok: true }>): string {
  const { bold } = out.colours;
  const record = verifiedText(out, verified, { hasNotes: true });
  return ["", bold("The record of all this:"), record, "", whatNext(out)].join("\n");
}

export function whatNext(out: Out): string {
  const next: readonly (readonly [string, string])[] = [
    ["leeway init", "set up: you, a passphrase, a policy"],
    ["leeway check --command 'git push'", "ask what would happen to a call"],
    ["leeway run -- npm publish", "gate any command"],
    ["leeway inbox", "answer the questions that wait for you"],
  ];
  return [
    out.colours.bold("What to do next:"),
    ...next.map(([command, means]) => `  ${command.padEnd(34)} ${out.colours.dim(means)}`),
  ].join("\n");
}

function argsText(out: Out, played: Played): string {
  const text = Object.values(played.args)
    .map((value) => (typeof value === "string" ? value : JSON.stringify(value)).replaceAll("\n", "⏎"))
    .join(" ");
  const room = width(out) - played.tool.length - 6;
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}

function width(out: Out): number {
  return Math.min(out.width, 80);
}
