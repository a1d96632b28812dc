import type { Piece } from "../core/change.ts";
import type { Refused } from "../core/codes.ts";
import type { Actor } from "../core/ledger.ts";
import type { Versioned } from "../core/rows.ts";
import { cancel } from "../core/steps/closing.ts";
import { draft } from "../core/steps/draft.ts";
import { endGrant } from "../core/steps/granting.ts";
import { voidIt } from "../core/steps/running.ts";
import { actingPerson, actStep } from "./acting.ts";
import type { Step } from "./commit.ts";
import type { Deps } from "./deps.ts";
import { circleFor } from "./owner.ts";

export type EndedSession = { grants: number; approvals: number; executions: number };

/** A session that is over leaves nothing behind: no grant, no open question, no unused permit. Its agent ends it, or a person. */
export async function endSession(
  deps: Deps,
  given: { session: string; agent?: string; by: string },
): Promise<{ ok: true; value: EndedSession } | Refused> {
  const actor: Actor = given.agent === given.by ? `agent:${given.by}` : `person:${given.by}`;
  return actStep(deps, async (nowMs, inForce): Promise<Step<EndedSession>> => {
    const acting = given.agent === given.by ? undefined : actingPerson(inForce, given.by);
    if (acting !== undefined && "code" in acting) return acting;
    const mine = (row: { agent?: string; session?: string }) =>
      row.session === given.session && (given.agent === undefined || row.agent === given.agent);
    const pieces: Piece[] = [];
    const ended = { grants: 0, approvals: 0, executions: 0 };
    for (const grant of inForce.rows.grants) {
      if (grant.state !== "live" || !mine(grant.subject)) continue;
      const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "grants", id: grant.id });
      const step =
        held === undefined ? undefined : endGrant(held, { state: "revoked", by: given.by }, deps.mint, nowMs);
      if (step?.ok === true) {
        pieces.push(step.piece);
        ended.grants += 1;
      }
    }
    for (const asked of (await allOf(deps, "approvals", "pending")).filter((one) => mine(one.row))) {
      const circle = await circleFor(deps, inForce, asked.row);
      const step = cancel(asked, { name: given.by, actor }, circle, deps.mint, nowMs);
      if (step.ok) {
        pieces.push(step.piece);
        ended.approvals += 1;
      }
    }
    for (const held of (await allOf(deps, "executions", "ready")).filter((one) => mine(one.row))) {
      const step = voidIt(held, { why: "its session ended", actor }, deps.mint, nowMs);
      if (step.ok) {
        pieces.push(step.piece);
        ended.executions += 1;
      }
    }
    const { session, agent } = given;
    const subject = { session, ...(agent === undefined ? {} : { agent }) };
    const entry = draft(deps.mint, { kind: "session.ended", actor, subject, body: { ...ended } });
    return { ok: true, pieces: [...pieces, { entries: [entry] }], value: ended };
  });
}

const PAGE = 500;

async function allOf<T extends "approvals" | "executions">(
  deps: Deps,
  table: T,
  state: string,
): Promise<Versioned<T>[]> {
  const found: Versioned<T>[] = [];
  let after: { sortMs: number; id: string } | undefined;
  for (;;) {
    const page = (await deps.store.read({
      ask: "rows",
      workspace: deps.workspace,
      table,
      where: { state },
      limit: PAGE,
      order: "oldest",
      ...(after === undefined ? {} : { after }),
    })) as readonly Versioned<T>[];
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    const sortMs = "openedMs" in last.row ? last.row.openedMs : last.row.runUntilMs;
    after = { sortMs, id: last.row.id };
  }
}
