import type { Deps } from "./deps.ts";

/** Reads what decisions rest on, as far as it changed. A gate that refuses to decide throws here, and says why. */
export async function ensureReady({ store, workspace, standing }: Deps): Promise<void> {
  const known = standing.known();
  await store.read({ ask: "standing", workspace, ...(known && { knownEpoch: known.rows.epoch }) });
}
