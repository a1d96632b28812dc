import type { Code } from "../../core/codes.ts";
import type { Receipt } from "../../core/receipt.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { DEFAULT_CALLER } from "../../gate/calls/judging.ts";
import { submit } from "../../gate/calls/submit.ts";
import { wait } from "../../gate/calls/wait.ts";
import { holdingOf } from "../../library/create-gate.ts";
import { carryOut } from "../../library/guard.ts";
import { LeewayRefusal } from "../../service/refusal.ts";
import { callOf } from "../calls.ts";
import type { Stage } from "./stage.ts";
import { type Scene, STORY } from "./story.ts";
import { useTool } from "./tools.ts";

const PACE_MS = 400;
const WAIT_MS = 24 * 3_600_000;
/** The pause between an answer and the retry, so that a person sees the answer first and then the result. */
const COMES_BACK_MS = 1_500;

/** The agent of the demo makes its calls; each one waits separately for its answer, like parallel agents. */
export function playDemo(stage: Stage): { stop(): Promise<void> } {
  const over = new AbortController();
  const { clock } = stage.deps;
  const play = async () => {
    const waiting: Promise<void>[] = [];
    for (const scene of STORY.filter(isFirst)) {
      if (over.signal.aborted) break;
      waiting.push(tryOn(stage, scene, over.signal));
      await clock.sleep(PACE_MS, over.signal);
    }
    await Promise.all(waiting);
  };
  const playing = play();
  return {
    stop: async () => {
      over.abort();
      await playing;
    },
  };
}

/** The story contains some calls twice, as a second try; here the agent retries by itself. */
function isFirst({ args }: Scene, at: number): boolean {
  return STORY.findIndex((scene) => scene.args === args) === at;
}

/** Retries until the call has run or is refused for good. */
async function tryOn(stage: Stage, scene: Scene, signal: AbortSignal): Promise<void> {
  const { clock } = stage.deps;
  while (!signal.aborted) {
    const ended = await tryOnce(stage, scene, signal);
    if (ended === "over") return;
    await clock.sleep(COMES_BACK_MS, signal);
  }
}

async function tryOnce(stage: Stage, { tool, args, says }: Scene, signal: AbortSignal): Promise<"over" | "again"> {
  const { deps, project } = stage;
  const call = callOf(deps, { agent: "coder", tool, args, cwd: project });
  const asked = await submit(deps, says === undefined ? call : { ...call, says }, DEFAULT_CALLER);
  const { approvalId } = asked;
  if (approvalId === undefined || !isOpen(asked)) return ran(stage, asked, { tool, args });
  const answer = await wait(deps, approvalId, { timeoutMs: WAIT_MS, signal });
  if (signal.aborted) return "over";
  if (asked.outcome === "pending") return ran(stage, answer, { tool, args });
  // The agent had stopped waiting. It retries, so that the person who answered sees the result.
  return GIVEN_UP.includes(answer.code) ? "over" : "again";
}

const OPEN: readonly (Code | undefined)[] = ["LEEWAY_SUGGESTED", "LEEWAY_NEEDS_HUMAN"];
const GIVEN_UP: readonly (Code | undefined)[] = ["LEEWAY_CANCELLED", "LEEWAY_EXPIRED", "LEEWAY_SUPERSEDED"];

function isOpen({ outcome, code }: Receipt): boolean {
  return outcome === "pending" || OPEN.includes(code);
}

async function ran(
  { deps, project }: Stage,
  { outcome, code, executionId, attempt }: Receipt,
  { tool, args }: { tool: string; args: JsonObject },
): Promise<"over" | "again"> {
  if (outcome !== "run" || executionId === undefined) return code === "LEEWAY_PAUSED" ? "again" : "over";
  const holding = holdingOf(deps);
  try {
    const held = attempt === undefined ? await holding.claim(executionId) : { executionId, attempt, args };
    await carryOut(holding, held, (approved: JsonObject) => useTool(project, tool, approved));
    return "over";
  } catch (error) {
    // A failure of the tool is already recorded.
    return error instanceof LeewayRefusal && error.retryable ? "again" : "over";
  }
}
