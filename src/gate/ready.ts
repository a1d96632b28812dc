import type { Deps } from "./deps.ts";

/** Reads what decisions depend on, if it changed. If the gate refuses to decide, this throws the reason. */
export async function ensureReady({ store, workspace, standing }: Deps): Promise<void> {
  const known = standing.known();
  await store.read({ ask: "standing", workspace, ...(known && { knownEpoch: known.rows.epoch }) });
}
