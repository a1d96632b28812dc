export type WorkspaceId = string;

/** The workspace that every database has. Its admins can begin others. */
export const FIRST_WORKSPACE: WorkspaceId = "default";

/** A name that is safe in an address, a token, a cookie and the name of a folder. */
export function isWorkspaceName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,63}$/i.test(name);
}

/** Ids begin with their kind, so that people and the compiler never mistake one kind for another. */
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

/** New ids and salts are parameters, so that everything in core can be replayed from a seed. */
export interface Mint {
  next<K extends IdKind>(kind: K): `${K}_${string}`;
  /** 16 random bytes in hex. */
  salt(): string;
}
