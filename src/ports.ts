import type { Approval } from "./core/approval.ts";
import type { Digest } from "./core/call.ts";
import type { Change, Committed } from "./core/change.ts";
import type { ChannelSettings, Contact, SecretRef } from "./core/channel.ts";
import type { FileUsed } from "./core/classify/facts.ts";
import type { PathFacts } from "./core/classify/knowledge.ts";
import type { SettingsAsked, SettingsFound } from "./core/classify/settings.ts";
import type { LookForRegistries } from "./core/decide/box/packages.ts";
import type { Fact } from "./core/effect.ts";
import type { AgentName, PersonName, WorkspaceId } from "./core/ids.ts";
import type { Entry, EntryKind, Head, Link } from "./core/ledger.ts";
import type { Language } from "./core/messages/text.ts";
import type { NoticeText } from "./core/notice.ts";
import type { Fault } from "./core/policy/tree.ts";
import type { Policy } from "./core/policy.ts";
import type { CallRow, Queue, Rows, Seen, StandingTable, Table, Versioned } from "./core/rows/rows.ts";
import type { Sealed } from "./core/secret.ts";
import type { Card } from "./core/show/card.ts";
import type { Environment } from "./core/tables/variables.ts";
import type { TrustRecord } from "./core/trust/trust.ts";
import type { Json, JsonObject } from "./core/values/json.ts";

// All interfaces of the product to the outside, in one file.

export interface Clock {
  nowMs(): number;
  /** Resolves after `ms`, or immediately when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Everything under one epoch: small, cached by the gate, and read again only when the epoch changed. */
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
      /** `soonest`: only rows with a due time (`dueMs`), the earliest first; `sortMs` is then that time. */
      order: "newest" | "oldest" | "soonest";
      /** Continue after this row of an earlier page. */
      after?: { sortMs: number; id: string };
    }
  | { ask: "count"; workspace: WorkspaceId; table: Table; where: RowFilter }
  /** `undefined` if the epoch is still the known one. */
  | { ask: "standing"; workspace: WorkspaceId; knownEpoch?: number }
  /** Everything that a submission needs in one read: the call seen before, its permits and question, the counters. */
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
  /** Ids of rows whose columns do not match their content: only an edit from outside can cause this. */
  | { ask: "displaced"; workspace: WorkspaceId; table: Exclude<Table, "calls" | "notices">; limit: number }
  /** The track records per class and tool, in the order of their first call: of one agent, or of all. */
  | { ask: "trust"; workspace: WorkspaceId; agent?: AgentName }
  | { ask: "head"; workspace: WorkspaceId };

/** The result of a query. */
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

export { type SeenEntry, StoreUnavailable } from "./core/record/store-unavailable.ts";

/** `queued`: false if it is certain that the gate has nothing to send or to run because of the change. */
export type StoreNews = { queued: boolean };

export interface Store {
  /** Reads in one snapshot. */
  read<const Q extends Query>(query: Q): Promise<Found<Q>>;
  /** Resolves after the sync. Applies all of it or nothing. */
  commit(change: Change): Promise<Committed>;
  /** Rows of a workspace whose alarm is due, hidden from other takers for `leaseMs`. */
  take(queue: Queue, t: Taking): Promise<readonly Taken[]>;
  /** A hint that something changed: it may be lost, or come twice. Returns a function that ends it. */
  watch(workspace: WorkspaceId, wake: (news: StoreNews) => void): () => void;
  close(): Promise<void>;
  /** Whether this is still the database that was signed. Only the store of an opened gate knows it. */
  admission?: Admission;
}

export type Admission = {
  /** Refuses if it is known that the database went back. Whoever only reads for a long time asks this. */
  check(workspace: WorkspaceId): Promise<void>;
  /** Something looks as if the database went back: it is compared again before its next use. */
  doubt(workspace: WorkspaceId): void;
};

/** Encrypts stored data. `about` is authenticated, so that a sealed text cannot be moved to another row. */
export interface Sealer {
  seal(text: string, about: string): Sealed;
  open(sealed: Sealed, about: string): string;
  /** A keyed hash: without the key nobody can compute it, or change what it covers. */
  mark(text: string): string;
}

export type LoadedPolicy = { ok: true; policy: Policy } | { ok: false; faults: readonly Fault[] };

/** A policy file as it was found: its text and its parsed form. */
export type FoundPolicy = { path: string; text: string; loaded: LoadedPolicy };

export type FoundPolicies = {
  /** A file that is named explicitly needs no acceptance and is the only one. */
  named: boolean;
  /** The organisation's file, which only the administrator of the machine can write. It applies beside all others. */
  managed?: FoundPolicy;
  files: readonly FoundPolicy[];
  /** Every path where a file would apply, outermost first, whether or not one exists. */
  places: readonly string[];
  /** The folder from which relative paths start: decided by what a person named or accepted, never by a file that merely exists. */
  project: string;
};

/** A text that a person accepted for a path. */
export type AcceptedText = { path: string; text: string };

export interface PolicyFiles {
  /** The files that exist now; the same object until something changed. */
  current(): FoundPolicies;
  /** Parses an accepted text again. */
  parse(text: string, path: string): LoadedPolicy;
  /** Says what people accepted, because the innermost accepted file decides which folder is the project. */
  accepted?(texts: readonly AcceptedText[]): void;
}

/** What the door on the agent's machine knows about a path: where it really leads, and what is there now. */
export interface PathFactsSource {
  registries: LookForRegistries;
  /** Those of some paths in folders for temporary files that are somebody's: a home, a repository, made by nobody's session. */
  taken(paths: readonly string[], nowMs: number): readonly string[];
  about(paths: readonly string[], cwd: string, project?: string): PathFacts;
  /** What the settings of the call's programs start; none for a folder that does not exist. */
  settings(asked: readonly SettingsAsked[], project: string): { readonly [key: string]: SettingsFound };
  /**
   * The files that a call would run or change, in a folder and with these variables instead of the gate's own; "too many" if
   * that takes more disk accesses than allowed for one call.
   */
  files(
    used: readonly FileUsed[],
    how: { cwd: string; env: Environment; project?: string },
  ): readonly Fact[] | "too many";
}

export type RunOutcome =
  | { ok: true; result: Json }
  /**
   * `started: false` promises that nothing happened, so the execution is given back; `true`, that it is known to have failed.
   * "unknown": it may have happened, and the runner cannot say. Its output is kept in any case.
   */
  | { ok: false; error: string; started: boolean | "unknown"; result?: Json };

export type Running = { call: CallRow; args: JsonObject; idempotencyKey: string; attempt: number; signal: AbortSignal };

/** Something that can run a call for the gate. */
export interface Runner {
  readonly name: string;
  readonly idempotent: boolean;
  /** The shell to which it gives texts, if it runs any. Texts are judged as bash reads them, so it must be bash. */
  readonly shell?: "bash";
  /** The variables with which it starts programs, if it starts any. */
  readonly env?: Environment;
  /** It runs calls in the box that was decided, and has tried that boxes can be made. */
  readonly boxes?: true;
  run(running: Running): Promise<RunOutcome>;
}

/** What a channel shows of a question. */
export type ShownQuestion = {
  card: Card;
  digest: Digest;
  state: Approval["state"];
  /** How the question ended, or who has answered so far, in one sentence; undefined while nobody has answered. */
  outcome?: string;
  /** Only somebody who has just signed in may approve it, so there is no button for that. */
  needsHuman: boolean;
  answerByMs: number;
};

/** A notice as a channel sends it: in the language of its reader, with links and secrets made for this message. */
export type Outgoing = NoticeText & {
  /**
   * The accounts of a person (several only where a person has several devices), or a chat or endpoint. A channel that a
   * program gave to the gate finds people by `to`.
   */
  address: { to: "person"; contacts: readonly Contact[] } | { to: "place"; place: string };
  language: Language;
  /** The page where a person sees all of it; undefined if there is no server with pages. */
  link?: string;
  question?: ShownQuestion;
  /** Who else may answer the question, by name, for channels that let people hand it over. */
  handTo?: readonly PersonName[];
  /** What the buttons of this message send back: a secret of this message alone. Without it there are no buttons. */
  secret?: string;
  /** The page of this server where the receiver answers, with the secret in its address, for channels that answer by a page. */
  answerAt?: string;
};

/** How to find the message again, and which accounts or devices are no longer there. */
export type Delivered = { message?: string; chat?: string; gone?: readonly string[] };

/** Why a channel could not deliver. Any other error counts as a channel that is down for the moment. */
export class ChannelFailure extends Error {
  override readonly name = "ChannelFailure";
  readonly kind: "busy" | "down" | "gone" | "refused";
  readonly retryAfterMs: number | undefined;
  /** Of several accounts or devices, those that are no longer there. */
  readonly gone: readonly string[];

  /**
   * `busy`: the service asks to wait. `down`: try again later. `gone`: this account or device is no longer there.
   * `refused`: the service will never take this message or these settings.
   */
  constructor(kind: ChannelFailure["kind"], why: string, retryAfterMs?: number, gone: readonly string[] = []) {
    super(why);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
    this.gone = gone;
  }
}

/** A request that a channel's service sent, byte for byte as it came: signatures are made over these bytes. */
export type SignedRequest = {
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array;
  nowMs: number;
};

/** Somebody used a message: whose account, and what proves the message. The channel has verified that it was this account. */
export type UsedMessage = {
  account: string;
  notice: string;
  secret: string;
  /** The message that has the button. */
  message: string;
};

/** Somebody pressed a button. */
export type PressedButton = UsedMessage & { verdict: "approve" | "deny"; note: string };

/** Words to the agent, without an answer. */
export type WrittenReply = UsedMessage & { text: string };

/** Until when the person puts the question aside for themself: `1h`, `17:30`, `tomorrow 9:00`, an ISO time, `now`. */
export type ChosenSnooze = UsedMessage & { until: string };

/** The person who should answer, by their name in Leeway, and a note for them. */
export type ChosenHandover = UsedMessage & { to: string; note: string };

/** What a person is told after they pressed a button or sent a code, and the question as it is now. */
export type ToldBack = { ok: boolean; text: string; language: Language; shown?: Outgoing };

/** What the gate does with what a channel heard. The channel only translates; it decides nothing. */
export type Listener = {
  answer(pressed: PressedButton): Promise<ToldBack>;
  reply(written: WrittenReply): Promise<ToldBack>;
  snooze(chosen: ChosenSnooze): Promise<ToldBack>;
  handover(chosen: ChosenHandover): Promise<ToldBack>;
  /** Who can be asked to answer instead of the person whose account this is; nobody if they may not hand it over. */
  handTo(used: UsedMessage): Promise<ToldBack & { names: readonly PersonName[] }>;
  /** A code that a person was shown on their settings page, sent from the account that is to be theirs. */
  link(sent: Omit<Contact, "linkedMs" | "channel"> & { code: string }): Promise<ToldBack>;
  /** The account wrote something else. The answer says where to answer questions: words never answer one. */
  wrote(account: string): Promise<ToldBack>;
};

/** The answer to the service's request. */
export type HeardReply = { status: number; json?: Json };

/** A place where people get messages and can answer. It decides nothing. */
export interface Channel {
  readonly name: string;
  /**
   * `page`: messages link to a page of this server where their receiver answers, because the service brings no answers
   * back. A channel with `hear` needs no such page.
   */
  readonly answersBy?: "page";
  /** Each receiver uses a service of their own: if one service is down, the others may still work. */
  readonly failsApart?: true;
  /** Throws a `ChannelFailure` if it cannot. */
  deliver(outgoing: Outgoing): Promise<Delivered> | Promise<void>;
  /** Changes a message that was sent, so that it shows the question as it is now. */
  update?(at: Delivered, outgoing: Outgoing): Promise<void>;
  /** Verifies a request of the service and passes its content to the listener. */
  hear?(request: SignedRequest, listener: Listener): Promise<HeardReply>;
  /**
   * Hears the service by a connection of its own until it is stopped. `stands` is told each time it opened, and each time it
   * could not, with the reason; the channel then tries again.
   */
  listen?(listener: Listener, stands: (failure: string | undefined) => void): () => Promise<void>;
  /** Tries the settings without telling anybody; throws what is wrong. */
  try?(): Promise<void>;
  /** The key that a browser has to be given before it takes messages of this server. */
  publicKey?(): Promise<string>;
  close?(): Promise<void>;
}

/**
 * For settings that no policy has yet: what a server at their address says is not repeated, and `nearby` says whether
 * the address may be in the network of this machine.
 */
export type TrialLimits = { nearby: boolean };

/** Makes channels from their settings, in a process that may send. */
export interface ChannelMaker {
  /** The same channel for the same settings. */
  open(settings: ChannelSettings): Promise<Channel>;
  /** A separate channel, to test settings that no policy has yet. The caller must close it. */
  trial(settings: ChannelSettings, limits: TrialLimits): Promise<Channel>;
  /** Whether this process can read the secret. The secret itself is not returned. */
  hasSecret(ref: SecretRef): boolean;
  close(): Promise<void>;
}
