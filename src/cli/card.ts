import { type Approval, stateAt } from "../core/approval.ts";
import { sentencesOf } from "../core/explain.ts";
import { argsOf, callRow } from "../library/approvals.ts";
import type { Opened } from "./gate.ts";
import type { Out } from "./spec.ts";
import { inOrAgo } from "./time.ts";
import { visible } from "./visible.ts";

/** What a reviewer sees, line by line, in the order that matters. */
export type Card = { title: string; lines: readonly string[] };

export async function cardOf(deps: Opened, approval: Approval): Promise<Card> {
  const call = await callRow(deps, approval.call);
  const args = argsOf(deps, call);
  const nowMs = deps.clock.nowMs();
  const title = `${visible(call.tool)} ${visible(JSON.stringify(args))}`;
  return {
    title,
    lines: [
      `${visible(approval.agent)} wants to use ${visible(call.tool)}`,
      ...JSON.stringify(args, null, 2).split("\n").map(visible),
      ...sentencesOf(call.decision.causes).map((line) => `because ${visible(line)}`),
      ...(approval.says === undefined ? [] : [`the agent claims: “${visible(approval.says)}”`]),
      `${stateAt(approval, nowMs)}, answer ${inOrAgo(approval.answerByMs, nowMs)}`,
      `digest ${approval.digest}`,
    ],
  };
}

export function cardText(out: Out, card: Card): string {
  return cardLines(card, out.width).join("\n");
}

/** Nothing is cut: what is too wide goes on in the next line. */
export function cardLines(card: Card, columns: number): readonly string[] {
  return card.lines.flatMap((line) => fold(line, columns));
}

function fold(line: string, columns: number): string[] {
  const letters = [...line];
  if (letters.length === 0) return [""];
  const parts: string[] = [];
  for (let at = 0; at < letters.length; at += columns) parts.push(letters.slice(at, at + columns).join(""));
  return parts;
}
