import { type Approval, isOpen } from "../../core/approval.ts";
import type { Digest, ToolCall } from "../../core/call.ts";
import type { Piece } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import { answers, askingParts, saysSomething } from "../../core/decide/grants.ts";
import { imagined } from "../../core/decide/suggest/suggest.ts";
import type { Effect } from "../../core/effect.ts";
import type { AgentName, ApprovalId, PersonName } from "../../core/ids.ts";
import { maskArgs, redactText } from "../../core/masking/redact.ts";
import { say } from "../../core/messages/message.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import {
  type Grant,
  type GrantCover,
  type GrantDraft,
  type GrantSubject,
  grantCounter,
  type NotRemembered,
} from "../../core/standing/grant.ts";
import { badBounds, boundedBy, createGrant, endGrant, type Lasting } from "../../core/steps/standing/granting.ts";
import { canonical } from "../../core/values/canonical.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { approvalAt, noApproval } from "../approvals/approval-at.ts";
import { rulesInForce, suggestedFor } from "../approvals/covering.ts";
import { callOf, openArgs } from "../calls/args.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { find } from "../find-row.ts";
import { type Acting, actingPerson, actStep, type HeldStanding, pausedPerson, unsure } from "../people/acting.ts";
import { everyRow } from "./every-row.ts";
import { ownerOf } from "./owner.ts";

export type NewGrant = Lasting &
  Acting & {
    subject: GrantSubject;
    covers: GrantCover;
    tier?: Grant["tier"];
    because: string;
  };

type Changed = { ok: true; value: Grant } | Refused;

/** Gives a grant. Admins may give it to any agent, owners to their own agents. */
export async function addGrant(deps: Deps, given: NewGrant): Promise<Changed> {
  return actStep(deps, async (nowMs, inForce): Promise<Step<Grant>> => {
    const no =
      (await mayGrant(deps, inForce, given.by, given.subject)) ??
      badBounds(given, nowMs) ??
      badCover(given.covers) ??
      pausedPerson(inForce, given.by) ??
      unsure(inForce, given);
    if (no !== undefined) return no;
    const grant: Grant = {
      id: deps.mint.next("grt"),
      workspace: deps.workspace,
      subject: given.subject,
      covers: given.covers,
      tier: given.tier ?? "auto",
      grantedBy: { person: given.by },
      because: redactText(given.because),
      createdMs: nowMs,
      ...boundedBy(given, given.covers, nowMs),
      state: "live",
    };
    return { ok: true, pieces: [createGrant(grant, deps.mint)], value: grant };
  });
}

/** Revokes a grant. It no longer counts from the next call on. */
export async function revokeGrant(deps: Deps, idOrPrefix: string, { by }: { by: PersonName }): Promise<Changed> {
  const found = await find(deps, idOrPrefix);
  if (!found.ok) return found;
  if (found.value.table !== "grants") return noGrant(idOrPrefix);
  const { id } = found.value.row;
  return actStep(deps, async (nowMs, inForce): Promise<Step<Grant>> => {
    const acting = actingPerson(inForce, by);
    if ("code" in acting) return acting;
    const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "grants", id });
    if (held === undefined) return noGrant(id);
    const step = endGrant(held, { state: "revoked", by }, deps.mint, nowMs);
    return step.ok ? { ok: true, pieces: [step.piece], value: step.grant } : step;
  });
}

/** Ends all grants of a person. */
export async function revokedGrantsOf(
  deps: Deps,
  inForce: HeldStanding,
  person: PersonName,
  how: { by: PersonName; nowMs: number },
): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  for (const { id, grantedBy } of inForce.rows.grants) {
    if (!("person" in grantedBy) || grantedBy.person !== person) continue;
    const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "grants", id });
    const step = held && endGrant(held, { state: "revoked", by: how.by }, deps.mint, how.nowMs);
    if (step?.ok === true) pieces.push(step.piece);
  }
  return pieces;
}

export type HeldGrant = { grant: Grant; used: number };

/** All grants, also ended ones, newest first, with how often each was used. */
export async function listGrants(deps: Deps): Promise<readonly HeldGrant[]> {
  const grants = await everyRow(deps, "grants");
  const { workspace } = deps;
  const nowMs = deps.clock.nowMs();
  const counters = grants.map((grant) => grantCounter(grant.id));
  const used = await deps.store.read({ ask: "counters", workspace, counters, nowMs });
  return grants
    .map((grant, at) => ({ grant: asOf(grant, nowMs), used: used[at] ?? 0 }))
    .sort((a, b) => b.grant.createdMs - a.grant.createdMs);
}

/** A live grant whose time is over counts as expired. */
function asOf(grant: Grant, nowMs: number): Grant {
  if (grant.state !== "live" || grant.untilMs === undefined || nowMs < grant.untilMs) return grant;
  return { ...grant, state: "expired", atMs: grant.untilMs };
}

const HISTORY_MAX = 500;

/**
 * A suggested grant, with how many of the agent's last calls it would have allowed, and the agent's other open questions
 * that it covers, which can be answered together with this one.
 */
export type Suggested = GrantDraft & { coveredBefore: number; outOf: number; waiting: readonly WaitingCall[] };
type WaitingCall = { id: ApprovalId; digest: Digest };
const WAITING_MAX = 50;

/** The grants that a question offers, the narrowest first; or why there is none. */
export type Rememberable = { offers: readonly Suggested[]; none?: NotRemembered };

/** Grants that would have allowed the call of this question, with how many earlier calls each would have allowed. */
export async function suggestGrants(
  deps: Deps,
  approvalId: string,
): Promise<{ ok: true; value: Rememberable } | Refused> {
  const asked = await approvalAt(deps, approvalId);
  if (asked === undefined) return noApproval(approvalId);
  if (asked.row.needsHuman) return { ok: true, value: { offers: [], none: { is: "needs-human" } } };
  const { call, drafts: all, none } = await suggestedFor(deps, asked.row);
  if (none !== undefined) return { ok: true, value: { offers: [], none } };
  const drafts = all.filter(holdsNoSecret);
  const nowMs = deps.clock.nowMs();
  const standing = await rulesInForce(deps, asked.row);
  const parts = (asked: ToolCall, effect: Effect): AskedParts => ({
    call: asked,
    effect,
    asking: askingParts(asked, effect, standing, nowMs),
  });
  // Arguments are not decrypted for this count. Only a rule about arguments could give another number.
  const history = (await lastCallsOf(deps, call.agent)).map((row) => parts(callOf(row, {}), row.effect));
  const others = (await otherQuestions(deps, asked.row)).map(({ waiting, ...other }) => ({
    waiting,
    ...parts(other.call, other.effect),
  }));
  const offers = drafts.map((draft) => {
    const grant = imagined(draft, { workspace: deps.workspace, nowMs });
    const isCovered = ({ call: made, effect, asking }: AskedParts) =>
      answers(grant, made, effect, standing, nowMs, asking);
    const waiting = others.filter(isCovered).map((other) => other.waiting);
    return { ...draft, coveredBefore: history.filter(isCovered).length, outOf: history.length, waiting };
  });
  return { ok: true, value: { offers } };
}

/** A grant is stored and shown unmasked, so a grant that would contain a secret is not offered. */
function holdsNoSecret(draft: GrantDraft): boolean {
  const json = draft as JsonObject;
  return canonical(json) === canonical(maskArgs(json));
}

/** A call, and the parts of its effect that need a question. */
type AskedParts = { call: ToolCall; effect: Effect; asking: Effect };

/** The agent's other open questions that the same answer may answer, without those that need a human. */
async function otherQuestions(deps: Deps, { id, agent }: Approval): Promise<readonly OtherQuestion[]> {
  const { store, workspace } = deps;
  const nowMs = deps.clock.nowMs();
  const where = { state: "pending", agent } as const;
  const open = await store.read({
    ask: "rows",
    workspace,
    table: "approvals",
    where,
    limit: WAITING_MAX,
    order: "oldest",
  });
  const others: OtherQuestion[] = [];
  for (const { row } of open) {
    if (row.id === id || row.needsHuman || !isOpen(row, nowMs)) continue;
    const found = await store.read({ ask: "row", workspace, table: "calls", id: row.call });
    const opened = found === undefined ? undefined : openArgs(found.row);
    if (found === undefined || opened?.ok !== true) continue;
    others.push({ call: opened.call, effect: found.row.effect, waiting: { id: row.id, digest: row.digest } });
  }
  return others;
}
type OtherQuestion = { call: ToolCall; effect: Effect; waiting: WaitingCall };

/** In the order of the ledger. A call that was decided twice counts once. */
async function lastCallsOf({ store, workspace }: Deps, agent: AgentName): Promise<readonly CallRow[]> {
  const where = { kinds: ["call.decided"], subject: { agent } } as const;
  const decided = await store.read({ ask: "entries", workspace, where, limit: HISTORY_MAX, order: "newest" });
  const ids = new Set(decided.flatMap(({ subject }) => subject.call ?? []));
  const found = await Promise.all([...ids].map((id) => store.read({ ask: "row", workspace, table: "calls", id })));
  return found.flatMap((held) => held?.row ?? []);
}

export async function mayGrant(
  deps: Deps,
  inForce: HeldStanding,
  by: PersonName,
  subject: GrantSubject,
): Promise<Refused | undefined> {
  const acting = actingPerson(inForce, by);
  if ("code" in acting) return acting;
  if (acting.admin) return undefined;
  if (subject.agent !== undefined && (await ownerOf(deps, inForce, subject.agent)) === by) return undefined;
  return refused("LEEWAY_FORBIDDEN", say("refusal.may_not_grant", { person: by }), say("hint.owner_and_admins_can"));
}

function badCover(cover: GrantCover): Refused | undefined {
  if (saysSomething(cover)) return undefined;
  return refused("LEEWAY_BAD_INPUT", say("refusal.grant_covers_nothing"), say("hint.name_cover"));
}

function noGrant(id: string): Refused {
  return refused("LEEWAY_NOT_FOUND", say("refusal.no_grant", { id }), say("hint.grants_list"));
}
