import type { AgentName, PersonName, WorkspaceId } from "./ids.ts";

/** Somebody who can answer. The passphrase is kept as a hash only. */
export type Person = {
  name: PersonName;
  workspace: WorkspaceId;
  admin: boolean;
  /** An auditor reads everything and decides nothing. */
  auditor: boolean;
  groups: readonly string[];
  passphrase?: string;
  addedMs: number;
} & ({ state: "active" } | { state: "removed"; atMs: number });

/** Somebody who asks, known from its first call on. */
export type Agent = { name: AgentName; workspace: WorkspaceId; owner?: PersonName; registeredMs: number };
