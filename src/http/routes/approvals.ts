import type { Approval } from "../../core/approval.ts";
import { EFFECT_CLASSES } from "../../core/effect.ts";
import { executionText } from "../../core/execution.ts";
import type { AgentName } from "../../core/ids.ts";
import { maskArgs } from "../../core/masking/redact.ts";
import { say } from "../../core/messages/message.ts";
import { textOf as saidIn } from "../../core/messages/text.ts";
import { whyNotRemembered } from "../../core/say/not-remembered.ts";
import { mayReview } from "../../core/steps/quorum.ts";
import { approvalAt } from "../../gate/approvals/approval-at.ts";
import { cancel } from "../../gate/approvals/cancel.ts";
import { reveal } from "../../gate/approvals/reveal.ts";
import { type BulkOutcome, reviewAll } from "../../gate/approvals/review.ts";
import { callAt } from "../../gate/calls/call-at.ts";
import { reconcile } from "../../gate/calls/reconcile.ts";
import type { Deps } from "../../gate/deps.ts";
import { type Rememberable, suggestGrants } from "../../gate/standing/grants.ts";
import { circleFor } from "../../gate/standing/owner.ts";
import { approvalView, listApprovals, STATES } from "../../service/approvals.ts";
import { approvedBy, cardOf } from "../../service/cards.ts";
import { badInput, LeewayRefusal, orThrow } from "../../service/refusal.ts";
import { jsonObject, listOf, maybe, object, oneOf, open, text, textOf } from "../../service/shape.ts";
import { ANSWER, SEEN } from "../../service/shapes/review.ts";
import { RECONCILING } from "../../service/shapes/running.ts";
import { answeredBy } from "../answering.ts";
import { actRoute, NO_BODY, readRoute, reply } from "../api-route.ts";
import { cursorOf, cursorText, LISTED, PAGE_QUERY, yesOrNo } from "../paging.ts";
import { actingOf, personOf } from "../person.ts";
import type { Asked } from "../request.ts";
import { ANSWERED, APPROVAL, EXECUTION } from "../schemas.ts";
import { shownEffect, withoutSecret } from "../shown-to-agents.ts";

const { by: _, ...RECONCILED } = RECONCILING.keys;
const { verdict, note } = ANSWER.keys;

export const APPROVAL_ROUTES = [
  readRoute("GET /v1/approvals", {
    for: ["read"],
    summary: "Questions, newest first. `mine`: only those that the one who asks may answer.",
    gives: open({ approvals: listOf(APPROVAL) }),
    query: object({
      ...PAGE_QUERY,
      status: maybe(oneOf(STATES)),
      agent: maybe(text),
      class: maybe(oneOf(EFFECT_CLASSES)),
      mine: maybe(yesOrNo),
    }),
    answer: async ({ deps }, asked) => {
      const { status, agent, class: effectClass, mine, cursor, limit = LISTED } = asked.query;
      const after = cursorOf(cursor);
      const page = await listApprovals(deps, {
        limit,
        ...(status === undefined ? {} : { state: status }),
        ...(agent === undefined ? {} : { agent }),
        ...(after === undefined ? {} : { after: { id: after.id, openedMs: after.ms } }),
      });
      const kept: Approval[] = [];
      for (const approval of page) {
        if (effectClass !== undefined && approval.class !== effectClass) continue;
        if (mine === true && !(await isMine(deps, approval, asked))) continue;
        kept.push(approval);
      }
      const last = page.at(-1);
      const next = page.length === limit && last !== undefined ? cursorText(last.openedMs, last.id) : undefined;
      return reply({ approvals: kept, ...(next === undefined ? {} : { next }) });
    },
  }),
  readRoute("GET /v1/approvals/:id", {
    for: ["read"],
    summary: "One question with everything a reviewer has to see, and the grants that could be remembered.",
    gives: APPROVAL,
    answer: async ({ deps }, asked) => {
      const { args, effect, ...approval } = await approvalView(deps, asked.params.id);
      const { offers, none }: Rememberable =
        approval.state === "pending" ? orThrow(await suggestGrants(deps, approval.id)) : { offers: [] };
      const remember = offers.filter(withoutSecret);
      const notRemembered = none === undefined ? {} : { notRemembered: saidIn(whyNotRemembered(none), "en") };
      // As the card shows them: what looks like a secret is masked.
      const shown = { args: maskArgs(args), effect: shownEffect(effect) };
      const approved = await approvedBy(deps, approval);
      return reply({ ...approval, ...shown, approved, card: await cardOf(deps, approval), remember, ...notRemembered });
    },
  }),
  actRoute("POST /v1/approvals/:id/reviews", {
    for: ["act"],
    summary: "One person's answer. It carries the digest of what was seen; an answer about other bytes is refused.",
    gives: APPROVAL,
    body: ANSWER,
    answer: async ({ deps }, asked) =>
      reply(await answeredBy(deps, asked, textOf(asked.params.id, "approvalId"), asked.body)),
  }),
  actRoute("POST /v1/reviews", {
    for: ["act"],
    summary:
      "One answer to several questions, each named with what was seen. It takes the quorum of the strictest of them, and is never enough for what needs a human.",
    gives: open({ outcomes: listOf(ANSWERED) }),
    body: object({ verdict, note, items: listOf(SEEN, 1) }),
    answer: async ({ deps }, asked) => {
      const { items, note: said = "", ...answer } = asked.body;
      if (items.length > BULK_MAX)
        throw badInput(
          "items",
          say("refusal.there_are", { count: items.length }),
          say("hint.send_at_most", { max: BULK_MAX }),
        );
      const outcomes = await reviewAll(deps, items, { ...actingOf(asked), ...answer, note: said });
      return reply({ outcomes: outcomes.map(outcomeView) });
    },
  }),
  actRoute("POST /v1/approvals/:id/reveal", {
    for: ["act"],
    fresh: true,
    summary:
      "The arguments of a question with nothing masked, for whoever may answer it. It stands in the record who looked.",
    gives: open({ args: jsonObject }),
    body: NO_BODY,
    answer: async ({ deps }, asked) => reply({ args: orThrow(await reveal(deps, asked.params.id, actingOf(asked))) }),
  }),
  actRoute("POST /v1/approvals/:id/cancel", {
    for: ["agent", "act"],
    summary: "Withdraws a question that is open, or an approval that nobody has used.",
    gives: APPROVAL,
    body: NO_BODY,
    answer: async ({ deps }, asked) => {
      const {
        who,
        params: { id },
      } = asked;
      if (who.is !== "agent") return reply(orThrow(await cancel(deps, id, actingOf(asked))));
      await refuseOthers(deps, id, who.agent);
      return reply(orThrow(await cancel(deps, id, { agent: who.agent })));
    },
  }),
  actRoute("POST /v1/executions/:id/reconcile", {
    for: ["act"],
    fresh: true,
    summary: "A person looked and says how a call of unknown outcome ended.",
    gives: EXECUTION,
    body: object(RECONCILED),
    answer: async ({ deps }, asked) =>
      reply(executionText(orThrow(await reconcile(deps, asked.params.id, { ...actingOf(asked), ...asked.body })))),
  }),
];

const BULK_MAX = 100;

/** Each item ends by itself: the question as it stands now, or why the answer does not count. */
function outcomeView(outcome: BulkOutcome) {
  if (outcome.ok) return { id: outcome.id, approval: outcome.value };
  const { id, code, reason, hint } = outcome;
  return { id, error: { code, message: saidIn(reason, "en"), hint: saidIn(hint, "en") } };
}

/** To an agent others' questions are as if they were not there; those of its sub-agents are its own. */
async function refuseOthers(deps: Deps, id: string, agent: AgentName): Promise<void> {
  const asked = await approvalAt(deps, id);
  const call = asked === undefined ? undefined : await callAt(deps, asked.row.call);
  if (call !== undefined && (call.agent === agent || call.chain.includes(agent))) return;
  const hint = say("hint.other_agent_or_workspace");
  throw new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason: say("refusal.no_approval", { id }), hint });
}

async function isMine(deps: Deps, approval: Approval, asked: Pick<Asked, "who">): Promise<boolean> {
  const circle = await circleFor(deps, await deps.standing.current(), approval);
  return mayReview(approval, personOf(asked).name, circle);
}
