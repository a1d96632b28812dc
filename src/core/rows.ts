import type { Approval } from "./approval.ts";
import type { Digest, ToolDescription } from "./call.ts";
import type { Decision, Outcome } from "./decision.ts";
import type { Declaration } from "./declaration.ts";
import type { Effect } from "./effect.ts";
import { type Execution, type ExecutionIn, isUnattended } from "./execution.ts";
import type { Grant } from "./grant.ts";
import type { AgentName, ApprovalId, CallId, ExecutionId, PersonName, WorkspaceId } from "./ids.ts";
import { type Notice, TOLD_KINDS } from "./notice.ts";
import type { Agent, Person, SignIn, Token } from "./people.ts";
import type { Secret } from "./secret.ts";
import type { Pause, Promotion } from "./standing.ts";
import type { Hash } from "./values/hash.ts";
import type { JsonObject } from "./values/json.ts";

/** A call as it was submitted and decided. Its arguments are kept here, and nowhere else. */
export type CallRow = {
  id: CallId;
  workspace: WorkspaceId;
  key: string;
  agent: AgentName;
  session?: string;
  run?: string;
  callId: string;
  tool: string;
  definition?: Hash;
  described?: ToolDescription;
  digest: Digest;
  cwd?: string;
  args: Secret;
  traceId: string;
  chain: readonly AgentName[];
  claims: JsonObject;
  /** What the caller says this call repeats. */
  replayOf?: string;
  effect: Effect;
  decision: Decision;
  outcome: Outcome;
  approvalId?: ApprovalId;
  executionId?: ExecutionId;
  atMs: number;
};

/** A policy's text as it was in force, kept so that any past decision can be decided again. */
export type PolicyRow = {
  /** The version, or the file's path for the one a person accepted there. */
  id: string;
  workspace: WorkspaceId;
  state: "loaded" | "accepted";
  version: Hash;
  path: string;
  text: string;
  by?: PersonName;
  atMs: number;
};

/**
 * The hash over a group of rows that are looked up one by one: live tokens, and policy texts that were loaded. The mark
 * covers this hash, so that one of those rows is proved by reading its group and not all of them.
 */
export type Bucket = { id: string; workspace: WorkspaceId; hash: Hash };

export type Rows = {
  calls: CallRow;
  approvals: Approval;
  executions: Execution;
  grants: Grant;
  agents: Agent;
  people: Person;
  pauses: Pause;
  promotions: Promotion;
  declarations: Declaration;
  policies: PolicyRow;
  notices: Notice;
  tokens: Token;
  signins: SignIn;
  buckets: Bucket;
};
export type Table = keyof Rows;
export type Ref = { table: Table; id: string };

/** A row as read, with the version to name in a need. */
export type Versioned<T extends Table> = { row: Rows[T]; version: number };

/** What the store knows of a call that is being submitted, in one snapshot. */
export type Seen = {
  epoch: number;
  /** Who asks, where it has asked before. */
  agent?: Agent;
  call?: Versioned<"calls">;
  /** The approval and execution of that call, where it has them. */
  approval?: Versioned<"approvals">;
  execution?: Versioned<"executions">;
  /** The live question about the same digest. */
  live?: Versioned<"approvals">;
  /** The newest approval of this digest, whatever its state, for rounds and denials. */
  latest?: Versioned<"approvals">;
  /** Executions of this agent for this digest that a caller may claim, oldest first. */
  permits: readonly Versioned<"executions">[];
  /** Carried out by the gate for an earlier submission of this digest, its result not yet handed over. */
  undelivered?: Versioned<"executions">;
  /** Approved, and waiting for this agent to come back for it: oldest first, at most 20. */
  approvedOfAgent: readonly ApprovalId[];
  counters: readonly number[];
  /** Nothing was read: this agent had nothing waiting when it was last looked for, and the Change has to prove it. */
  remembered?: true;
};

/** How many approvals a receipt names as approved meanwhile. */
export const APPROVED_OF_AGENT_MAX = 20;

export type Queue = "notices" | "timers" | "executions";

/** What a store may look rows up by, taken from the row by `factsOf`; everything else it keeps unread. */
export type Facts = {
  /** Unique among live rows of the table. */
  key?: string;
  /**
   * Executions that an agent may still collect by digest: the right itself, or the result of its use. Notices of the
   * inbox that tell people something: unread, or read. Rows that are proved by their bucket: the bucket's id.
   */
  collect?: "permit" | "result" | "news" | "told" | BucketId;
  state?: string;
  agent?: string;
  digest?: string;
  call?: string;
  /** For paging, newest or oldest first. */
  sortMs: number;
  /** When people have to have answered at the latest. Only open questions have it. */
  dueMs?: number;
  /** When somebody has to look at the row again, and who. */
  alarm?: { queue: Queue; atMs: number };
};

/** Tables that `decide` depends upon: a Change that touches one turns the epoch. Their rows in force are held in memory. */
export const STANDING_TABLES = [
  "grants",
  "people",
  "pauses",
  "promotions",
  "declarations",
  "policies",
  "buckets",
] as const;
export type StandingTable = (typeof STANDING_TABLES)[number];

/**
 * The states in which a row is in force; where none is named, every row is. A person who was removed still counts: what
 * was given to them must not pass for something of a name that nobody knows.
 */
export const IN_FORCE_STATES: { readonly [T in StandingTable]?: readonly string[] } = {
  grants: ["live"],
  pauses: ["set"],
  promotions: ["promote", "demote"],
  declarations: ["live"],
  policies: ["accepted"],
};

export function isInForce<T extends StandingTable>(table: T, row: Rows[T]): boolean {
  const { state } = factsOf(table, row);
  const states = IN_FORCE_STATES[table];
  return states === undefined || (state !== undefined && states.includes(state));
}

/** Tables with rows that are looked up one by one, each proved by its bucket. */
export const BUCKETED_TABLES = ["tokens", "policies"] as const;
export type BucketedTable = (typeof BUCKETED_TABLES)[number];
export type BucketId = `${BucketedTable}/${string}`;

/** Tokens lie with the others of their holder, so that all of one holder are proved together. */
export function tokenBucket(holder: { agent: AgentName } | { person: PersonName }): BucketId {
  return bucketFor("tokens", "agent" in holder ? holder.agent : holder.person);
}

/** By the last two letters: many buckets, each about equally full, and SQL can tell them as well as this can. */
function bucketFor(table: BucketedTable, name: string): BucketId {
  return `${table}/${[...name].slice(-2).join("")}`;
}

/** The bucket that proves this row, where one does. */
export function bucketOf<T extends BucketedTable>(table: T, row: Rows[T]): BucketId | undefined {
  return factsOf(table, row).collect as BucketId | undefined;
}

export function factsOf<T extends Table>(table: T, row: Rows[T]): Facts {
  return (FACTS[table] as (row: Rows[T]) => Facts)(row);
}

const FACTS: { [T in Table]: (row: Rows[T]) => Facts } = {
  calls: (row) => ({ key: row.key, sortMs: row.atMs }),
  approvals: (row) => ({
    state: row.state,
    agent: row.agent,
    digest: row.digest,
    call: row.call,
    sortMs: row.openedMs,
    ...(row.state === "pending"
      ? {
          key: liveKey(row.agent, row.digest),
          dueMs: row.answerByMs,
          alarm: { queue: "timers", atMs: wakeMs(row) },
        }
      : {}),
  }),
  executions: (row) => ({
    state: row.state,
    agent: row.agent,
    digest: row.digest,
    call: row.call,
    sortMs: row.runUntilMs,
    ...executionAlarm(row),
    ...executionCollect(row),
  }),
  grants: (row) => ({
    state: row.state,
    sortMs: row.createdMs,
    ...(row.subject.agent === undefined ? {} : { agent: row.subject.agent }),
    ...(row.state === "live" && row.untilMs !== undefined ? { alarm: { queue: "timers", atMs: row.untilMs } } : {}),
  }),
  agents: (row) => ({ state: "active", agent: row.name, sortMs: row.registeredMs }),
  people: (row) => ({ state: row.state, sortMs: row.addedMs }),
  pauses: (row) => ({ state: row.state, sortMs: row.setMs }),
  promotions: (row) => ({
    state: row.endedMs === undefined ? row.kind : "ended",
    agent: row.agent,
    sortMs: row.atMs,
  }),
  declarations: (row) => ({
    state: row.state,
    sortMs: row.createdMs,
    ...(row.agent === undefined ? {} : { agent: row.agent }),
  }),
  policies: (row) => ({
    state: row.state,
    sortMs: row.atMs,
    ...(row.state === "loaded" ? { collect: bucketFor("policies", row.id) } : {}),
  }),
  notices: (row) => ({
    state: row.state,
    sortMs: row.createdMs,
    ...(row.state === "waiting" ? { alarm: { queue: "notices", atMs: row.dueMs } } : {}),
    ...noticeCollect(row),
  }),
  tokens: (row) => ({
    state: row.state,
    sortMs: row.createdMs,
    ...("agent" in row.holder ? { agent: row.holder.agent } : {}),
    ...(row.state === "live" ? { collect: tokenBucket(row.holder) } : {}),
  }),
  signins: (row) => ({ state: row.state, sortMs: row.startedMs }),
  buckets: () => ({ sortMs: 0 }),
};

/** Live approvals are unique per agent and digest: the same call, asked again, finds the same question. */
export function liveKey(agent: AgentName, digest: Digest): string {
  return `${agent}\n${digest}`;
}

function wakeMs(approval: Extract<Approval, { state: "pending" }>): number {
  const steps = [approval.escalate, approval.remind].flatMap((step) => (step === undefined || step.done ? [] : [step]));
  return Math.min(approval.answerByMs, ...steps.map((step) => step.atMs));
}

function executionAlarm(row: Execution): Pick<Facts, "alarm"> {
  switch (row.state) {
    case "ready":
      return row.runBy === "leeway"
        ? { alarm: { queue: "executions", atMs: row.readyMs } }
        : { alarm: { queue: "timers", atMs: row.runUntilMs } };
    case "claimed":
      return { alarm: { queue: "timers", atMs: lapseAlarmMs(row) } };
    default:
      return {};
  }
}

const MINUTE_MS = 60_000;

/** Of calls that nobody has to look after, all that lapse in a minute are recorded together when it is over. */
export function lapseAlarmMs(row: ExecutionIn<"claimed">): number {
  return isUnattended(row) ? Math.ceil(row.leaseUntilMs / MINUTE_MS) * MINUTE_MS : row.leaseUntilMs;
}

/** What re-submitting the same call would find: the right itself, or the result of Leeway having used it. */
function executionCollect(row: Execution): Pick<Facts, "collect"> {
  if (row.state === "ready" && row.runBy === "caller") return { collect: "permit" };
  if ((row.state === "succeeded" || row.state === "failed") && !row.delivered) return { collect: "result" };
  return {};
}

/** Of all that the inbox ever said most are questions, and each lies unread in its list of notices for good. */
function noticeCollect({ channel, kind, readMs }: Notice): Pick<Facts, "collect"> {
  if (channel !== "inbox" || !TOLD_KINDS.includes(kind)) return {};
  return { collect: readMs === undefined ? "news" : "told" };
}
