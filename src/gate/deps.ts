import type { ToolCall } from "../core/call.ts";
import type { Effect } from "../core/effect.ts";
import type { GrantCover } from "../core/grant.ts";
import type { Mint, WorkspaceId } from "../core/ids.ts";
import type { Message } from "../core/messages/message.ts";
import type { ToolDeclaration } from "../core/policy.ts";
import type { Channel, Clock, PathFactsSource, PolicyFiles, Runner, Sealer, Seals, Store } from "../ports.ts";
import type { Remembered } from "./calls/recent-calls.ts";
import type { StandingView } from "./standing/standing.ts";

/** A policy callback of the program: its answer is an input of `decide` and stands in the entry. */
export type NamedCallback = {
  name: string;
  /** False turns questions to the person into "declined to answer" at once. */
  supportsInteraction: boolean;
  /** Nothing where it has no opinion. */
  decide(call: ToolCall, effect: Effect): Promise<CallbackReply | undefined> | CallbackReply | undefined;
};

export type CallbackReply =
  | { answer: "allow"; grant?: CallbackGrant }
  | { answer: "deny"; reason?: Message | string }
  | { answer: "ask" };

/** A grant that a callback gives with its yes: to this agent, or with `session` to this session of it only. */
export type CallbackGrant = {
  covers: GrantCover;
  because: string;
  session?: true;
  untilMs?: number;
  uses?: number;
};

/** All that the verbs need from outside, in one place. */
export type Deps = {
  workspace: WorkspaceId;
  store: Store;
  clock: GateClock;
  mint: Mint;
  sealer: Sealer;
  policies: PolicyFiles;
  paths: PathFactsSource;
  /** By tool name: what can carry a call out on the gate's behalf. */
  runners: Map<string, Runner>;
  /** By tool name: what the program said about its own tools. */
  declared: Map<string, ToolDeclaration>;
  channels: ReadonlyMap<string, Channel>;
  callback?: NamedCallback;
  /** Names this process in claims. */
  owner: string;
  standing: StandingView;
  remembered: Remembered;
  /** Where checkpoints of the ledger are signed and kept; without it a ledger verifies against itself alone. */
  seals?: Seals;
};

/** The clock that the gate goes by. */
export type GateClock = Clock & {
  /** What the machine's own clock says. */
  wallMs(): number;
  /** By how much the gate's time is ahead of it, where that is more than a clock is put right by. */
  aheadMs(): number;
  /** Nobody has looked at the ledger yet, or a while ago, or the clock has gone back since. */
  isDue(): boolean;
  learn(ledger: { headMs: number; aheadMs: number }): void;
  /** By how much what is on record has to change. */
  unrecordedMs(): number;
};
