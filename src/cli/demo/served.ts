import { MANNER, submit } from "../../gate/submit.ts";
import { wait } from "../../gate/wait.ts";
import { holdingOf } from "../../library/calls.ts";
import { carryOut as carry } from "../../library/carry.ts";
import { callOf } from "../calls.ts";
import type { Stage } from "./stage.ts";
import { STORY } from "./story.ts";
import { carryOut } from "./tools.ts";

const PACE_MS = 400;
const WAIT_MS = 3_600_000;

/** The agent of the demo makes its calls; each waits by itself for its answer, as agents that run side by side do. */
export function playDemo({ deps, project }: Stage): { stop(): Promise<void> } {
  const over = new AbortController();
  const play = async () => {
    const waiting: Promise<void>[] = [];
    for (const { tool, args, says } of STORY) {
      if (over.signal.aborted) break;
      const call = {
        ...callOf(deps, { agent: "coder", tool, args, cwd: project }),
        ...(says === undefined ? {} : { says }),
      };
      waiting.push(act(call));
      await deps.clock.sleep(PACE_MS, over.signal);
    }
    await Promise.all(waiting);
  };
  const act = async (call: ReturnType<typeof callOf>): Promise<void> => {
    const asked = await submit(deps, call, MANNER);
    if (asked.outcome === "pending") await wait(deps, asked.id, { timeoutMs: WAIT_MS, signal: over.signal });
    if (over.signal.aborted) return;
    const { outcome, executionId, attempt } = asked.outcome === "pending" ? await submit(deps, call, MANNER) : asked;
    if (outcome !== "run" || executionId === undefined || attempt === undefined) return;
    await carry(holdingOf(deps), { executionId, attempt, args: call.args }, () =>
      carryOut(project, call.tool, call.args),
    );
  };
  const playing = play();
  return {
    stop: async () => {
      over.abort();
      await playing;
    },
  };
}
