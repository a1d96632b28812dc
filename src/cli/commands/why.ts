import { sentencesOf } from "../../core/decide/explain.ts";
import type { CallRow } from "../../core/rows.ts";
import { visible } from "../../core/values/text.ts";
import { Failure } from "../failure.ts";
import { type Opened, withGate } from "../gate.ts";
import { callOfRow, findAny } from "../lookup.ts";
import { type CommandSpec, first, type Out } from "../spec.ts";
import { facts, tierColour } from "../table.ts";
import { because, entryLine } from "../texts.ts";
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
      const { args: _sealed, ...open } = row;
      const explained = {
        ...open,
        because: sentencesOf(row.decision.causes),
        consideredToo: sentencesOf(row.decision.considered),
        history: entries.map(({ index, atMs, kind, actor }) => ({ index, atMs, kind, actor })),
      };
      given.out.answer(explained, () =>
        [explain(given.out, row), ...entries.map((entry) => entryLine(given.out, entry))].join("\n"),
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

function explain(out: Out, row: CallRow): string {
  const { decision, effect } = row;
  const also = sentencesOf(decision.considered);
  return `${facts(out, [
    ["call", row.id],
    ["when", clockText(row.atMs)],
    ["agent", visible([...row.chain, row.agent].join(" > "))],
    ["tool", visible(row.tool)],
    ["tier", `${tierColour(out, decision.tier)}${decision.needsHuman ? ", needs a person" : ""}`],
    ["outcome", `${row.outcome}${decision.code === undefined ? "" : ` (${decision.code})`}`],
    ["classes", [...new Set(effect.parts.map((part) => part.class))].join(", ")],
    ["understood", [effect.understood, ...effect.notes].join("; ")],
    ["because", because(out, sentencesOf(decision.causes))],
    ["looked at too", also.length === 0 ? "nothing else applied" : because(out, also)],
    ["policy", decision.policyVersion],
    ["digest", row.digest],
  ])}\n`;
}
