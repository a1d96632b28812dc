import type { Approval } from "../../core/approval.ts";
import { isGateOnly } from "../../core/box.ts";
import type { Execution, ExecutionIn } from "../../core/execution.ts";
import { maskArgs, maskText } from "../../core/masking/redact.ts";
import { type Language, textOf } from "../../core/messages/text.ts";
import type { Person } from "../../core/people.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import { mayReview } from "../../core/steps/quorum.ts";
import { isObject, type Json, type JsonObject } from "../../core/values/json.ts";
import { visibleLines } from "../../core/values/text.ts";
import type { Deps } from "../../gate/deps.ts";
import { circleFor } from "../../gate/standing/owner.ts";

/** The result of an execution. */
export type CameOfIt = {
  state: Execution["state"];
  /** When it ended, or when its result became unknown. */
  atMs?: number;
  tookMs?: number;
  exitCode?: number;
  /** Why it failed, or why the execution ended. */
  error?: string;
  /** What it printed or returned, masked, and cut if it is long. Only for people who may review the call. */
  output?: string;
};

const OUTPUT_MAX = 8_000;

export async function cameOf(
  deps: Deps,
  row: CallRow,
  { withOutput, language = "en" }: { withOutput: boolean; language?: Language },
): Promise<CameOfIt | undefined> {
  const execution = await executionOf(deps, row);
  if (execution === undefined) return undefined;
  const { state } = execution;
  if (state === "void") return { state, atMs: execution.atMs, error: maskText(textOf(execution.why, language)) };
  if (state === "unknown") return { state, atMs: execution.sinceMs };
  if (state !== "succeeded" && state !== "failed") return { state };
  const { settledMs, startedMs } = execution;
  const left = leftBy(execution, ownKeys(row));
  return {
    state,
    atMs: settledMs,
    ...(startedMs === undefined ? {} : { tookMs: settledMs - startedMs }),
    ...(left.code === undefined ? {} : { exitCode: left.code }),
    ...(state === "failed" ? { error: maskText(execution.error) } : {}),
    ...(withOutput && left.output !== undefined ? { output: left.output } : {}),
  };
}

/** Whether the error says more than the exit code, which people see anyway. */
export function saysMore({ exitCode, error }: CameOfIt): boolean {
  return error !== `it ended with code ${exitCode}`;
}

/** People who may answer a question may see its result. Without a question, the owner and the admins may. */
export async function mayReadOutput(deps: Deps, row: CallRow, person: Person): Promise<boolean> {
  const approval = await approvalOf(deps, row);
  const circle = await circleFor(deps, await deps.standing.current(), approval ?? { agent: row.agent });
  if (approval !== undefined) return mayReview(approval, person.name, circle);
  return person.admin || circle.owner === person.name;
}

export async function approvalOf({ store, workspace }: Deps, row: CallRow): Promise<Approval | undefined> {
  if (row.approvalId === undefined) return undefined;
  return (await store.read({ ask: "row", workspace, table: "approvals", id: row.approvalId }))?.row;
}

/** The execution is named in the call, or in its approved question. */
export async function executionOf(deps: Deps, row: CallRow): Promise<Execution | undefined> {
  const asked = await approvalOf(deps, row);
  const id = row.executionId ?? (asked?.state === "approved" ? asked.executionId : undefined);
  if (id === undefined) return undefined;
  return (await deps.store.read({ ask: "row", workspace: deps.workspace, table: "executions", id }))?.row;
}

/** Keys of a result that are not output: what the box says, and the names of changes. */
function ownKeys({ tool, decision }: CallRow): readonly string[] {
  if (isGateOnly(tool)) return ["undo"];
  return decision.box === undefined ? [] : ["refused", "changed"];
}

function leftBy(
  execution: ExecutionIn<"succeeded" | "failed">,
  without: readonly string[],
): { code?: number; output?: string } {
  if (execution.result === undefined) return {};
  const result: Json = JSON.parse(execution.result.open());
  const exit = isObject(result) ? (result["code"] ?? result["exitCode"]) : undefined;
  const code = typeof exit === "number" ? { code: exit } : {};
  const text = outputText(isObject(result) ? leftOut(result, without) : result);
  return text === "" ? code : { ...code, output: shortened(visibleLines(maskText(text)).join("\n")) };
}

function leftOut(result: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(result).filter(([key]) => !keys.includes(key)));
}

/** What a command printed, or what another tool returned. */
function outputText(result: Json): string {
  if (typeof result === "string") return result.trimEnd();
  if (result === null) return "";
  if (!isObject(result)) return JSON.stringify(result, null, 2);
  const printed = [result["stdout"], result["stderr"]].filter((one) => typeof one === "string");
  if (printed.length > 0) return printed.join("\n").trim();
  const { code: _, exitCode: __, ...rest } = result;
  return Object.keys(rest).length === 0 ? "" : JSON.stringify(maskArgs(rest), null, 2);
}

function shortened(text: string): string {
  const more = text.length - OUTPUT_MAX;
  return more <= 0 ? text : `${text.slice(0, OUTPUT_MAX)}\n… ${more} more characters`;
}
