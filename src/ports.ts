import type { Change, Committed } from "./core/change.ts";
import type { PathFacts } from "./core/classify/knowledge.ts";
import type { FileUsed } from "./core/classify/run-files.ts";
import type { SettingsAsked, SettingsFound } from "./core/classify/settings.ts";
import type { Refused } from "./core/codes.ts";
import type { Fact } from "./core/effect.ts";
import type { AgentName, ExecutionId, WorkspaceId } from "./core/ids.ts";
import type { Entry, EntryKind, Head, Link } from "./core/ledger.ts";
import { inTurn } from "./core/messages/message.ts";
import { textOf } from "./core/messages/text.ts";
import type { NoticeText } from "./core/notice.ts";
import type { Fault } from "./core/policy/tree.ts";
import type { Policy } from "./core/policy.ts";
import type { CallRow, Queue, Rows, Seen, StandingTable, Table, Versioned } from "./core/rows.ts";
import type { Sealed } from "./core/secret.ts";
import type { Environment } from "./core/tables/variables.ts";
import type { TrustRecord } from "./core/trust/trust.ts";
import type { Json, JsonObject } from "./core/values/json.ts";

// Every seam of the product in one read.

export interface Clock {
  nowMs(): number;
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Everything under one epoch: small, cached by the gate, read again only when the epoch turned. */
export type StandingRows = { epoch: number; mark: string | null } & { [T in StandingTable]: readonly Rows[T][] };

export type RowFilter = {
  key?: string;
  state?: string;
  agent?: string;
  digest?: string;
  call?: string;
  collect?: string;
  idPrefix?: string;
};

export type EntryFilter = {
  afterIndex?: number;
  beforeIndex?: number;
  kinds?: readonly EntryKind[];
  fromMs?: number;
  toMs?: number;
  actor?: string;
  subject?: Entry["subject"];
};

export type Query =
  | { ask: "row"; workspace: WorkspaceId; table: Table; id: string }
  | {
      ask: "rows";
      workspace: WorkspaceId;
      table: Table;
      where: RowFilter;
      limit: number;
      /** `soonest`: only rows that are due at some time (`dueMs`), the one that is due first on top; `sortMs` is then that time. */
      order: "newest" | "oldest" | "soonest";
      /** Continue after this row of an earlier answer. */
      after?: { sortMs: number; id: string };
    }
  | { ask: "count"; workspace: WorkspaceId; table: Table; where: RowFilter }
  /** `undefined` when the epoch is still the known one. */
  | { ask: "standing"; workspace: WorkspaceId; knownEpoch?: number }
  /** All that a submission needs at once: the call seen before, its permits and question, the counters. */
  | {
      ask: "submission";
      workspace: WorkspaceId;
      callKey: string;
      agent: string;
      digest: string;
      counters: readonly string[];
      nowMs: number;
    }
  | { ask: "counters"; workspace: WorkspaceId; counters: readonly string[]; nowMs: number }
  | { ask: "entries"; workspace: WorkspaceId; where: EntryFilter; limit: number; order: "newest" | "oldest" }
  /** Entries in order with their JSON unparsed (subject and body as canonical text), for verifying a whole chain. */
  | { ask: "links"; workspace: WorkspaceId; afterIndex: number; limit: number }
  /** Ids of rows that lie under other facts than their own: only a hand from outside can do that. */
  | { ask: "displaced"; workspace: WorkspaceId; table: Exclude<Table, "calls" | "notices">; limit: number }
  /** How agents did, per class and tool, in the order in which each first came up: of one agent, or of all. */
  | { ask: "trust"; workspace: WorkspaceId; agent?: AgentName }
  | { ask: "head"; workspace: WorkspaceId };

/** What a query finds. */
export type Found<Q extends Query> = Q extends { ask: "row"; table: infer T extends Table }
  ? Versioned<T> | undefined
  : Q extends { ask: "rows"; table: infer T extends Table }
    ? readonly Versioned<T>[]
    : Q extends { ask: "count" }
      ? number
      : Q extends { ask: "standing" }
        ? StandingRows | undefined
        : Q extends { ask: "submission" }
          ? Seen
          : Q extends { ask: "counters" }
            ? readonly number[]
            : Q extends { ask: "entries" }
              ? readonly Entry[]
              : Q extends { ask: "links" }
                ? readonly Link[]
                : Q extends { ask: "displaced" }
                  ? readonly string[]
                  : Q extends { ask: "trust" }
                    ? readonly TrustRecord[]
                    : Q extends { ask: "head" }
                      ? Head & { epoch: number }
                      : never;

export type Taking = { workspace: WorkspaceId; max: number; leaseMs: number; owner: string; nowMs: number };
export type Taken = { [T in Table]: { table: T; row: Rows[T]; version: number } }[Table];

/** The one error a store throws: nothing was decided about the Change, and sending the same id again is safe. */
export class StoreUnavailable extends Error {
  override name = "StoreUnavailable";
  /** What to tell whoever asked, where that is more than that the store cannot be used. */
  readonly refused?: Refused;
  constructor(why: string | Refused, options?: ErrorOptions) {
    super(typeof why === "string" ? why : textOf(inTurn([why.reason, why.hint]), "en"), options);
    if (typeof why !== "string") this.refused = why;
  }
}

export interface Store {
  /** One snapshot. */
  read<const Q extends Query>(query: Q): Promise<Found<Q>>;
  /** Resolves after the sync. Whole or not at all. */
  commit(change: Change): Promise<Committed>;
  /** Rows of a workspace whose alarm is due, hidden from other takers for `leaseMs`. */
  take(queue: Queue, t: Taking): Promise<readonly Taken[]>;
  /** A hint that something changed: may be lost or doubled. Returns how to stop listening. */
  watch(workspace: WorkspaceId, wake: () => void): () => void;
  close(): Promise<void>;
}

/** Encrypts what is kept at rest. `about` is bound in, so that a sealed text cannot be moved to another row. */
export interface Sealer {
  seal(text: string, about: string): Sealed;
  open(sealed: Sealed, about: string): string;
  /** A keyed hash: whoever has no key cannot make it, nor change what it was made of. */
  mark(text: string): string;
}

/** Signs checkpoints of the ledger with Ed25519. Its key lies outside the database. */
export interface Signer {
  /** The key's name, as it stands on the signature line. */
  readonly name: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  sign(text: string): Uint8Array;
}

/** Signed checkpoints, kept where whoever rewrites the database does not rewrite them too. */
export interface Seals {
  readonly signer: Signer;
  keep(workspace: WorkspaceId, size: number, note: string): Promise<void>;
  /** Every note kept for a workspace, whatever it says. */
  kept(workspace: WorkspaceId): Promise<readonly string[]>;
  /** The one of the largest size, without reading the others. */
  newest(workspace: WorkspaceId): Promise<string | undefined>;
  /** The newest of each other database that was signed with this key: a copy elsewhere is the same ledger. */
  elsewhere(workspace: WorkspaceId): Promise<readonly string[]>;
  /** Begins anew with this note; every other one is kept in a folder beside, under this name. */
  beginAnew(workspace: WorkspaceId, size: number, note: string, name: string): Promise<void>;
  /** The latest time that any process of this database has seen, to the minute; `nowMs` is one more. */
  latestMs(nowMs: number): Promise<number>;
  /** Who were admins at the last checkpoint, sealed: who can say what happened when the database is gone. */
  keepAdmins(workspace: WorkspaceId, sealed: Sealed): Promise<void>;
  admins(workspace: WorkspaceId): Promise<Sealed | undefined>;
  /** How often a right that rests on a person's yes was taken: what somebody puts back in the database was taken less often. */
  keepUse(workspace: WorkspaceId, id: ExecutionId, attempts: number): Promise<void>;
  uses(workspace: WorkspaceId, id: ExecutionId): Promise<number>;
}

export type LoadedPolicy = { ok: true; policy: Policy } | { ok: false; faults: readonly Fault[] };

/** A policy file as found: its text and what it parsed to. */
export type FoundPolicy = { path: string; text: string; loaded: LoadedPolicy };

export type FoundPolicies = {
  /** A file named outright needs no acceptance and is the only one. */
  named: boolean;
  files: readonly FoundPolicy[];
  /** Every path where a file would count, outermost first, whether or not one lies there. */
  places: readonly string[];
  /** The folder that relative paths start from: by what a person named or accepted, never by what merely lies there. */
  project: string;
};

/** A text that a person accepted for a place. */
export type AcceptedText = { path: string; text: string };

export interface PolicyFiles {
  /** What lies there now; the same object until something changed. */
  current(): FoundPolicies;
  /** Parses an accepted text again. */
  parse(text: string, path: string): LoadedPolicy;
  /** Tells what people accepted, for files that count by being accepted: the innermost of them says where the project is. */
  accepted?(texts: readonly AcceptedText[]): void;
}

/** What the door on the agent's machine knows about a path: where it really leads, and what lies there now. */
export interface PathFactsSource {
  about(paths: readonly string[], cwd: string, project?: string): PathFacts;
  /** What the settings start that programs of a call would obey; none for a folder that is not there. */
  settings(asked: readonly SettingsAsked[], project: string): { readonly [key: string]: SettingsFound };
  /**
   * What a call would run or change, in a folder and with these variables instead of the gate's own; "too many" where
   * that takes more looks than are spent on one call.
   */
  files(
    used: readonly FileUsed[],
    how: { cwd: string; env: Environment; project?: string },
  ): readonly Fact[] | "too many";
}

export type RunOutcome =
  | { ok: true; result: Json }
  /**
   * `started: false` promises that nothing happened, so the right goes back; `true`, that it is known to have failed.
   * "unknown": it may have happened, and whoever ran it cannot say. What it left behind is kept all the same.
   */
  | { ok: false; error: string; started: boolean | "unknown"; result?: Json };

export type Running = { call: CallRow; args: JsonObject; idempotencyKey: string; attempt: number; signal: AbortSignal };

/** Something that can carry out a call on the gate's behalf. */
export interface Runner {
  readonly name: string;
  readonly idempotent: boolean;
  /** The shell that it hands texts to, where it runs any. Texts are judged as bash reads them, so there is one. */
  readonly shell?: "bash";
  /** The variables that it starts programs with, where it starts any. */
  readonly env?: Environment;
  run(running: Running): Promise<RunOutcome>;
}

/** A place people are told. It decides nothing. */
export interface Channel {
  readonly name: string;
  deliver(notice: NoticeText): Promise<void>;
}
