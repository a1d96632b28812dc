import type { ExecutionId, WorkspaceId } from "./core/ids.ts";
import type { SeenEntry } from "./core/record/store-unavailable.ts";
import type { Sealed } from "./core/secret.ts";

/** Signs checkpoints of the ledger with Ed25519. Its key is stored outside the database. */
export interface Signer {
  /** The key's name, as on the signature line. */
  readonly name: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  sign(text: string): Uint8Array;
}

/** Signed checkpoints, stored where somebody who rewrites the database does not rewrite them too. */
export interface Seals {
  readonly signer: Signer;
  keep(workspace: WorkspaceId, size: number, note: string): Promise<void>;
  /** Every stored note of a workspace, with any content. */
  kept(workspace: WorkspaceId): Promise<readonly string[]>;
  /** The one with the largest size, without reading the others. */
  newest(workspace: WorkspaceId): Promise<string | undefined>;
  /** The newest of each other database that was signed with this key: a copy elsewhere is the same ledger. */
  elsewhere(workspace: WorkspaceId): Promise<readonly string[]>;
  /** Starts again with this note; all others are kept in a separate folder with this name. */
  beginAnew(workspace: WorkspaceId, size: number, note: string, name: string): Promise<void>;
  /** The latest time that any process of this database has seen, to the minute; `nowMs` is one more. */
  latestMs(nowMs: number): Promise<number>;
  /** The admins at the last checkpoint, sealed: they can explain what happened when the database is gone. */
  keepAdmins(workspace: WorkspaceId, sealed: Sealed): Promise<void>;
  admins(workspace: WorkspaceId): Promise<Sealed | undefined>;
  /** How often an execution with an approval was claimed: an old row that somebody restored was claimed less often. */
  keepUse(workspace: WorkspaceId, id: ExecutionId, attempts: number): Promise<void>;
  uses(workspace: WorkspaceId, id: ExecutionId): Promise<number>;
  /**
   * An entry that the database has lost. A process noticed it; after its end nobody else would know, if it was not signed. `sinceMs`: when
   * that process last appended something; nothing is stored if a person has begun anew since.
   */
  keepLost(workspace: WorkspaceId, entry: SeenEntry, sinceMs: number): Promise<void>;
  lost(workspace: WorkspaceId): Promise<SeenEntry | undefined>;
}
