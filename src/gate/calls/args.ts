import { digestOf, type ToolCall } from "../../core/call.ts";
import { type Message, say } from "../../core/messages/message.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import { ERASED_SECRET } from "../../core/secret.ts";
import { isObject, type JsonObject } from "../../core/values/json.ts";

type OpenedArgs = { ok: true; args: JsonObject; call: ToolCall } | { ok: false; why: Message };

/** The arguments of a stored call. Their digest is compared with the digest of the call. */
export function openArgs(row: CallRow): OpenedArgs {
  if (row.args === ERASED_SECRET) return { ok: false, why: say("reason.arguments_erased") };
  let args: unknown;
  try {
    args = JSON.parse(row.args.open());
  } catch (error) {
    return {
      ok: false,
      why: say("reason.arguments_sealed", { error: error instanceof Error ? error.message : String(error) }),
    };
  }
  if (!isObject(args as JsonObject)) return { ok: false, why: say("reason.arguments_no_object") };
  const call = callOf(row, args as JsonObject);
  if (digestOf(call) !== row.digest) return { ok: false, why: say("reason.digest_mismatch") };
  return { ok: true, args: args as JsonObject, call };
}

/** The call as it was submitted, or with other arguments. */
export function callOf(row: CallRow, args: JsonObject): ToolCall {
  return {
    workspace: row.workspace,
    agent: row.agent,
    tool: row.tool,
    ...(row.definition === undefined ? {} : { definition: row.definition }),
    ...(row.described === undefined ? {} : { described: row.described }),
    args,
    ...(row.cwd === undefined ? {} : { cwd: row.cwd }),
    callId: row.callId,
    ...(row.session === undefined ? {} : { session: row.session }),
    ...(row.run === undefined ? {} : { run: row.run }),
    traceId: row.traceId,
    chain: row.chain,
    claims: row.claims,
    ...(row.replayOf === undefined ? {} : { replayOf: row.replayOf }),
  };
}
