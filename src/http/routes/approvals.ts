import { type Approval, snoozedUntilMs } from "../../core/approval.ts";
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
import { badInput, LeewayRefusal, orThrow } from "../../service/refusal.ts";
import { reviewBy } from "../../service/reviews.ts";
import { jsonObject, listOf, maybe, object, oneOf, open, type TypeOf, text, textOf } from "../../service/shape.ts";
import { ANSWER, SEEN } from "../../service/shapes/review.ts";
import { RECONCILING } from "../../service/shapes/running.ts";
import { HANDOVER, REPLY, SNOOZE } from "../../service/shapes/triage.ts";
import { handOverBy, replyBy, snoozeBy } from "../../service/triage.ts";
import { approvedBy, cardOf } from "../../service/views/cards.ts";
import { actRoute, NO_BODY, readRoute, reply } from "../api-route.ts";
import { actingOf, personOf } from "../identity/person.ts";
import { cursorOf, cursorText, LISTED, PAGE_QUERY, yesOrNo } from "../paging.ts";
import type { HttpRequest } from "../request.ts";
import { ANSWERED, APPROVAL, EXECUTION } from "../schemas.ts";
import { shownEffect } from "../shown-to-agents.ts";

const { by: _, ...RECONCILED } = RECONCILING.keys;
const { verdict, note } = ANSWER.keys;

export const APPROVAL_ROUTES = [
  readRoute("GET /v1/approvals", {
    for: ["read"],
    summary: "Questions, newest first. `mine`: only those that the one who asks may answer and has not put aside.",
    gives: open({ approvals: listOf(APPROVAL) }),
    query: object({
      ...PAGE_QUERY,
      status: maybe(oneOf(STATES)),
      agent: maybe(text),
      class: maybe(oneOf(EFFECT_CLASSES)),
      mine: maybe(yesOrNo),
    }),
    answer: async ({ deps }, request) => {
      const { status, agent, class: effectClass, mine, cursor, limit = LISTED } = request.query;
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
        if (mine === true && !(await isMine(deps, approval, request))) continue;
        kept.push(approval);
      }
      const last = page.at(-1);
      const next = page.length === limit && last !== undefined ? cursorText(last.openedMs, last.id) : undefined;
      return reply({ approvals: kept, ...(next === undefined ? {} : { next }) });
    },
  }),
  readRoute("GET /v1/approvals/:id", {
    for: ["read"],
    summary: "One question with everything that a reviewer must see, and the grants that could be remembered.",
    gives: APPROVAL,
    answer: async ({ deps }, request) => {
      const { args, effect, ...approval } = await approvalView(deps, request.params.id);
      const { offers: remember, none }: Rememberable =
        approval.state === "pending" ? orThrow(await suggestGrants(deps, approval.id)) : { offers: [] };
      const notRemembered = none === undefined ? {} : { notRemembered: saidIn(whyNotRemembered(none), "en") };
      // As on the card: what looks like a secret is masked.
      const shown = { args: maskArgs(args), effect: shownEffect(effect) };
      const approved = await approvedBy(deps, approval);
      return reply({ ...approval, ...shown, approved, card: await cardOf(deps, approval), remember, ...notRemembered });
    },
  }),
  actRoute("POST /v1/approvals/:id/reviews", {
    for: ["act"],
    summary:
      "Answers a question. The answer contains the digest of what the person saw; an answer about other bytes is refused.",
    gives: APPROVAL,
    body: ANSWER,
    answer: async ({ deps }, request) =>
      reply(await answeredBy(deps, request, textOf(request.params.id, "approvalId"), request.body)),
  }),
  actRoute("POST /v1/approvals/:id/replies", {
    for: ["act"],
    summary:
      "Words to the agent without an answer, from somebody who may answer. The question stays open; whoever waits for it is told.",
    gives: APPROVAL,
    body: REPLY,
    answer: async ({ deps }, asked) => reply(await replyBy(deps, asked.params.id, asked.body, actingOf(asked))),
  }),
  actRoute("POST /v1/approvals/:id/handover", {
    for: ["act"],
    summary: "Asks somebody else who may answer to do it. They get a notice; nobody gets a right.",
    gives: APPROVAL,
    body: HANDOVER,
    answer: async ({ deps }, asked) => reply(await handOverBy(deps, asked.params.id, asked.body, actingOf(asked))),
  }),
  actRoute("POST /v1/approvals/:id/snooze", {
    for: ["act"],
    summary:
      "Puts a question aside for the one who asks, until a time before its deadline; then they get a reminder. `now` brings it back.",
    gives: APPROVAL,
    body: SNOOZE,
    answer: async ({ deps }, asked) => reply(await snoozeBy(deps, asked.params.id, asked.body, actingOf(asked))),
  }),
  actRoute("POST /v1/reviews", {
    for: ["act"],
    summary:
      "One answer to several questions, each with the digest that was seen. It needs the quorum of the strictest one, and is never enough for a needs-human call.",
    gives: open({ outcomes: listOf(ANSWERED) }),
    body: object({ verdict, note, items: listOf(SEEN, 1) }),
    answer: async ({ deps }, request) => {
      const { items, note: said = "", ...answer } = request.body;
      if (items.length > BULK_MAX)
        throw badInput(
          "items",
          say("refusal.there_are", { count: items.length }),
          say("hint.send_at_most", { max: BULK_MAX }),
        );
      const outcomes = await reviewAll(deps, items, { ...actingOf(request), ...answer, note: said });
      return reply({ outcomes: outcomes.map(outcomeView) });
    },
  }),
  actRoute("POST /v1/approvals/:id/reveal", {
    for: ["act"],
    fresh: true,
    summary: "The unmasked arguments of a question, for people who may answer it. The record says who looked.",
    gives: open({ args: jsonObject }),
    body: NO_BODY,
    answer: async ({ deps }, request) =>
      reply({ args: orThrow(await reveal(deps, request.params.id, actingOf(request))) }),
  }),
  actRoute("POST /v1/approvals/:id/cancel", {
    for: ["agent", "act"],
    summary: "Withdraws an open question, or an approval that has not been used.",
    gives: APPROVAL,
    body: NO_BODY,
    answer: async ({ deps }, request) => {
      const {
        who,
        params: { id },
      } = request;
      if (who.is !== "agent") return reply(orThrow(await cancel(deps, id, actingOf(request))));
      await refuseOthers(deps, id, who.agent);
      return reply(orThrow(await cancel(deps, id, { agent: who.agent })));
    },
  }),
  actRoute("POST /v1/executions/:id/reconcile", {
    for: ["act"],
    fresh: true,
    summary: "Records how a call with an unknown outcome ended, after a person checked.",
    gives: EXECUTION,
    body: object(RECONCILED),
    answer: async ({ deps }, request) =>
      reply(
        executionText(orThrow(await reconcile(deps, request.params.id, { ...actingOf(request), ...request.body }))),
      ),
  }),
];

const BULK_MAX = 100;

/** Each answer has its own result: the question after it, or why the answer does not count. */
function outcomeView(outcome: BulkOutcome) {
  if (outcome.ok) return { id: outcome.id, approval: outcome.value };
  const { id, code, reason, hint } = outcome;
  return { id, error: { code, message: saidIn(reason, "en"), hint: saidIn(hint, "en") } };
}

/** An agent finds only its own questions and those of its sub-agents. */
async function refuseOthers(deps: Deps, id: string, agent: AgentName): Promise<void> {
  const asked = await approvalAt(deps, id);
  const call = asked === undefined ? undefined : await callAt(deps, asked.row.call);
  if (call !== undefined && (call.agent === agent || call.chain.includes(agent))) return;
  const hint = say("hint.other_agent_or_workspace");
  throw new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason: say("refusal.no_approval", { id }), hint });
}

async function isMine(deps: Deps, approval: Approval, request: Pick<HttpRequest, "who">): Promise<boolean> {
  const { name } = personOf(request);
  if (snoozedUntilMs(approval, name, deps.clock.nowMs()) !== undefined) return false;
  const circle = await circleFor(deps, await deps.standing.current(), approval);
  return mayReview(approval, name, circle);
}

/** One person's answer, by the API or by a page. Who they are and when they signed in is proved, not taken from the input. */
export function answeredBy(
  deps: Deps,
  request: Pick<HttpRequest, "who">,
  id: string,
  answer: TypeOf<typeof ANSWER>,
): Promise<Approval> {
  const { by, ...sure } = actingOf(request);
  return reviewBy(deps, id, { ...answer, by }, sure);
}
