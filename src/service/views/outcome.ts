import type { Approval } from "../../core/approval.ts";
import type { Execution } from "../../core/execution.ts";
import { maskText } from "../../core/masking/redact.ts";
import { type Language, textOf } from "../../core/messages/text.ts";
import type { Person } from "../../core/people.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import { outputOf } from "../../core/show/output.ts";
import { mayReview } from "../../core/steps/quorum.ts";
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
  const left = outputOf(row, execution);
  return {
    state,
    atMs: settledMs,
    ...(startedMs === undefined ? {} : { tookMs: settledMs - startedMs }),
    ...(left.code === undefined ? {} : { exitCode: left.code }),
    ...(state === "failed" ? { error: maskText(execution.error) } : {}),
    ...(withOutput && left.text !== "" ? { output: shortened(left.text) } : {}),
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

const OUTPUT_MAX = 8_000;

function shortened(text: string): string {
  const more = text.length - OUTPUT_MAX;
  return more <= 0 ? text : `${text.slice(0, OUTPUT_MAX)}\n… ${more} more characters`;
}
