import { isOpen } from "../../core/approval.ts";
import type { CallRow } from "../../core/rows.ts";
import { causeSentences } from "../../core/show/causes.ts";
import { callText } from "../call-view.ts";
import { Failure } from "../failure.ts";
import { type Opened, withGate } from "../gate.ts";
import { callOfRow, findAny } from "../lookup.ts";
import { type CommandSpec, first } from "../spec.ts";
import { entryLine, shortId } from "../texts.ts";

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
        [callText(given.out, deps, row, next), ...entries.map((entry) => entryLine(given.out, entry))].join("\n"),
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
