import type { Json, JsonObject } from "../core/values/json.ts";
import type { Runner, Running } from "../ports.ts";

/** A function of this program, registered under the name of its tool. */
export function functionRunner(
  name: string,
  fn: (args: JsonObject, running: Running) => Json | Promise<Json>,
  options: { idempotent: boolean } = { idempotent: false },
): Runner {
  return {
    name,
    idempotent: options.idempotent,
    run: async (running) => {
      try {
        return { ok: true, result: await fn(running.args, running) };
      } catch (error) {
        // The function was called, so something may have happened.
        return { ok: false, error: error instanceof Error ? error.message : String(error), started: true };
      }
    },
  };
}
