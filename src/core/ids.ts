/** Identifiers carry their kind in their text, so that one is never taken for another, by people or by the compiler. */
export type WorkspaceId = string;
export type AgentName = string;
export type PersonName = string;
export type CallId = `call_${string}`;
export type ApprovalId = `apr_${string}`;
export type ExecutionId = `exe_${string}`;
export type AttemptId = `att_${string}`;
export type GrantId = `grt_${string}`;
export type ChangeId = `chg_${string}`;
export type NoticeId = `ntc_${string}`;
export type PauseId = `pau_${string}`;
export type PromotionId = `pro_${string}`;
export type DeclarationId = `dec_${string}`;
export type TokenId = `tok_${string}`;
export type SignInId = `sin_${string}`;

export type IdKind =
  | "call"
  | "apr"
  | "exe"
  | "att"
  | "grt"
  | "chg"
  | "ntc"
  | "pau"
  | "pro"
  | "dec"
  | "tok"
  | "sin"
  | "trace"
  | "ses";

/** New identifiers and salts are handed in, so that a seed can replay everything core does. */
export interface Mint {
  next<K extends IdKind>(kind: K): `${K}_${string}`;
  /** 16 random bytes in hex. */
  salt(): string;
}
