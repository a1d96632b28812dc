import type { ToolCall } from "../core/call.ts";
import type { Effect } from "../core/effect.ts";
import type { GrantCover } from "../core/grant.ts";
import type { Mint, WorkspaceId } from "../core/ids.ts";
import type { ToolDeclaration } from "../core/policy.ts";
import type { Channel, PathFactsSource, PolicyFiles, Runner, Sealer, Seals, Store } from "../ports.ts";
import type { Remembered } from "./remembered.ts";
import type { StandingView } from "./standing.ts";
import type { GateClock } from "./time.ts";

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
  | { answer: "deny"; reason?: string }
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
