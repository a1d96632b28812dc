import type { CommandInput } from "../spec.ts";
import { namesServer } from "../terminal/io.ts";
import type { CommandGate } from "./command-gate.ts";
import { withDatabase } from "./database.ts";

/** The gate for one command: the server that the environment names, or else the local database. */
export async function withGate<T>(given: CommandInput, act: (gate: CommandGate) => Promise<T>): Promise<T> {
  // Each is loaded only if it is used, and each loads a verb on first use.
  if (namesServer(given.io)) {
    const { serverGate } = await import("./server.ts");
    return act(serverGate(given));
  }
  const { localGate } = await import("./local.ts");
  return withDatabase(given, (deps) => act(localGate(given, deps)));
}
