import { maskArgs } from "../../core/masking/redact.ts";
import type { Person } from "../../core/people.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { inboxReader } from "../../service/inbox.ts";
import { mayReadOutput } from "../../service/outcome.ts";
import { type RowView, rowView } from "../../service/rows.ts";
import { statusOf } from "../../service/status.ts";
import { json } from "../answer.ts";
import { ensureFor, noticeView } from "../notice-view.ts";
import { personOf } from "../person.ts";
import type { Route } from "../route.ts";
import { shownEffect, withoutSecret } from "../shown-to-agents.ts";

// What the command line shows of a gate, in one request each.

export const STATUS_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/v1/status",
    for: ["read"],
    summary: "How the gate stands: the policy in force, who can answer, what waits, what is paused, the ledger's head.",
    act: async ({ deps }, asked) => json(await statusOf(deps, personOf(asked).name)),
  },
  {
    method: "GET",
    path: "/v1/inbox",
    for: ["read"],
    summary:
      "The open questions with their cards and what could be remembered, at most 200, the most urgent first; `more` wait besides.",
    act: async ({ deps }) => {
      const { questions, more } = await inboxReader(deps)();
      const shown = questions.map((question) => ({ ...question, remember: question.remember.filter(withoutSecret) }));
      return json({ questions: shown, more });
    },
  },
  {
    method: "GET",
    path: "/v1/rows/:id",
    for: ["read"],
    summary:
      "Whatever has this id, or is the only one that starts so: a question with its card, a call, an execution, a grant, a notice of one's own.",
    act: async ({ deps }, asked) => {
      const person = personOf(asked);
      const id = asked.params["id"] ?? "";
      const found = await rowView(deps, id, (call) => mayReadOutput(deps, call, person));
      return json(shownRow(found, id, person));
    },
  },
];

/** As far as a card would show it. Arguments and results are sealed, and are not part of it. */
function shownRow(found: RowView, id: string, person: Person): object {
  switch (found.table) {
    case "approvals":
      return { ...found, remember: found.remember.filter(withoutSecret) };
    case "calls": {
      const { args: _, effect, ...row } = found.row;
      return maskArgs({ ...found, row: { ...row, effect: shownEffect(effect) } } as unknown as JsonObject);
    }
    case "executions": {
      const { result: _, ...row } = { result: undefined, ...found.row };
      return maskArgs({ ...found, row } as unknown as JsonObject);
    }
    case "notices":
      return { ...found, row: noticeView(ensureFor(found.row, id, person)) };
    default:
      return found;
  }
}
