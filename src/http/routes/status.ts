import type { Person } from "../../core/people.ts";
import type { Suggested } from "../../gate/standing/grants.ts";
import { inboxReader } from "../../service/inbox.ts";
import { mayReadOutput } from "../../service/outcome.ts";
import { type RowView, rowView } from "../../service/rows.ts";
import { anyText, flag, listOf, open } from "../../service/shape.ts";
import { statusOf } from "../../service/status.ts";
import { readRoute, reply } from "../api-route.ts";
import { ensureFor, noticeView } from "../notice-view.ts";
import { personOf } from "../person.ts";
import { count, effectClass, ms, POLICY_IN_FORCE, someObject } from "../schemas.ts";
import { maskedTexts, shownEffect, withoutSecret } from "../shown-to-agents.ts";

// What the command line shows of a gate, in one request each.

const QUESTION = open({
  id: anyText,
  digest: anyText,
  class: effectClass,
  agent: anyText,
  needsHuman: flag,
  answerByMs: ms,
  have: count,
  quorum: count,
});

export const STATUS_ROUTES = [
  readRoute("GET /v1/status", {
    for: ["read"],
    summary: "How the gate stands: the policy in force, who can answer, what waits, what is paused, the ledger's head.",
    gives: open({
      workspace: anyText,
      policy: POLICY_IN_FORCE,
      pending: count,
      unreadNotices: count,
      unknown: count,
      agents: count,
    }),
    answer: async ({ deps }, asked) => reply(await statusOf(deps, personOf(asked).name)),
  }),
  readRoute("GET /v1/inbox", {
    for: ["read"],
    summary:
      "The open questions with their cards and what could be remembered, at most 200, the most urgent first; `more` wait besides.",
    gives: open({ questions: listOf(QUESTION), more: count }),
    answer: async ({ deps }) => {
      const { questions, more } = await inboxReader(deps)();
      const shown = questions.map((question) => ({ ...question, remember: question.remember.filter(withoutSecret) }));
      return reply({ questions: shown, more });
    },
  }),
  readRoute("GET /v1/rows/:id", {
    for: ["read"],
    summary:
      "Whatever has this id, or is the only one that starts so: a question with its card, a call, an execution, a grant, a notice of one's own.",
    gives: open({ table: anyText, row: someObject }),
    answer: async ({ deps }, asked) => {
      const person = personOf(asked);
      const id = asked.params.id;
      const found = await rowView(deps, id, (call) => mayReadOutput(deps, call, person));
      return reply(shownRow(found, id, person));
    },
  }),
];

/** As far as a card would show it. Arguments and results are sealed, and are not part of it. */
function shownRow(found: RowView, id: string, person: Person) {
  switch (found.table) {
    case "approvals": {
      const remember: readonly Suggested[] = found.remember.filter(withoutSecret);
      return { ...found, remember };
    }
    case "calls": {
      const { args: _, effect, ...row } = found.row;
      return maskedTexts({ ...found, row: { ...row, effect: shownEffect(effect) } });
    }
    case "executions": {
      const { result: _, ...row } = { result: undefined, ...found.row };
      return maskedTexts({ ...found, row });
    }
    case "notices":
      return { ...found, row: noticeView(ensureFor(found.row, id, person)) };
    default:
      return found;
  }
}
