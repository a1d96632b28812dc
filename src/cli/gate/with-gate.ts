import { namesServer } from "../io.ts";
import type { Given } from "../spec.ts";
import type { CommandGate } from "./command-gate.ts";
import { withDatabase } from "./database.ts";

/** The gate for one command: the server that the environment names, else the local database. */
export async function withGate<T>(given: Given, act: (gate: CommandGate) => Promise<T>): Promise<T> {
  // Each is loaded only where it is used, and each loads a verb only when it is asked for.
  if (namesServer(given.io)) {
    const { serverGate } = await import("./server.ts");
    return act(serverGate(given));
  }
  const { localGate } = await import("./local.ts");
  return withDatabase(given, (deps) => act(localGate(given, deps)));
}
