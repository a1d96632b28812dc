import type { Person } from "../../core/people.ts";
import { anyText, flag, listOf, maybe, object, open } from "../../service/shape.ts";
import { inboxReader } from "../../service/views/inbox.ts";
import { ensureFor, noticeView } from "../../service/views/notices.ts";
import { mayReadOutput } from "../../service/views/outcome.ts";
import { type RowView, rowView } from "../../service/views/rows.ts";
import { statusOf } from "../../service/views/status.ts";
import { readRoute, reply } from "../api-route.ts";
import { personOf } from "../identity/person.ts";
import { yesOrNo } from "../paging.ts";
import { count, effectClass, ms, POLICY_IN_FORCE, someObject } from "../schemas.ts";
import { maskedTexts, shownEffect } from "../shown-to-agents.ts";

// What the command line shows about a gate, one request for each view.

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
    summary:
      "The state of the gate: the policy in force, who can answer, what waits, what is paused, the end of the ledger.",
    gives: open({
      workspace: anyText,
      policy: POLICY_IN_FORCE,
      pending: count,
      unreadNotices: count,
      unknown: count,
      agents: count,
    }),
    answer: async ({ deps }, request) => reply(await statusOf(deps, personOf(request).name)),
  }),
  readRoute("GET /v1/inbox", {
    for: ["read"],
    summary:
      "The open questions with their cards and what could be remembered, at most 200, the most urgent first, without those that the one who asks has put aside; `aside`: only those. `more` is how many others wait.",
    gives: open({ questions: listOf(QUESTION), more: count }),
    query: object({ aside: maybe(yesOrNo) }),
    answer: async ({ deps }, asked) => {
      const which = asked.query.aside === true ? "aside" : "waiting";
      const { questions, more } = await inboxReader(deps, personOf(asked).name, which)();
      return reply({ questions, more });
    },
  }),
  readRoute("GET /v1/rows/:id", {
    for: ["read"],
    summary:
      "The row with this id, or the only one whose id starts with it: a question with its card, a call, an execution, a grant, or one of your notices.",
    gives: open({ table: anyText, row: someObject }),
    answer: async ({ deps }, request) => {
      const person = personOf(request);
      const id = request.params.id;
      const found = await rowView(deps, id, (call) => mayReadOutput(deps, call, person));
      return reply(shownRow(found, id, person));
    },
  }),
];

/** A row as a card would show it. Arguments and results are encrypted and are not included. */
function shownRow(found: RowView, id: string, person: Person) {
  switch (found.table) {
    case "approvals":
      return found;
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
