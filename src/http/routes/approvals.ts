import type { Approval } from "../../core/approval.ts";
import { EFFECT_CLASSES } from "../../core/effect.ts";
import type { AgentName } from "../../core/ids.ts";
import { maskArgs } from "../../core/masking/redact.ts";
import { EN } from "../../core/say/en.ts";
import { mayReview } from "../../core/steps/quorum.ts";
import { approvalAt } from "../../gate/approvals/approval-at.ts";
import { cancel } from "../../gate/approvals/cancel.ts";
import { reveal } from "../../gate/approvals/reveal.ts";
import { type BulkItem, type BulkOutcome, reviewAll } from "../../gate/approvals/review.ts";
import { callAt } from "../../gate/calls/call-at.ts";
import { reconcile } from "../../gate/calls/reconcile.ts";
import type { Deps } from "../../gate/deps.ts";
import { type Rememberable, suggestGrants } from "../../gate/standing/grants.ts";
import { circleFor } from "../../gate/standing/owner.ts";
import { approvalView, listApprovals } from "../../service/approvals.ts";
import { approvedBy, cardOf } from "../../service/cards.ts";
import { badInput, LeewayRefusal, orThrow } from "../../service/refusal.ts";
import { REVIEW, type ReviewInput } from "../../service/reviews.ts";
import { flag, listOf, maybe, objectLike, oneOf, reason, text } from "../../service/shape.ts";
import { json } from "../answer.ts";
import { answeredBy } from "../answering.ts";
import { cursorOf, cursorText, limitOf, PAGE_QUERY } from "../paging.ts";
import { actingOf, personOf } from "../person.ts";
import type { Asked } from "../request.ts";
import type { Route } from "../route.ts";
import { shownEffect, withoutSecret } from "../shown-to-agents.ts";

const { by: _, ...ANSWER } = REVIEW;
const STATES = ["pending", "approved", "denied", "expired", "cancelled", "superseded"] as const;

export const APPROVAL_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/v1/approvals",
    for: ["read"],
    summary: "Questions, newest first. `mine`: only those that the one who asks may answer.",
    gives: { approvals: ["Approval"] },
    query: {
      ...PAGE_QUERY,
      status: maybe(oneOf(STATES)),
      agent: maybe(text),
      class: maybe(oneOf(EFFECT_CLASSES)),
      mine: maybe(oneOf(["true", "false"])),
    },
    act: async ({ deps }, asked) => {
      const { status, agent, class: effectClass, mine, cursor } = asked.query;
      const limit = limitOf(asked.query);
      const after = cursorOf(cursor);
      const page = await listApprovals(deps, {
        limit,
        ...(status === undefined ? {} : { state: status as Approval["state"] }),
        ...(agent === undefined ? {} : { agent }),
        ...(after === undefined ? {} : { after: { id: after.id as Approval["id"], openedMs: after.ms } }),
      });
      const kept: Approval[] = [];
      for (const approval of page) {
        if (effectClass !== undefined && approval.class !== effectClass) continue;
        if (mine === "true" && !(await isMine(deps, approval, asked))) continue;
        kept.push(approval);
      }
      const last = page.at(-1);
      const next = page.length === limit && last !== undefined ? cursorText(last.openedMs, last.id) : undefined;
      return json({ approvals: kept, ...(next === undefined ? {} : { next }) });
    },
  },
  {
    method: "GET",
    path: "/v1/approvals/:id",
    for: ["read"],
    summary: "One question with everything a reviewer has to see, and the grants that could be remembered.",
    gives: "Approval",
    act: async ({ deps }, asked) => {
      const { args, effect, ...approval } = await approvalView(deps, idOf(asked));
      const { offers, none }: Rememberable =
        approval.state === "pending" ? orThrow(await suggestGrants(deps, approval.id)) : { offers: [] };
      const remember = offers.filter(withoutSecret);
      const notRemembered = none === undefined ? {} : { notRemembered: EN.cover.none(none) };
      // As the card shows them: what looks like a secret is masked.
      const shown = { args: maskArgs(args), effect: shownEffect(effect) };
      const approved = await approvedBy(deps, approval);
      return json({ ...approval, ...shown, approved, card: await cardOf(deps, approval), remember, ...notRemembered });
    },
  },
  {
    method: "POST",
    path: "/v1/approvals/:id/reviews",
    for: ["act"],
    summary: "One person's answer. It carries the digest of what was seen; an answer about other bytes is refused.",
    gives: "Approval",
    body: ANSWER,
    act: async ({ deps }, asked) =>
      json(await answeredBy(deps, asked, idOf(asked), asked.body as unknown as Omit<ReviewInput, "by">)),
  },
  {
    method: "POST",
    path: "/v1/reviews",
    for: ["act"],
    summary:
      "One answer to several questions, each named with what was seen. It takes the quorum of the strictest of them, and is never enough for what needs a human.",
    body: { verdict: ANSWER.verdict, note: ANSWER.note, items: listOf(objectLike({ id: text, digest: text }), 1) },
    act: async ({ deps }, asked) => {
      const { items, verdict, note = "" } = asked.body as unknown as Bulk;
      if (items.length > BULK_MAX) throw badInput("items", `there are ${items.length}`, `send at most ${BULK_MAX}`);
      const outcomes = await reviewAll(deps, items, { ...actingOf(asked), verdict, note });
      return json({ outcomes: outcomes.map(outcomeView) });
    },
  },
  {
    method: "POST",
    path: "/v1/approvals/:id/reveal",
    for: ["act"],
    fresh: true,
    summary:
      "The arguments of a question with nothing masked, for whoever may answer it. It stands in the record who looked.",
    body: {},
    act: async ({ deps }, asked) => json({ args: orThrow(await reveal(deps, idOf(asked), actingOf(asked))) }),
  },
  {
    method: "POST",
    path: "/v1/approvals/:id/cancel",
    for: ["agent", "act"],
    summary: "Withdraws a question that is open, or an approval that nobody has used.",
    gives: "Approval",
    body: {},
    act: async ({ deps }, asked) => {
      const { who } = asked;
      if (who.is !== "agent") return json(orThrow(await cancel(deps, idOf(asked), actingOf(asked))));
      await refuseOthers(deps, idOf(asked), who.agent);
      return json(orThrow(await cancel(deps, idOf(asked), { agent: who.agent })));
    },
  },
  {
    method: "POST",
    path: "/v1/executions/:id/reconcile",
    for: ["act"],
    fresh: true,
    summary: "A person looked and says how a call of unknown outcome ended.",
    body: { ok: flag, note: reason },
    act: async ({ deps }, asked) => {
      const { ok, note } = asked.body as { ok: boolean; note: string };
      return json(orThrow(await reconcile(deps, idOf(asked), { ...actingOf(asked), ok, note })));
    },
  },
];

const BULK_MAX = 100;
type Bulk = { items: readonly BulkItem[]; verdict: "approve" | "deny"; note?: string };

/** Each item ends by itself: the question as it stands now, or why the answer does not count. */
function outcomeView(outcome: BulkOutcome) {
  if (outcome.ok) return { id: outcome.id, approval: outcome.value };
  const { id, code, reason: message, hint } = outcome;
  return { id, error: { code, message, hint } };
}

function idOf({ params }: Asked): string {
  return params["id"] ?? "";
}

/** To an agent others' questions are as if they were not there; those of its sub-agents are its own. */
async function refuseOthers(deps: Deps, id: string, agent: AgentName): Promise<void> {
  const asked = await approvalAt(deps, id);
  const call = asked === undefined ? undefined : await callAt(deps, asked.row.call);
  if (call !== undefined && (call.agent === agent || call.chain.includes(agent))) return;
  const hint = "it may belong to another agent or workspace";
  throw new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason: `there is no approval ${id}`, hint });
}

async function isMine(deps: Deps, approval: Approval, asked: Asked): Promise<boolean> {
  const circle = await circleFor(deps, await deps.standing.current(), approval);
  return mayReview(approval, personOf(asked).name, circle);
}
