import { namesServer } from "../io.ts";
import type { Given } from "../spec.ts";
import type { CommandGate } from "./command-gate.ts";
import { withDatabase } from "./database.ts";

/** The gate that the environment means, for one act: the server that it names, else the database of this machine. */
export async function withGate<T>(given: Given, act: (gate: CommandGate) => Promise<T>): Promise<T> {
  // Each is loaded only where it is used, and each loads a verb only when it is asked for.
  if (namesServer(given.io)) {
    const { serverGate } = await import("./server.ts");
    return act(serverGate(given));
  }
  const { localGate } = await import("./local.ts");
  return withDatabase(given, (deps) => act(localGate(given, deps)));
}
