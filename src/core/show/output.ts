import { isGateOnly } from "../box.ts";
import type { ExecutionIn } from "../execution.ts";
import { maskArgs, maskText } from "../masking/redact.ts";
import type { CallRow } from "../rows/rows.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";
import { visibleLines } from "../values/text.ts";

/** What an execution printed or returned, masked, with nothing invisible; and its exit code, if it had one. */
export function outputOf(
  row: Pick<CallRow, "tool" | "decision">,
  execution: ExecutionIn<"succeeded" | "failed">,
): { code?: number; text: string } {
  if (execution.result === undefined) return { text: "" };
  const result: Json = JSON.parse(execution.result.open());
  const exit = isObject(result) ? (result["code"] ?? result["exitCode"]) : undefined;
  const text = printed(isObject(result) ? leftOut(result, ownKeys(row)) : result);
  const shown = text === "" ? "" : visibleLines(maskText(text)).join("\n");
  return typeof exit === "number" ? { code: exit, text: shown } : { text: shown };
}

/** Keys of a result that are not output: what the box says, and the names of changes. */
function ownKeys({ tool, decision }: Pick<CallRow, "tool" | "decision">): readonly string[] {
  if (isGateOnly(tool)) return ["undo"];
  return decision.box === undefined ? [] : ["refused", "changed"];
}

function leftOut(result: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(result).filter(([key]) => !keys.includes(key)));
}

/** What a command printed, or what another tool returned. */
function printed(result: Json): string {
  if (typeof result === "string") return result.trimEnd();
  if (result === null) return "";
  if (!isObject(result)) return JSON.stringify(result, null, 2);
  const streams = [result["stdout"], result["stderr"]].filter((one) => typeof one === "string");
  if (streams.length > 0) return streams.join("\n").trim();
  const { code: _, exitCode: __, ...rest } = result;
  return Object.keys(rest).length === 0 ? "" : JSON.stringify(maskArgs(rest), null, 2);
}
