import { isOpen } from "../../core/approval.ts";
import type { CallRow } from "../../core/rows.ts";
import { visible } from "../../core/values/text.ts";
import { causeSentences } from "../causes.ts";
import { Failure } from "../failure.ts";
import { type Opened, withGate } from "../gate.ts";
import { callOfRow, findAny } from "../lookup.ts";
import { type CommandSpec, first, type Out } from "../spec.ts";
import { cut, facts, tierColour } from "../table.ts";
import { because, entryLine, shortId } from "../texts.ts";
import { clockText } from "../time.ts";

export const why: CommandSpec = {
  name: "why",
  summary: "the whole explanation of a decision, and what came of it",
  args: [["<id>", "a call, question or execution, or the start of its id"]],
  examples: ["leeway why call_019a8b3c4d5e", "leeway why apr_019a8b3c4d5e --json"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (deps) => {
      const row = await callMeant(deps, first(given));
      const entries = await deps.store.read({
        ask: "entries",
        workspace: deps.workspace,
        where: { subject: { call: row.id } },
        limit: 100,
        order: "oldest",
      });
      const next = await nextStep(deps, row);
      const { args: _sealed, ...open } = row;
      const explained = {
        ...open,
        because: causeSentences(row.decision.causes),
        consideredToo: causeSentences(row.decision.considered),
        history: entries.map(({ index, atMs, kind, actor }) => ({ index, atMs, kind, actor })),
      };
      given.out.answer(explained, () =>
        [explain(given.out, row, next), ...entries.map((entry) => entryLine(given.out, entry))].join("\n"),
      );
      return 0;
    }),
};

async function callMeant(deps: Opened, id: string): Promise<CallRow> {
  const found = await findAny(deps, id);
  switch (found.table) {
    case "calls":
      return found.row;
    case "approvals":
    case "executions":
      return callOfRow(deps, found.row.call);
    default:
      throw new Failure(1, `${id} was not decided`, "give the id of a call, a question or an execution");
  }
}

/** What can be done about it now, while somebody still can. */
async function nextStep(deps: Opened, row: CallRow): Promise<string | undefined> {
  if (row.approvalId === undefined) return undefined;
  const { workspace, store } = deps;
  const asked = await store.read({ ask: "row", workspace, table: "approvals", id: row.approvalId });
  if (asked === undefined || !isOpen(asked.row, deps.clock.nowMs())) return undefined;
  return `answer it in \`leeway inbox\`, or with \`leeway approve ${shortId(row.approvalId)}\``;
}

function explain(out: Out, row: CallRow, next: string | undefined): string {
  const { decision, effect } = row;
  const also = causeSentences(decision.considered);
  const room = out.width - "looked at too  ".length;
  return `${facts(out, [
    ["call", row.id],
    ["when", clockText(row.atMs)],
    ["agent", visible([...row.chain, row.agent].join(" > "))],
    ["tool", visible(row.tool)],
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
