import type { Piece } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { Actor } from "../../core/ledger.ts";
import { say } from "../../core/messages/message.ts";
import type { Versioned } from "../../core/rows/rows.ts";
import { cancel } from "../../core/steps/closing.ts";
import { draft } from "../../core/steps/draft.ts";
import { voidIt } from "../../core/steps/running.ts";
import { endGrant } from "../../core/steps/standing/granting.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { actingPerson, actStep } from "../people/acting.ts";
import { listEntries } from "../record/ledger.ts";
import { circleFor } from "../standing/owner.ts";

export type EndedSession = { grants: number; approvals: number; executions: number };

/**
 * Whose part of the session ends (all of it if no agent is named), and who ends it: a person, the agent or the program.
 * `isHost`: the agent's host has ended, as it does after each run without a person. Then questions for which nobody waits
 * stay: proposals, and calls that need a person and run when the agent tries again.
 */
type Ending = { session: string; agent?: string; by: string; isProgram?: true; isHost?: true };

/** When a session ends, its grants, open questions and unused permits end too. */
export async function endSession(deps: Deps, given: Ending): Promise<{ ok: true; value: EndedSession } | Refused> {
  const isPerson = given.isProgram !== true && given.agent !== given.by;
  const actor: Actor = isPerson ? `person:${given.by}` : `agent:${given.by}`;
  return actStep(deps, async (nowMs, inForce): Promise<Step<EndedSession>> => {
    const acting = isPerson ? actingPerson(inForce, given.by) : undefined;
    if (acting !== undefined && "code" in acting) return acting;
    const mine = (row: { agent?: string; session?: string }) =>
      row.session === given.session && (given.agent === undefined || row.agent === given.agent);
    const pieces: Piece[] = [];
    const ended = { grants: 0, approvals: 0, executions: 0 };
    for (const grant of inForce.rows.grants) {
      if (!mine(grant.subject)) continue;
      const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "grants", id: grant.id });
      const step =
        held === undefined ? undefined : endGrant(held, { state: "revoked", by: given.by }, deps.mint, nowMs);
      if (step?.ok === true) {
        pieces.push(step.piece);
        ended.grants += 1;
      }
    }
    for (const asked of (await allOf(deps, "approvals", "pending")).filter((one) => mine(one.row))) {
      if (given.isHost === true && (asked.row.tier === "suggest" || asked.row.needsHuman)) continue;
      const circle = await circleFor(deps, inForce, asked.row);
      const step = cancel(asked, { name: given.by, actor }, circle, deps.mint, nowMs);
      if (step.ok) {
        pieces.push(step.piece);
        ended.approvals += 1;
      }
    }
    for (const held of (await allOf(deps, "executions", "ready")).filter((one) => mine(one.row))) {
      if (given.isHost === true && held.row.needsHuman) continue;
      const step = voidIt(held, { why: say("reason.session_ended"), actor }, deps.mint, nowMs);
      if (step.ok) {
        pieces.push(step.piece);
        ended.executions += 1;
      }
    }
    const { session, agent } = given;
    const subject = { session, ...(agent === undefined ? {} : { agent }) };
    if (pieces.length === 0 && !(await wasHeardOf(deps, subject))) {
      const reason =
        agent === undefined ? say("refusal.no_session", { session }) : say("refusal.no_session_of", { session, agent });
      return refused("LEEWAY_NOT_FOUND", reason, say("hint.name_session"));
    }
    const entry = draft(deps.mint, { kind: "session.ended", actor, subject, body: { ...ended } });
    return { ok: true, pieces: [...pieces, { entries: [entry] }], value: ended };
  });
}

/** A session exists if it has calls. A session without grants and open questions can be ended too. */
async function wasHeardOf(deps: Deps, subject: { session: string; agent?: string }): Promise<boolean> {
  return (await listEntries(deps, { subject }, { limit: 1, order: "newest" })).length > 0;
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
