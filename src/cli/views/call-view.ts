import { textOf } from "../../core/messages/text.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import { EN } from "../../core/say/en.ts";
import { causeSentences } from "../../core/show/causes.ts";
import { clockText, span } from "../../core/show/when.ts";
import { visible, visibleText } from "../../core/values/text.ts";
import type { Boxed } from "../../service/views/boxed.ts";
import { type CameOfIt, saysMore } from "../../service/views/outcome.ts";
import type { CallExplanation } from "../../service/views/why.ts";
import type { Out } from "../terminal/io.ts";
import { cut, facts, tierColour } from "../terminal/table.ts";
import { because, doesRows, shortId, understoodText } from "./texts.ts";

/** A call that was decided: what it would do, what was decided, and every cause. */
export function callText(
  out: Out,
  row: Omit<CallRow, "args" | "key">,
  does: CallExplanation["does"],
  { next, came, boxed, changes }: { next?: string | undefined; came?: CameOfIt | undefined } & Boxed = {},
): string {
  const { decision, effect } = row;
  const also = causeSentences(decision.considered, { effect });
  const classes = [...new Set(effect.parts.map((part) => part.class))];
  const room = out.width - "also considered  ".length;
  return `${facts(out, [
    ["call", row.id],
    ["when", clockText(row.atMs)],
    ["agent", visible([...row.chain, row.agent].join(" > "))],
    ["tool", visible(row.tool)],
    ...(row.replayOf === undefined ? [] : [["repeats", visible(row.replayOf)] as const]),
    ...doesRows(does),
    ["tier", `${tierColour(out, decision.tier)}${decision.needsHuman ? ", needs a person" : ""}`],
    ["decided", `${DECIDED[row.outcome]}${decision.code === undefined ? "" : ` (${decision.code})`}`],
    ["classes", classes.join(", ")],
    [
      "understood",
      [understoodText(effect.understood, classes), ...effect.notes.map((note) => textOf(note, "en"))].join("; "),
    ],
    ["because", because(causeSentences(decision.causes, { effect }))],
    ["also considered", also.length === 0 ? "nothing else applied" : because(also)],
    ["policy", cut(decision.policyVersion, room)],
    ["digest", cut(row.digest, room)],
    ...cameRows(came),
    ...boxRows(boxed, changes),
    ...(next === undefined ? [] : [["next", next] as const]),
  ])}\n`;
}

/** What the decision means for the call; its result is shown further below. */
const DECIDED: { readonly [O in CallRow["outcome"]]: string } = {
  run: "runs now",
  pending: "waits for a person",
  not_executed: "is recorded but does not run",
  denied: "is refused",
  delegated: "the program that runs the agent asks its own user",
};

/** The box: whether it ran in it, the walls, what they refused, and what became of the changed files. */
function boxRows(boxed: Boxed["boxed"], changes: Boxed["changes"]): readonly (readonly [string, string])[] {
  const rows: [string, string][] = [];
  if (boxed !== undefined) {
    rows.push(["box", [`${EN.box.is[boxed.is]}: ${boxed.walls.join("; ")}`, ...rehearsedLine(boxed)].join("\n")]);
    if (boxed.refused.length > 0) rows.push(["walls refused", boxed.refused.join("\n")]);
  }
  if (changes !== undefined) {
    const undo = changes.undo === undefined ? "" : `\nundo it with \`leeway undo ${shortId(changes.call)}\``;
    rows.push(["changes", `${changes.said}${undo}`]);
  }
  return rows;
}

/** What a view says about the box of a call. */
export function boxedIn({ boxed, changes }: Boxed): Boxed {
  return { ...(boxed === undefined ? {} : { boxed }), ...(changes === undefined ? {} : { changes }) };
}

function rehearsedLine({ is, rehearsed }: NonNullable<Boxed["boxed"]>): readonly string[] {
  return rehearsed && is === "bound" ? [EN.box.rehearsed] : [];
}

/** The result: how it ended, the exit code, the duration and the output. */
export function cameRows(came: CameOfIt | undefined): readonly (readonly [string, string])[] {
  if (came === undefined) return [];
  const { state, exitCode, tookMs, error, output } = came;
  const ended = [
    STATES[state],
    ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]),
    ...(tookMs === undefined ? [] : [`took ${tookMs < 1000 ? `${tookMs} ms` : span(tookMs)}`]),
  ];
  const failed = error === undefined || !saysMore(came) ? [] : [["error", visibleText(error.trim())] as const];
  return [["ended", ended.join(", ")], ...failed, ...(output === undefined ? [] : [["output", output] as const])];
}

const STATES: { readonly [S in CameOfIt["state"]]: string } = {
  ready: "not started yet",
  claimed: "running",
  handed: "handed to the program that runs the agent, which executes it",
  succeeded: "succeeded",
  failed: "failed",
  unknown: "the result is unknown",
  void: "not run",
};
