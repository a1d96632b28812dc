import type { CallRow } from "../core/rows.ts";
import { saidOf } from "../core/show/card.ts";
import { causeSentences } from "../core/show/causes.ts";
import { visible } from "../core/values/text.ts";
import { openArgs } from "../gate/args.ts";
import type { Opened } from "./gate.ts";
import type { Out } from "./spec.ts";
import { cut, facts, tierColour } from "./table.ts";
import { because, doesRows } from "./texts.ts";
import { clockText } from "./time.ts";

/** A call that was decided: what it would do, what was decided, and every cause. */
export function callText(out: Out, deps: Opened, row: CallRow, next?: string): string {
  const { decision, effect } = row;
  const opened = openArgs(deps, row);
  const does = opened.ok
    ? doesRows(saidOf(opened.call, effect, deps.policies.current().project))
    : [["does", `not shown: ${opened.why}`] as const];
  const also = causeSentences(decision.considered);
  const room = out.width - "looked at too  ".length;
  return `${facts(out, [
    ["call", row.id],
    ["when", clockText(row.atMs)],
    ["agent", visible([...row.chain, row.agent].join(" > "))],
    ["tool", visible(row.tool)],
    ...does,
    ["tier", `${tierColour(out, decision.tier)}${decision.needsHuman ? ", needs a person" : ""}`],
    ["outcome", `${row.outcome}${decision.code === undefined ? "" : ` (${decision.code})`}`],
    ["classes", [...new Set(effect.parts.map((part) => part.class))].join(", ")],
    ["understood", [effect.understood, ...effect.notes].join("; ")],
    ["because", because(causeSentences(decision.causes))],
    ["looked at too", also.length === 0 ? "nothing else applied" : because(also)],
    ["policy", cut(decision.policyVersion, room)],
    ["digest", cut(row.digest, room)],
    ...(next === undefined ? [] : [["next", next] as const]),
  ])}\n`;
}
