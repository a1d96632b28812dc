import { APPLY_TOOL, type Box, type WallRefusal } from "../../core/box.ts";
import { callKeyOf } from "../../core/call.ts";
import type { Execution } from "../../core/execution.ts";
import type { CallId } from "../../core/ids.ts";
import type { Entry } from "../../core/ledger.ts";
import { maskText } from "../../core/masking/redact.ts";
import type { Language } from "../../core/messages/text.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import { sayIn } from "../../core/say/languages.ts";
import type { ChangesState } from "../../core/say/say.ts";
import { shortPath } from "../../core/show/sentence.ts";
import { applyCallId } from "../../core/steps/applying.ts";
import { isObject, type Json } from "../../core/values/json.ts";
import { visible } from "../../core/values/text.ts";
import { openArgs } from "../../gate/calls/args.ts";
import { callWithKey, executionAt } from "../../gate/calls/call-at.ts";
import type { Deps } from "../../gate/deps.ts";
import { listEntries } from "../../gate/record/ledger.ts";
import { approvalOf, executionOf } from "./outcome.ts";

/** The box of a call: its walls in words, what they refused, and what became of the changes. */
export type BoxSeen = Pick<Box, "because" | "rehearsed"> & {
  /** `bound`: it did not run, and may run only in this box. */
  is: "ran" | "bound";
  walls: readonly string[];
  refused: readonly string[];
};

/** What became of the files that a command changed. */
export type ChangesSeen = {
  /** The call that applies them. */
  call: CallId;
  files: number;
  state: ChangesState;
  said: string;
  /** The command that puts them back, while that is possible. */
  undo?: string;
};

export type Boxed = { boxed?: BoxSeen; changes?: ChangesSeen };

/** What people see of the box of a call, and of the changes that it made or applies. */
export async function boxedOf(deps: Deps, row: CallRow, language: Language = "en"): Promise<Boxed> {
  const { box } = row.decision;
  const applying = row.tool === APPLY_TOOL ? row : box?.rehearsed === true ? await applyingCall(deps, row) : undefined;
  const changes = applying === undefined ? undefined : await changesSeen(deps, applying, language);
  if (box === undefined) return changes === undefined ? {} : { changes };
  const boxed = boxSeen(deps, box, await executionOf(deps, row), language);
  return changes === undefined ? { boxed } : { boxed, changes };
}

function boxSeen(deps: Deps, box: Box, execution: Execution | undefined, language: Language): BoxSeen {
  const say = sayIn(language);
  const { project } = deps.policies.current();
  const named = (path: string) => (path === project ? say.projectFolder : visible(shortPath(path, project)));
  const hasRun = execution !== undefined && execution.state !== "ready" && execution.state !== "void";
  return {
    is: hasRun ? "ran" : "bound",
    because: box.because,
    rehearsed: box.rehearsed,
    walls: say.box.walls(box.walls, named),
    refused: refusalsIn(execution).map((one) => visible(maskText(say.box.refused(one)))),
  };
}

/** What happened to the newest calls. */
export type RecentCalls = {
  /** How many of the newest calls were looked at: at most 1,000, and those that apply what a command changed do not count. */
  calls: number;
  /** People were asked about them. */
  asked: number;
  /** They ran in a box, or may run only in one. */
  boxed: number;
  /** Calls in a box that tried something which the walls refused. */
  refused: number;
};

/** The record keeps no such counts, so the newest calls are counted. */
const RECENT_MAX = 1_000;

export async function recentCalls(deps: Deps): Promise<RecentCalls> {
  const page = { limit: RECENT_MAX, order: "newest" } as const;
  const entries = await listEntries(deps, { kinds: ["call.decided"] }, page);
  // A command and what it changed are one call for people.
  const commands = entries.filter(({ subject }) => subject.tool !== APPLY_TOOL);
  const boxed = commands.filter(isBoxed);
  let refused = 0;
  for (const { subject } of boxed) {
    const id = subject.execution;
    const execution = id === undefined ? undefined : await executionAt(deps, id);
    if (refusalsIn(execution?.row).length > 0) refused++;
  }
  return {
    calls: commands.length,
    asked: entries.filter(({ subject }) => subject.outcome === "pending").length,
    boxed: boxed.length,
    refused,
  };
}

/** Whether the entry decided that the call runs in a box. */
export function isBoxed({ body }: Pick<Entry, "body">): boolean {
  const decision = body?.json["decision"];
  return decision !== undefined && isObject(decision) && decision["box"] !== undefined;
}

/**
 * Whether the entry only says that what a command changed was applied: for people this is part of the command, which has entries
 * of its own. If people were asked about the changes, or if they could not be applied, it is something new.
 */
export function isAppliedQuietly({ kind, subject }: Pick<Entry, "kind" | "subject">): boolean {
  if (subject.tool !== APPLY_TOOL || subject.approval !== undefined) return false;
  return kind === "call.decided" ? subject.outcome === "run" : QUIET_KINDS.has(kind);
}

const QUIET_KINDS: ReadonlySet<string> = new Set(["execution.claimed", "execution.succeeded"]);

/** What the recorded result says that the walls refused. */
function refusalsIn(execution: Execution | undefined): readonly WallRefusal[] {
  if (execution?.state !== "succeeded" && execution?.state !== "failed") return [];
  if (execution.result === undefined) return [];
  const result: Json = JSON.parse(execution.result.open());
  const refused = isObject(result) ? result["refused"] : undefined;
  return Array.isArray(refused) ? (refused.filter(isRefusal) as unknown as readonly WallRefusal[]) : [];
}

/** The result comes from whoever ran the command, so it can be anything. */
function isRefusal(one: Json): boolean {
  if (one === null || !isObject(one)) return false;
  const { of, domain, path, why, limit, max } = one;
  if (of === "network") return typeof domain === "string";
  if (of === "limit")
    return (
      typeof max === "number" && typeof limit === "string" && ["memory", "processes", "time", "held"].includes(limit)
    );
  return (
    typeof path === "string" &&
    (of === "write" || of === "hidden" || of === "uncovered" || (of === "change" && typeof why === "string"))
  );
}

/** The call that applies what this call changed. */
export async function applyingCall(deps: Deps, row: CallRow): Promise<CallRow | undefined> {
  const found = await callWithKey(deps, callKeyOf({ ...row, callId: applyCallId(row.callId) }));
  return found?.tool === APPLY_TOOL ? found : undefined;
}

async function changesSeen(deps: Deps, row: CallRow, language: Language): Promise<ChangesSeen | undefined> {
  const opened = openArgs(row);
  if (!opened.ok) return undefined;
  const { changes: count, rehearsal } = opened.args;
  const files = typeof count === "number" ? count : 0;
  const state = await stateOf(deps, row);
  // If the process that applied them was killed, another one may have completed it.
  const kept = await deps.rehearsals?.applied(String(rehearsal));
  const now = kept === undefined ? state : kept === "undone" ? "undone" : "applied";
  return {
    call: row.id,
    files,
    state: now,
    said: sayIn(language).box.changes(now, files),
    ...(kept === undefined || kept === "undone" ? {} : { undo: `leeway undo ${row.id}` }),
  };
}

async function stateOf(deps: Deps, row: CallRow): Promise<ChangesState> {
  const execution = await executionOf(deps, row);
  if (execution?.state === "succeeded") return "applied";
  if (execution?.state === "ready" || execution?.state === "claimed") return "waiting";
  if (execution?.state === "unknown") return "unknown";
  const asked = execution === undefined ? await approvalOf(deps, row) : undefined;
  return asked?.state === "pending" ? "asked" : "dropped";
}
