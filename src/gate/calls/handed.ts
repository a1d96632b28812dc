import { callKeyOf, digestOf, type ToolCall } from "../../core/call.ts";
import type { Refused } from "../../core/codes.ts";
import { attemptOf, type Execution } from "../../core/execution.ts";
import type { Json } from "../../core/values/json.ts";
import type { Deps } from "../deps.ts";
import { listEntries } from "../record/ledger.ts";
import { callWithKey, executionAt } from "./call-at.ts";
import { settle } from "./claim.ts";
import { reportDelegated } from "./delegated.ts";

// Calls that were handed to a host, which runs them. Its report about the end names no execution, so the execution is found
// by the call.

/** How a call ended, as its host tells. */
export type HostEnding = { ok: true; result: Json } | { ok: false; error: string };

/** A call as its host describes it later. `hasId`: the id is the host's own. Some hosts give calls no id. */
export type ToldCall = { call: ToolCall; hasId: boolean };

/** The settled execution; none if the host asked its own user. */
type Settled = { ok: true; value: Execution | undefined } | Refused;

/** Whether the host was told to run exactly this call, and has not said yet how it ended. */
export async function isHanded(deps: Deps, call: ToolCall): Promise<boolean> {
  return (await handedAlike(deps, call)) !== undefined;
}

/** Records how a call ended that a host was told to run, or that was left to the host's own user. */
export async function settleHanded(deps: Deps, told: ToldCall, ending: HostEnding): Promise<Settled> {
  const { call, hasId } = told;
  const execution = await handedTo(deps, told);
  if (execution !== undefined)
    return settle(deps, execution.id, { attempt: attemptOf(execution), by: "caller", ending });
  const { callId, ...unnamed } = call;
  const reported = { ...unnamed, ...(hasId ? { callId } : {}), digest: digestOf(call) };
  await reportDelegated(deps, reported, ending);
  return { ok: true, value: undefined };
}

/** The right that this call was given, if its host still holds it. What the host asked its own user about has none. */
async function handedTo(deps: Deps, { call, hasId }: ToldCall): Promise<Execution | undefined> {
  if (!hasId) return handedAlike(deps, call);
  const row = await callWithKey(deps, callKeyOf(call));
  // The program that makes the box records how the call ended, also if its host stops watching it before.
  if (row?.decision.box !== undefined) return undefined;
  const id = row?.executionId;
  // The right to a call that a person approved belongs to the question.
  if (id === undefined) return row?.approvalId === undefined ? undefined : handedAlike(deps, call);
  const execution = (await executionAt(deps, id))?.row;
  return execution?.state === "handed" || execution?.state === "claimed" ? execution : undefined;
}

/** So many of an agent's newest calls are looked through. */
const ALIKE_MAX = 100;

/**
 * The right to a call with this content: some hosts give calls no id, and a reviewer may have changed the arguments. Of
 * several such calls in a session, the one handed over first ends first.
 */
async function handedAlike(deps: Deps, call: ToolCall): Promise<Execution | undefined> {
  const digest = digestOf(call);
  const { agent, session, tool } = call;
  const kinds = ["call.decided", "execution.handed"] as const;
  const subject = { agent, tool, ...(session === undefined ? {} : { session }) };
  const entries = await listEntries(deps, { kinds, subject }, { limit: ALIKE_MAX, order: "newest" });
  let found: Execution | undefined;
  for (const { subject } of entries) {
    const execution = subject.execution === undefined ? undefined : (await executionAt(deps, subject.execution))?.row;
    if (execution?.state === "handed" && execution.digest === digest) found = execution;
  }
  return found;
}
