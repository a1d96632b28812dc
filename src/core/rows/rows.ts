import type { Approval } from "../approval.ts";
import { isGateOnly } from "../box.ts";
import type { Digest, ToolDescription } from "../call.ts";
import { type ChannelKind, isChannelKind } from "../channel.ts";
import type { Decision, Outcome } from "../decision.ts";
import type { Effect } from "../effect.ts";
import { type Execution, type ExecutionIn, isUnattended, LEASE_MS } from "../execution.ts";
import type { AgentName, ApprovalId, CallId, ExecutionId, PersonName, WorkspaceId } from "../ids.ts";
import { type Notice, TOLD_KINDS } from "../notice.ts";
import type { Agent, Person, SignIn, Token } from "../people.ts";
import type { Secret } from "../secret.ts";
import type { Declaration } from "../standing/declaration.ts";
import type { Grant } from "../standing/grant.ts";
import type { Pause, Promotion } from "../standing/standing.ts";
import type { Hash } from "../values/hash.ts";
import type { JsonObject } from "../values/json.ts";

/** A call as it was submitted and decided. Its arguments are stored here and nowhere else. */
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
  /** The call that this one repeats, according to the caller. */
  replayOf?: string;
  effect: Effect;
  decision: Decision;
  outcome: Outcome;
  approvalId?: ApprovalId;
  executionId?: ExecutionId;
  atMs: number;
};

/** The text of a policy that was in force, kept so that past decisions can be repeated. */
export type PolicyRow = {
  /** The version, or the path of the file if a person accepted it there. */
  id: string;
  workspace: WorkspaceId;
  state: "loaded" | "accepted";
  version: Hash;
  path: string;
  text: string;
  /** The version of its preset that a person accepted with the text; rows from before there were versions do not say, and mean 1. */
  presetVersion?: number;
  by?: PersonName;
  atMs: number;
};

/**
 * The hash over a group of rows that are looked up one by one: live tokens, and loaded policy texts. The mark covers
 * this hash, so one row can be proved by reading its group instead of all rows.
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

/** A row with the version to use in a need. */
export type Versioned<T extends Table> = { row: Rows[T]; version: number };

/** What the store knows about a call that is being submitted, in one snapshot. */
export type Seen = {
  epoch: number;
  /** The agent, if it has made a call before. */
  agent?: Agent;
  call?: Versioned<"calls">;
  /** The approval and execution of that call, if it has them. */
  approval?: Versioned<"approvals">;
  execution?: Versioned<"executions">;
  /** The open question about the same digest. */
  live?: Versioned<"approvals">;
  /** The newest approval of this digest in any state, to count rounds and denials. */
  latest?: Versioned<"approvals">;
  /** Executions of this agent for this digest that a caller may claim, oldest first. */
  permits: readonly Versioned<"executions">[];
  /** Run by the gate for an earlier submission of this digest; its result was not returned yet. */
  undelivered?: Versioned<"executions">;
  /** Approved, and waiting for this agent to retry: oldest first, at most 20. */
  approvedOfAgent: readonly ApprovalId[];
  counters: readonly number[];
  /**
   * Nothing was read, because this agent had nothing waiting last time; the Change must prove that this is still so.
   */
  remembered?: true;
};

/** The maximum number of newly approved calls that a receipt lists. */
export const APPROVED_OF_AGENT_MAX = 20;

/** `deliveries`: notices that only a process which can reach the channels takes. */
export type Queue = "notices" | "deliveries" | "timers" | "executions";

/** Notices to one channel outside that wait, or that were given up. */
export type OutsideList = `${"waiting" | "dead"} ${ChannelKind}`;

/**
 * The fields by which a store may look up rows, taken from the row by `factsOf`. The store does not read anything
 * else in a row.
 */
export type Facts = {
  /** Unique among live rows of the table. */
  key?: string;
  /**
   * For executions: whether an agent may still collect it by digest (the permission itself, or its result). For
   * notices of the inbox: unread or read; for notices to a channel outside, its list of what waits or was given up. For
   * open questions: that somebody put it aside for themself. For rows that are proved by their bucket: the id of the
   * bucket.
   */
  collect?: "permit" | "result" | "news" | "told" | "snoozed" | OutsideList | BucketId;
  state?: string;
  agent?: string;
  digest?: string;
  /** For notices: what a message in a channel shows, if it can be changed. */
  call?: string;
  /** For paging, newest or oldest first. */
  sortMs: number;
  /** The latest time for an answer. Only open questions have it. */
  dueMs?: number;
  /** When the row must be checked again, and by which queue. */
  alarm?: { queue: Queue; atMs: number };
};

/**
 * Tables that `decide` depends on: a Change to one of them increases the epoch. Their rows in force are kept in
 * memory.
 */
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
 * The states in which a row is in force; if none is listed, every row is. A removed person still counts, so that what
 * was given to them is not mistaken for something of an unknown name.
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

/** Tables whose rows are looked up one by one and proved by their bucket. */
export const BUCKETED_TABLES = ["tokens", "policies"] as const;
export type BucketedTable = (typeof BUCKETED_TABLES)[number];
export type BucketId = `${BucketedTable}/${string}`;

/** Tokens of one holder share a bucket, so that they are proved together. */
export function tokenBucket(holder: { agent: AgentName } | { person: PersonName }): BucketId {
  return bucketFor("tokens", "agent" in holder ? holder.agent : holder.person);
}

/** By the last two letters: many buckets of about the same size, which SQL can compute too. */
function bucketFor(table: BucketedTable, name: string): BucketId {
  return `${table}/${[...name].slice(-2).join("")}`;
}

/** The bucket that proves this row, if there is one. */
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
          ...(row.snoozed === undefined || row.snoozed.length === 0 ? {} : { collect: "snoozed" }),
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
    ...(row.state === "waiting" ? { alarm: { queue: noticeQueue(row), atMs: row.dueMs } } : {}),
    ...(row.state === "delivered" && row.sent?.message !== undefined ? { call: row.ref } : {}),
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

/** Open approvals are unique per agent and digest: the same call, sent again, finds the same question. */
export function liveKey(agent: AgentName, digest: Digest): string {
  return `${agent}\n${digest}`;
}

function wakeMs(approval: Extract<Approval, { state: "pending" }>): number {
  const steps = [approval.escalate, approval.remind].flatMap((step) => (step === undefined || step.done ? [] : [step]));
  const snoozes = approval.snoozed ?? [];
  return Math.min(approval.answerByMs, ...steps.map((step) => step.atMs), ...snoozes.map(({ untilMs }) => untilMs));
}

function executionAlarm(row: Execution): Pick<Facts, "alarm"> {
  switch (row.state) {
    case "ready":
      return row.runBy === "leeway"
        ? { alarm: { queue: "executions", atMs: row.readyMs + headStartMs(row) } }
        : { alarm: { queue: "timers", atMs: row.runUntilMs } };
    case "claimed":
      return { alarm: { queue: "timers", atMs: lapseAlarmMs(row) } };
    default:
      return {};
  }
}

/**
 * What a rehearsed command changed is applied, and undone, by the process that asked about it, under the policy of its project. A server,
 * perhaps of another project, does it only if that process has ended.
 */
function headStartMs({ tool, approval }: Execution): number {
  return isGateOnly(tool) && approval === undefined ? LEASE_MS : 0;
}

const MINUTE_MS = 60_000;

/** Calls that nobody has to check and that lapse in the same minute are recorded together. */
export function lapseAlarmMs(row: ExecutionIn<"claimed">): number {
  return isUnattended(row) ? Math.ceil(row.leaseUntilMs / MINUTE_MS) * MINUTE_MS : row.leaseUntilMs;
}

/** What the same call would find when it is submitted again: the permission, or the result if Leeway ran it. */
function executionCollect(row: Execution): Pick<Facts, "collect"> {
  if (row.state === "ready" && row.runBy === "caller") return { collect: "permit" };
  if ((row.state === "succeeded" || row.state === "failed") && !row.delivered) return { collect: "result" };
  return {};
}

function noticeQueue({ channel }: Notice): Queue {
  return isChannelKind(channel) ? "deliveries" : "notices";
}

/**
 * Most notices in the inbox are about questions, and those stay unread in this list forever, so they are not indexed.
 */
function noticeCollect({ channel, kind, readMs, state }: Notice): Pick<Facts, "collect"> {
  if (isChannelKind(channel) && state !== "delivered") return { collect: `${state} ${channel}` };
  if (channel !== "inbox" || !TOLD_KINDS.includes(kind)) return {};
  return { collect: readMs === undefined ? "news" : "told" };
}
