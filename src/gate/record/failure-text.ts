import { redactText, redactTextOf } from "../../core/masking/redact.ts";
import { openArgs } from "../calls/args.ts";
import type { Deps } from "../deps.ts";

const ERROR_LENGTH_MAX = 2_000;

/** What a tool says about its failure, as it is recorded. A tool may repeat a password that it was given. */
export async function failureText(deps: Deps, call: string, said: string): Promise<string> {
  const found = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id: call });
  const opened = found === undefined ? undefined : openArgs(found.row);
  // A secret at the end must not be cut in two before it is found.
  const text = said.slice(0, 2 * ERROR_LENGTH_MAX);
  const masked = opened?.ok === true ? redactTextOf(opened.args, text) : redactText(text);
  return masked.slice(0, ERROR_LENGTH_MAX);
}
