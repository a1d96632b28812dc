import { readFileSync } from "node:fs";
import type { openDeps } from "../compose.ts";
import { Failure } from "./failure.ts";
import { type Given, text } from "./spec.ts";

export type Opened = Awaited<ReturnType<typeof openDeps>>;

export const POLICY_OPTION = ["--policy <file>", "judge by this file alone, as if it had been accepted"] as const;

/** Opens the gate of whoever runs the command, for one act. */
export async function withGate<T>(given: Given, act: (deps: Opened) => Promise<T>): Promise<T> {
  // Loaded only now: help and completion answer without a database.
  const { openDeps } = await import("../compose.ts");
  const policy = text(given, "policy");
  const deps = await openDeps({
    env: given.io.env,
    cwd: given.io.cwd,
    ...(policy === undefined ? {} : { policy }),
  });
  try {
    return await act(deps);
  } finally {
    await deps.close();
  }
}

export function fileText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): Failure {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT") return new Failure(1, `there is no file ${path}`, "check the path");
  return new Failure(1, `${path} cannot be read: ${code ?? String(error)}`, "check what it is and its permissions");
}
