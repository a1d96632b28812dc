import type { Piece } from "../core/change.ts";
import { type Refused, refused } from "../core/codes.ts";
import { covers as coversCall } from "../core/decide/cover.ts";
import { imagined, suggestGrants as suggestFor } from "../core/decide/suggest.ts";
import { type Grant, type GrantCover, type GrantDraft, type GrantSubject, grantCounter } from "../core/grant.ts";
import type { AgentName, PersonName } from "../core/ids.ts";
import type { CallRow } from "../core/rows.ts";
import { badBounds, boundedBy, createGrant, endGrant, type Lasting } from "../core/steps/granting.ts";
import { type Acting, actingPerson, actStep, type HeldStanding, pausedPerson, unsure } from "./acting.ts";
import { callOf } from "./args.ts";
import { approvalAt, noApproval } from "./asked.ts";
import type { Step } from "./commit.ts";
import { askedCall } from "./covering.ts";
import type { Deps } from "./deps.ts";
import { find } from "./find.ts";
import { ownerOf } from "./owner.ts";

export type NewGrant = Lasting &
  Acting & {
    subject: GrantSubject;
    covers: GrantCover;
    tier?: Grant["tier"];
    because: string;
  };

type Changed = { ok: true; value: Grant } | Refused;

/** A person's yes in advance. Admins give it for anybody, owners for their own agents. */
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
      because: given.because,
      createdMs: nowMs,
      ...boundedBy(given, nowMs),
      state: "live",
    };
    return { ok: true, pieces: [createGrant(grant, deps.mint)], value: grant };
  });
}

/** Takes a grant back. The next call finds it gone. */
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

/** What ends every grant that a person gave. */
export async function revokedGrantsOf(
  deps: Deps,
  inForce: HeldStanding,
  person: PersonName,
  how: { by: PersonName; nowMs: number },
): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  for (const { id, state, grantedBy } of inForce.rows.grants) {
    if (state !== "live" || !("person" in grantedBy) || grantedBy.person !== person) continue;
    const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "grants", id });
    const step = held && endGrant(held, { state: "revoked", by: how.by }, deps.mint, how.nowMs);
    if (step?.ok === true) pieces.push(step.piece);
  }
  return pieces;
}

export type HeldGrant = { grant: Grant; used: number };

/** Every grant there is or was, newest first, with how often it was used. */
export async function listGrants(deps: Deps): Promise<readonly HeldGrant[]> {
  const { grants } = (await deps.standing.current()).rows;
  const { workspace } = deps;
  const nowMs = deps.clock.nowMs();
  const counters = grants.map((grant) => grantCounter(grant.id));
  const used = await deps.store.read({ ask: "counters", workspace, counters, nowMs });
  return grants
    .map((grant, at) => ({ grant: asOf(grant, nowMs), used: used[at] ?? 0 }))
    .sort((a, b) => b.grant.createdMs - a.grant.createdMs);
}

/** Expired is a fact of the clock here too. */
function asOf(grant: Grant, nowMs: number): Grant {
  if (grant.state !== "live" || grant.untilMs === undefined || nowMs < grant.untilMs) return grant;
  return { ...grant, state: "expired", atMs: grant.untilMs };
}

const HISTORY_MAX = 500;

/** With how many of the agent's last calls it would have let pass, and of how many. */
export type Suggested = GrantDraft & { coveredBefore: number; outOf: number };

/** Grants that would have let the call of this question pass, narrow to wide, with how much each would have let pass before. */
export async function suggestGrants(
  deps: Deps,
  approvalId: string,
): Promise<{ ok: true; value: readonly Suggested[] } | Refused> {
  const asked = await approvalAt(deps, approvalId);
  if (asked === undefined) return noApproval(approvalId);
  const { call, effect } = await askedCall(deps, asked.row);
  const drafts = asked.row.needsHuman ? [] : suggestFor(call, effect);
  const history = await lastCallsOf(deps, call.agent);
  const nowMs = deps.clock.nowMs();
  return {
    ok: true,
    value: drafts.map((draft) => {
      const grant = imagined(draft, { workspace: deps.workspace, nowMs });
      // Covering looks at targets, never at arguments, so nothing has to be unsealed for it.
      const covered = history.filter((row) => coversCall(grant, callOf(row, {}), row.effect, nowMs));
      return { ...draft, coveredBefore: covered.length, outOf: history.length };
    }),
  };
}

/** The ledger knows in which order they came; one that was decided twice counts once. */
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
  return refused("LEEWAY_FORBIDDEN", `${by} may not grant this`, "the agent's owner and the admins can");
}

function badCover(cover: GrantCover): Refused | undefined {
  if (cover.class !== undefined || cover.tool !== undefined || cover.targets.length > 0) return undefined;
  return refused("LEEWAY_BAD_INPUT", "a grant has to cover something", "name a class, a tool or targets");
}

function noGrant(id: string): Refused {
  return refused("LEEWAY_NOT_FOUND", `there is no grant ${id}`, "`leeway grants list` shows them");
}
