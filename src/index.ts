export {
  commandRunner,
  functionRunner,
  type GateOpening,
  type HttpOptions,
  httpRunner,
  type LocalGate,
  type OpenOptions,
  openGate,
  type ServerGateOpening,
  type WebhookOptions,
  webhookCallback,
} from "./compose.ts";
export type { Approval, Handover, Reply, Review, Snooze } from "./core/approval.ts";
export type { WallRefusal } from "./core/box.ts";
export { definitionHash, type ToolDefinition } from "./core/classify/definition.ts";
export { CODES, type Code } from "./core/codes.ts";
export { type HookAction, type ResolvedPreset, resolvePreset } from "./core/decide/resolve-preset.ts";
export { EFFECT_CLASSES, type EffectClass, type Part, type Target, type ToldEffect as Effect } from "./core/effect.ts";
export type { Execution } from "./core/execution.ts";
export type { Entry, Head } from "./core/ledger.ts";
export type { NoticeText as Notice } from "./core/notice.ts";
export type { Agent, Person } from "./core/people.ts";
export type { PresetName } from "./core/policy.ts";
export type { Receipt } from "./core/receipt.ts";
export type { VerifiedText as Verified } from "./core/record/verify.ts";
export { type Declaration, type DeclarationSubject, TOOL_KINDS, type ToolKind } from "./core/standing/declaration.ts";
export type { Grant, GrantCover, GrantPattern, GrantSubject } from "./core/standing/grant.ts";
export type { PauseScope, PauseText as Pause, Promotion } from "./core/standing/standing.ts";
export { TIERS, type Tier } from "./core/tier.ts";
export type { Json, JsonObject } from "./core/values/json.ts";
export type { EndedSession } from "./gate/calls/sessions.ts";
export type { CallbackGrant, CallbackReply } from "./gate/deps.ts";
export type { NewPerson } from "./gate/people/people.ts";
export type { TrustText as TrustView } from "./gate/record/trust.ts";
export type { Move } from "./gate/standing/agents.ts";
export type { HeldGrant, NewGrant, Suggested } from "./gate/standing/grants.ts";
export type { LayerInForce, PolicyInForce } from "./gate/standing/policy.ts";
export {
  autoApprove,
  type CallbackQuestion,
  denyAll,
  interactive,
  type PersonAnswer,
  type PolicyCallback,
} from "./library/callbacks.ts";
export { createGate, type GateOptions } from "./library/create-gate.ts";
export type {
  CallDetails,
  CallName,
  Carrying,
  Checked,
  Current,
  Gate,
  Guarded,
  GuardOptions,
  RunOptions,
  ToolFunction,
} from "./library/gate.ts";
export type { MatchInput, PolicyLayer } from "./library/layer.ts";
export { isNotExecuted, type NotExecuted } from "./library/not-executed.ts";
export type { Channel, Clock, Runner, Running, RunOutcome } from "./ports.ts";
export type { ApprovalFilter, ApprovalView } from "./service/approvals.ts";
export type { ClaimedCall } from "./service/claimed.ts";
export type { PersonView } from "./service/people.ts";
export type { PlannedCall, PlanReceipt } from "./service/plans.ts";
export type { PolicyHere, ScopeLayer } from "./service/records.ts";
export { LeewayRefusal } from "./service/refusal.ts";
export type { CallInput, Identity } from "./service/shapes/call.ts";
export type { DeclarationInput } from "./service/shapes/declaration.ts";
export type { PlanCallInput, PlanInput } from "./service/shapes/plan.ts";
export type { RememberInput, ReviewInput } from "./service/shapes/review.ts";
export type { ReleaseInput, SettleInput } from "./service/shapes/running.ts";
