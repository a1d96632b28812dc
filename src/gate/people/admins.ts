import type { WorkspaceId } from "../../core/ids.ts";
import type { Person } from "../../core/people.ts";
import type { Sealer, Store } from "../../ports.ts";
import type { Seals } from "../../seals-port.ts";

// The admins at the last checkpoint are stored beside the checkpoints, encrypted, because a database that is gone or went
// back cannot say who may recover it.

type Keeping = { store: Store; seals: Seals; sealer: Sealer; workspace: WorkspaceId };

export async function keepAdmins({ store, seals, sealer, workspace }: Keeping): Promise<void> {
  const standing = await store.read({ ask: "standing", workspace });
  const admins = standing?.people.filter(isAdmin) ?? [];
  const kept = await keptAdmins({ seals, sealer, workspace });
  if (JSON.stringify(kept) === JSON.stringify(admins)) return;
  await seals.keepAdmins(workspace, sealer.seal(JSON.stringify(admins), aboutOf(workspace)));
}

/** Admins with a passphrase; others cannot prove anything without the database. */
function isAdmin({ state, admin, passphrase }: Person): boolean {
  return state === "active" && admin && passphrase !== undefined;
}

/** The admins at the last checkpoint. Throws if the key does not decrypt them, because then this gate did not write them. */
export async function keptAdmins({ seals, sealer, workspace }: Omit<Keeping, "store">): Promise<readonly Person[]> {
  const sealed = await seals.admins(workspace);
  return sealed === undefined ? [] : (JSON.parse(sealer.open(sealed, aboutOf(workspace))) as Person[]);
}

function aboutOf(workspace: WorkspaceId): string {
  return `admins of ${workspace}`;
}
