import type { ApprovalId } from "../../../core/ids.ts";
import type { Agent } from "../../../core/people.ts";
import { APPROVED_OF_AGENT_MAX, type Seen, type Table, type Versioned } from "../../../core/rows/rows.ts";
import type { Query } from "../../../ports.ts";
import type { SqlRow } from "../../sql/columns.ts";
import { versioned } from "../../sql/found.ts";
import { FIRST_EPOCH } from "../../sql/places.ts";
import { standingRow } from "../../sql/unreadable.ts";
import { callAt, type WorkspaceRef } from "../calls.ts";
import { sumOf } from "../counters.ts";
import type { Database } from "../file/driver.ts";
import type { Snapshot } from "../file/snapshot.ts";
import type { Seals } from "../seals.ts";
import { rowOf } from "./row-at.ts";

type Submission = Extract<Query, { ask: "submission" }>;

/** Most calls are new: one statement tells, and only existing rows are read. */
const GLANCE = `
  select h.space, h.epoch,
    (select row from agents where space = h.space and id = ?3) as agent,
    (select place from calls where space = h.space and key = ?2) as call,
    exists (select 1 from approvals where space = h.space and agent = ?3 and digest = ?4) as asked,
    exists (select 1 from executions where space = h.space and agent = ?3 and collect is not null) as collectable
  from chains h where h.workspace = ?1`;

/** Everything that is known about a call being submitted. */
export function seenOf(view: Snapshot, query: Submission, seals: Seals): Seen {
  const glance = glanceAt(view.glance(), query);
  if (isAll(glance) && query.counters.length === 0) return newTo(glance);
  // Several statements are read in one snapshot.
  const db = view.database();
  return readOn(db, glanceAt(db, query), query, seals);
}

function glanceAt(db: Database, query: Submission): SqlRow | undefined {
  return db.prepare(GLANCE).get(query.workspace, query.callKey, query.agent, query.digest);
}

function isAll(glance: SqlRow | undefined): boolean {
  return glance === undefined || (glance["call"] === null && glance["asked"] === 0 && glance["collectable"] === 0);
}

/** A new call of an agent that has nothing waiting. */
function newTo(glance: SqlRow | undefined, counters: readonly number[] = []): Seen {
  return {
    epoch: Number(glance?.["epoch"] ?? FIRST_EPOCH),
    ...agentIn(glance),
    permits: [],
    approvedOfAgent: [],
    counters,
  };
}

function agentIn(glance: SqlRow | undefined): Pick<Seen, "agent"> {
  const row = glance?.["agent"] ?? null;
  return row === null ? {} : { agent: standingRow("agents", String(row)) as Agent };
}

function readOn(db: Database, glance: SqlRow | undefined, query: Submission, seals: Seals): Seen {
  if (glance === undefined)
    return newTo(
      glance,
      query.counters.map(() => 0),
    );
  const space = Number(glance["space"]);
  const of = { space, workspace: query.workspace, seals };
  return {
    ...newTo(
      glance,
      query.counters.map((id) => sumOf(db, space, id, query.nowMs)),
    ),
    ...(glance["call"] === null ? {} : ownOf(db, of, Number(glance["call"]))),
    ...(glance["asked"] === 0 ? {} : questionsOf(db, of, query)),
    ...(glance["collectable"] === 0 ? {} : collectableOf(db, of, query)),
  };
}

/** The call as it was submitted before. It has the id of its execution, or its approval has it after the approval. */
function ownOf(db: Database, of: WorkspaceRef, place: number): Pick<Seen, "call" | "approval" | "execution"> {
  const call = callAt(db, of, place);
  const { approvalId, executionId } = call?.row ?? {};
  const approval = approvalId === undefined ? undefined : rowOf(db, of, "approvals", approvalId);
  const id = executionId ?? (approval?.row.state === "approved" ? approval.row.executionId : undefined);
  const execution = id === undefined ? undefined : rowOf(db, of, "executions", id);
  return {
    ...(call === undefined ? {} : { call }),
    ...(approval === undefined ? {} : { approval }),
    ...(execution === undefined ? {} : { execution }),
  };
}

/** The newest question about this digest, and the oldest one still open. */
function questionsOf(db: Database, of: WorkspaceRef, { agent, digest }: Submission): Pick<Seen, "live" | "latest"> {
  const same = "select row, version from approvals where space = ? and agent = ? and digest = ?";
  const { space } = of;
  const latest = one<"approvals">(
    of,
    db.prepare(`${same} order by sort_ms desc, place desc limit 1`).get(space, agent, digest),
  );
  const live = one<"approvals">(
    of,
    db.prepare(`${same} and state = 'pending' order by sort_ms, place limit 1`).get(space, agent, digest),
  );
  return { ...(latest === undefined ? {} : { latest }), ...(live === undefined ? {} : { live }) };
}

function collectableOf(db: Database, of: WorkspaceRef, { agent, digest, nowMs }: Submission) {
  const { space } = of;
  const found = db
    .prepare(
      "select row, version, collect from executions " +
        "where space = ? and agent = ? and digest = ? and collect is not null order by sort_ms, place",
    )
    .all(space, agent, digest);
  const undelivered = one<"executions">(
    of,
    found.find((row) => row["collect"] === "result"),
  );
  return {
    permits: found.filter((row) => row["collect"] === "permit").map((row) => versioned<"executions">(of, row)),
    ...(undelivered === undefined ? {} : { undelivered }),
    approvedOfAgent: approvedOf(db, space, agent, nowMs),
  };
}

/** Executions are sorted by their expiry. */
function approvedOf(db: Database, space: number, agent: string, nowMs: number): readonly ApprovalId[] {
  return db
    .prepare(
      "select json_extract(row, '$.approval') as approval from executions where space = ? and agent = ? " +
        "and collect = 'permit' and sort_ms > ? and approval is not null order by sort_ms, place limit ?",
    )
    .all(space, agent, nowMs, APPROVED_OF_AGENT_MAX)
    .map((found) => String(found["approval"]) as ApprovalId);
}

function one<T extends Table>(of: WorkspaceRef, found: SqlRow | undefined): Versioned<T> | undefined {
  return found === undefined ? undefined : versioned<T>(of, found);
}
