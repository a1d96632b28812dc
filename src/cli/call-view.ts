import type { CallRow } from "../core/rows.ts";
import { causeSentences } from "../core/show/causes.ts";
import { clockText } from "../core/show/when.ts";
import { visible } from "../core/values/text.ts";
import type { Why } from "../library/why.ts";
import type { Out } from "./spec.ts";
import { cut, facts, tierColour } from "./table.ts";
import { because, doesRows } from "./texts.ts";

/** A call that was decided: what it would do, what was decided, and every cause. */
export function callText(out: Out, row: Omit<CallRow, "args" | "key">, does: Why["does"], next?: string): string {
  const { decision, effect } = row;
  const also = causeSentences(decision.considered, { effect });
  const room = out.width - "looked at too  ".length;
  return `${facts(out, [
    ["call", row.id],
    ["when", clockText(row.atMs)],
    ["agent", visible([...row.chain, row.agent].join(" > "))],
    ["tool", visible(row.tool)],
    ...(row.replayOf === undefined ? [] : [["repeats", visible(row.replayOf)] as const]),
    ...doesRows(does),
    ["tier", `${tierColour(out, decision.tier)}${decision.needsHuman ? ", needs a person" : ""}`],
    ["outcome", `${row.outcome}${decision.code === undefined ? "" : ` (${decision.code})`}`],
    ["classes", [...new Set(effect.parts.map((part) => part.class))].join(", ")],
    ["understood", [effect.understood, ...effect.notes].join("; ")],
    ["because", because(causeSentences(decision.causes, { effect }))],
    ["looked at too", also.length === 0 ? "nothing else applied" : because(also)],
    ["policy", cut(decision.policyVersion, room)],
    ["digest", cut(row.digest, room)],
    ...(next === undefined ? [] : [["next", next] as const]),
  ])}\n`;
}
