import type { WorkspaceId } from "../../core/ids.ts";
import type { Person } from "../../core/people.ts";
import type { Sealer, Seals, Store } from "../../ports.ts";

// Who the admins were at the last checkpoint lies beside the checkpoints, sealed: a database that is gone, or that went
// back, cannot say who may say what happened.

type Keeping = { store: Store; seals: Seals; sealer: Sealer; workspace: WorkspaceId };

export async function keepAdmins({ store, seals, sealer, workspace }: Keeping): Promise<void> {
  const standing = await store.read({ ask: "standing", workspace });
  const admins = standing?.people.filter(isAdmin) ?? [];
  const kept = await keptAdmins({ seals, sealer, workspace });
  if (JSON.stringify(kept) === JSON.stringify(admins)) return;
  await seals.keepAdmins(workspace, sealer.seal(JSON.stringify(admins), aboutOf(workspace)));
}

/** Those who have a passphrase: nobody else can prove anything without the database. */
function isAdmin({ state, admin, passphrase }: Person): boolean {
  return state === "active" && admin && passphrase !== undefined;
}

/** The admins as of the last checkpoint. What the key does not open was not written by this gate, and that throws. */
export async function keptAdmins({ seals, sealer, workspace }: Omit<Keeping, "store">): Promise<readonly Person[]> {
  const sealed = await seals.admins(workspace);
  return sealed === undefined ? [] : (JSON.parse(sealer.open(sealed, aboutOf(workspace))) as Person[]);
}

function aboutOf(workspace: WorkspaceId): string {
  return `admins of ${workspace}`;
}
