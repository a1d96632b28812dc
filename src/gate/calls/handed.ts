import { callKeyOf, type Digest, digestOf, type ToolCall } from "../../core/call.ts";
import type { Refused } from "../../core/codes.ts";
import { attemptOf, type Execution } from "../../core/execution.ts";
import type { Entry } from "../../core/ledger.ts";
import { prompted } from "../../core/steps/running.ts";
import type { Json } from "../../core/values/json.ts";
import { commitStep } from "../commit.ts";
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

/**
 * The host is about to ask its own user about this call. True if the gate has told the host to run exactly this call, its
 * end was not reported yet, and this was not answered before: one answer of the gate is one yes in the host's prompt.
 */
export async function answersPrompt(deps: Deps, told: ToldCall): Promise<boolean> {
  const answered = await commitStep(deps, async () => {
    const id = await lastHanded(deps, told);
    const held = id === undefined ? undefined : await executionAt(deps, id);
    if (held?.row.state !== "handed" || held.row.digest !== digestOf(told.call))
      return { ok: true, pieces: [], value: false };
    const subject = { execution: held.row.id };
    const [earlier] = await listEntries(
      deps,
      { kinds: ["execution.prompted"], subject },
      { limit: 1, order: "newest" },
    );
    if (earlier !== undefined) return { ok: true, pieces: [], value: false };
    const step = prompted(held, deps.mint);
    return step.ok ? { ok: true, pieces: [step.piece], value: true } : step;
  });
  return answered.ok && answered.value;
}

/** The right to exactly this call, by its id if its host gives it one. */
async function lastHanded(deps: Deps, { call, hasId }: ToldCall): Promise<string | undefined> {
  if (!hasId) return lastAlike(deps, call);
  const row = await callWithKey(deps, callKeyOf(call));
  return row?.executionId ?? handedUnder(deps, row?.approvalId);
}

/**
 * The right that the newest decision about this content gave. An older one says nothing: the host may have forgotten that
 * call, and ask about another one that was left to its user.
 */
async function lastAlike(deps: Deps, call: ToolCall): Promise<string | undefined> {
  const digest = digestOf(call);
  for (const { kind, subject, body } of await entriesAbout(deps, call)) {
    if (kind === "call.decided" && body === undefined) return undefined;
    if (kind === "call.decided" && body?.json["digest"] === digest)
      return subject.execution ?? handedUnder(deps, subject.approval);
    // A reviewer may have changed the arguments: the right has the digest of what runs.
    if (kind === "execution.handed" && (await digestAt(deps, subject.execution)) === digest) return subject.execution;
  }
  return undefined;
}

/** The right to a call that a person approved belongs to the question. */
async function handedUnder(deps: Deps, approval: string | undefined): Promise<string | undefined> {
  if (approval === undefined) return undefined;
  const filter = { kinds: ["execution.handed"], subject: { approval } } as const;
  const [handed] = await listEntries(deps, filter, { limit: 1, order: "newest" });
  return handed?.subject.execution;
}

async function digestAt(deps: Deps, id: string | undefined): Promise<Digest | undefined> {
  return id === undefined ? undefined : (await executionAt(deps, id))?.row.digest;
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
  let found: Execution | undefined;
  for (const { subject } of await entriesAbout(deps, call)) {
    const execution = subject.execution === undefined ? undefined : (await executionAt(deps, subject.execution))?.row;
    if (execution?.state === "handed" && execution.digest === digest) found = execution;
  }
  return found;
}

/** The decisions about calls of this tool in this session, and the approved ones that were handed over, newest first. */
function entriesAbout(deps: Deps, { agent, session, tool }: ToolCall): Promise<readonly Entry[]> {
  const kinds = ["call.decided", "execution.handed"] as const;
  const subject = { agent, tool, ...(session === undefined ? {} : { session }) };
  return listEntries(deps, { kinds, subject }, { limit: ALIKE_MAX, order: "newest" });
}
