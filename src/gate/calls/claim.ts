import type { Box } from "../../core/box.ts";
import { type Need, unchanged } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import { type Execution, RESULT_BYTES_MAX } from "../../core/execution.ts";
import type { AttemptId } from "../../core/ids.ts";
import { messageOf, say } from "../../core/messages/message.ts";
import type { CallRow, Versioned } from "../../core/rows/rows.ts";
import { type Secret, secretOf } from "../../core/secret.ts";
import {
  claimRefusal,
  claim as claimStep,
  type Ending,
  lose as loseStep,
  release as releaseStep,
  renew as renewStep,
  type Stepped,
  settle as settleStep,
  voidIt,
} from "../../core/steps/running.ts";
import { canonical } from "../../core/values/canonical.ts";
import type { Json, JsonObject } from "../../core/values/json.ts";
import { commitStep, type Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { failureText } from "../record/failure-text.ts";
import { circleFor } from "../standing/owner.ts";
import { judgeAgain } from "./judge-again.ts";
import { settledNotices } from "./settled-notices.ts";
import { unvouchedRight } from "./vouched.ts";

/** The claimed execution, and the call with exactly the arguments that were approved. */
type Claim = { execution: Execution; call: CallRow; args: JsonObject; box?: Box };
type Claimed = { ok: true; value: Claim } | Refused;
type Stepping = { ok: true; value: Execution } | Refused;
type Held = Versioned<"executions">;

/** Claims an execution, so that it can run once. Everything that was true at the approval must still be true. */
export async function claim(
  deps: Deps,
  id: string,
  side: "caller" | "leeway",
  how: { handed: boolean; boxed?: boolean } = { handed: false },
): Promise<Claimed> {
  const done = await commitStep<Claimed>(deps, async (nowMs) => {
    const held = await heldAt(deps, id);
    if (held === undefined) return noExecution(id);
    const no = claimRefusal(held.row, side, nowMs);
    if (no !== undefined) return no;
    const unvouched = await unvouchedRight(deps, held.row);
    if (unvouched !== undefined) return unvouched;
    const inForce = await deps.standing.current();
    const judged = await judgeAgain(deps, held, inForce, nowMs);
    if (judged.now === "refused") return judged.why;
    const { call } = judged;
    // The judged call must be unchanged: another call may have got its id, or there may be a new question about it.
    const still: Need[] = [
      { is: "epoch", epoch: inForce.rows.epoch },
      ...(call === undefined ? [] : [unchanged("calls", call.row.id, call.version)]),
    ];
    if (judged.now === "void") {
      const circle = await circleFor(deps, inForce, held.row);
      const step = voidIt(held, { why: judged.why, actor: "leeway", circle }, deps.mint, nowMs);
      if (!step.ok) return step;
      const value = refused("LEEWAY_VOID", messageOf(judged.why), say("hint.submit_again"));
      return { ok: true, pieces: [{ needs: still }, step.piece], value };
    }
    if (judged.now === "lacking") {
      const hint = judged.asks ? say("hint.question_open_again") : say("hint.submit_again");
      const value = refused("LEEWAY_VOID", messageOf(judged.why), hint);
      return { ok: true, pieces: [{ needs: still }, judged.piece], value };
    }
    const { box } = judged;
    if ((box ?? judged.call.row.decision.box) !== undefined && how.boxed !== true) return NO_BOX;
    const actor = side === "caller" ? (`agent:${held.row.agent}` as const) : ("leeway" as const);
    const by = { owner: deps.owner, side, actor, handed: how.handed, reservation: judged.reservation };
    const step = claimStep(held, by, deps.mint, nowMs);
    if (!step.ok) return step;
    const claimed: Claim = { execution: step.execution, call: judged.call.row, args: judged.args };
    const value = { ok: true as const, value: box === undefined ? claimed : { ...claimed, box } };
    return { ok: true, pieces: [{ needs: still }, step.piece], value };
  });
  return done.ok ? done.value : done;
}

const NO_BOX = refused("LEEWAY_NO_BOX", say("refusal.no_box"), say("hint.claim_in_box"));

export async function renew(deps: Deps, id: string, attempt: AttemptId): Promise<Stepping> {
  return stepping(deps, id, (held, nowMs) => renewStep(held, attempt, nowMs));
}

/** The call certainly did not start, so the execution is ready again. */
export async function release(deps: Deps, id: string, given: { attempt: AttemptId; why: string }): Promise<Stepping> {
  return stepping(deps, id, async (held, nowMs) => {
    const why = await failureText(deps, held.row.call, given.why);
    return releaseStep(held, given.attempt, why, deps.mint, nowMs);
  });
}

/** The call may have run, and its runner does not know. So its result is unknown, not failed. */
export async function lose(deps: Deps, id: string, given: { attempt: AttemptId; why: string }): Promise<Stepping> {
  return commitStep(deps, async (nowMs) => {
    const held = await heldAt(deps, id);
    if (held === undefined) return noExecution(id);
    const why = await failureText(deps, held.row.call, given.why);
    const circle = await circleFor(deps, await deps.standing.current(), held.row);
    const step = loseStep(held, { attempt: given.attempt, why }, circle, deps.mint, nowMs);
    return step.ok ? { ok: true, pieces: [step.piece], value: step.execution } : step;
  });
}

export type Settling = {
  attempt: AttemptId;
  by: "caller" | "runner";
  ending: { ok: true; result: Json } | { ok: false; error: string; result?: Json };
};

/** Records the result of a call. The tool ran outside of any transaction; only its result is recorded in one. */
export async function settle(deps: Deps, id: string, given: Settling): Promise<Stepping> {
  return commitStep(deps, async (nowMs) => {
    // The remembered execution may be out of date; then the store is read.
    const known = deps.remembered.takeRight(id);
    const step = known && (await settleFrom(deps, known, given, nowMs));
    if (step?.ok === true) return step;
    const held = await heldAt(deps, id);
    return held === undefined ? noExecution(id) : settleFrom(deps, held, given, nowMs);
  });
}

async function settleFrom(deps: Deps, held: Held, given: Settling, nowMs: number): Promise<Step<Execution>> {
  const { row } = held;
  const state = given.ending.ok ? "succeeded" : "failed";
  // The caller reports the same result again, because the answer to its first report was lost.
  if (row.state === state && row.attempt === given.attempt) return { ok: true, pieces: [], value: row };
  const ending = await endingOf(deps, row, given.ending);
  const step = settleStep(held, { attempt: given.attempt, ending, by: given.by }, deps.mint, nowMs);
  if (!step.ok) return step;
  // The result of an approved call is told to its reviewers and its requester, whoever ran it.
  const isTold = given.by === "runner" || step.execution.approval !== undefined;
  const told = isTold ? await settledNotices(deps, step.execution, nowMs) : [];
  const pieces = told.length === 0 ? [step.piece] : [step.piece, { writes: told }];
  return { ok: true, pieces, value: step.execution };
}

async function endingOf(deps: Deps, { call }: Execution, given: Settling["ending"]): Promise<Ending> {
  const ending: Ending = given.ok ? { ok: true } : { ok: false, error: await failureText(deps, call, given.error) };
  if (given.result !== undefined) ending.result = keptResult(given.result);
  return ending;
}

function keptResult(result: Json): Secret {
  return secretOf(canonical(storedResult(result)));
}

/** A result is stored for callers that come back for it. Of a result that is too large only the start is stored. */
export function storedResult(result: Json): Json {
  const text = canonical(result);
  const bytes = Buffer.byteLength(text);
  return bytes <= RESULT_BYTES_MAX ? result : { truncated: true, bytes, head: text.slice(0, 4096) };
}

async function stepping(
  deps: Deps,
  id: string,
  act: (held: Versioned<"executions">, nowMs: number) => Stepped | Promise<Stepped>,
): Promise<Stepping> {
  return commitStep(deps, async (nowMs) => {
    const held = await heldAt(deps, id);
    if (held === undefined) return noExecution(id);
    const step = await act(held, nowMs);
    return step.ok ? { ok: true, pieces: [step.piece], value: step.execution } : step;
  });
}

function heldAt(deps: Deps, id: string): Promise<Versioned<"executions"> | undefined> {
  return deps.store.read({ ask: "row", workspace: deps.workspace, table: "executions", id });
}

export function noExecution(id: string): Refused {
  return refused("LEEWAY_NOT_FOUND", say("refusal.no_execution", { id }), say("hint.other_workspace"));
}
