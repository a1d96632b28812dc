import type { Rehearsals, Stillness } from "../box-port.ts";
import type { ToolCall } from "../core/call.ts";
import type { Effect } from "../core/effect.ts";
import type { Mint, WorkspaceId } from "../core/ids.ts";
import type { Message } from "../core/messages/message.ts";
import type { ToolDeclaration } from "../core/policy.ts";
import type { GrantCover } from "../core/standing/grant.ts";
import type { ServerLogins } from "../core/standing/server-login.ts";
import type { Metrics, Observers } from "../observer-port.ts";
import type { Channel, Clock, PathFactsSource, PolicyFiles, Runner, Sealer, Store } from "../ports.ts";
import type { Seals } from "../seals-port.ts";
import type { Remembered } from "./calls/own-calls.ts";
import type { StandingView } from "./standing/standing.ts";

/** A policy callback of the program. Its answer is an input of `decide` and is recorded in the entry. */
export type NamedCallback = {
  name: string;
  /** If false, no person is asked: every question counts as declined at once. */
  supportsInteraction: boolean;
  /** Undefined if it has no opinion. */
  decide(call: ToolCall, effect: Effect): Promise<CallbackReply | undefined> | CallbackReply | undefined;
};

export type CallbackReply =
  | { answer: "allow"; grant?: CallbackGrant }
  | { answer: "deny"; reason?: Message | string }
  | { answer: "ask" };

/** A grant that a callback gives together with an approval: to this agent, or with `session` only to its current session. */
export type CallbackGrant = {
  covers: GrantCover;
  because: string;
  session?: true;
  untilMs?: number;
  uses?: number;
};

/** Everything that the verbs need. */
export type Deps = {
  workspace: WorkspaceId;
  store: Store;
  clock: GateClock;
  mint: Mint;
  sealer: Sealer;
  policies: PolicyFiles;
  paths: PathFactsSource;
  /** The runners that can run a call for the gate, by tool name. */
  runners: Map<string, Runner>;
  /** What the program declared about its own tools, by tool name. */
  declared: Map<string, ToolDeclaration>;
  /** Channels that the program gave to the gate, by name. Those of the policy are made by whoever sends (`Sending`). */
  channels: ReadonlyMap<string, Channel>;
  callback?: NamedCallback;
  /** The name of this process in claims. */
  owner: string;
  standing: StandingView;
  remembered: Remembered;
  /** Are told what this process does. */
  observers?: Observers;
  /** The metrics of this process, if it keeps any. */
  metrics?: Metrics;
  /** The changes of rehearsed commands, if this process can read the state folder that they are in. */
  rehearsals?: Rehearsals;
  /** Boxes of this machine that change files where they are, if this process passes on calls that open files. */
  stillness?: Stillness;
  /** Logins at MCP servers, if this process has a state folder. */
  logins?: ServerLogins;
  /** Where checkpoints of the ledger are signed and stored; without it, a ledger can only be compared with itself. */
  seals?: Seals;
};

/** The gate's clock. */
export type GateClock = Clock & {
  /** The time of the machine's clock. */
  wallMs(): number;
  /** How far the gate's time is ahead of the machine's clock, if it is more than an ordinary correction. */
  aheadMs(): number;
  /** Whether the ledger must be read: it was not read recently, or the clock went back since. */
  isDue(): boolean;
  learn(ledger: { headMs: number; aheadMs: number }): void;
  /** The difference between the current value of `aheadMs` and the recorded one. */
  unrecordedMs(): number;
  /** Looks at the ledger, or waits for whoever looks already. */
  together(look: () => Promise<void>): Promise<void>;
};
