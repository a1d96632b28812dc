import type { Approval } from "../core/approval.ts";
import type { Refused } from "../core/codes.ts";
import { refused } from "../core/codes.ts";
import { type Answer, type Circle, review as reviewStep } from "../core/reviewing.ts";
import { commitStep } from "./commit.ts";
import type { Deps } from "./deps.ts";
import type { InForce } from "./standing.ts";

/** One person's answer, by whichever door it came. */
export async function review(deps: Deps, id: string, answer: Answer): Promise<{ ok: true; value: Approval } | Refused> {
  return commitStep(deps, async (nowMs) => {
    const asked = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "approvals", id });
    if (asked === undefined)
      return refused("LEEWAY_NOT_FOUND", `there is no approval ${id}`, "`leeway inbox` lists the open ones");
    const inForce = await deps.standing.current();
    const step = reviewStep(asked, answer, circleOf(inForce, asked.row.agent), deps.mint, nowMs);
    if (!step.ok) return step;
    const epoch = { needs: [{ is: "epoch" as const, epoch: inForce.rows.epoch }] };
    return { ok: true, pieces: [epoch, step.piece], value: step.approval };
  });
}

export function circleOf(inForce: InForce, agent: string): Circle {
  const owner =
    inForce.layers.layers
      .map(({ policy }) => policy.agents.find((row) => row.name === agent)?.owner)
      .find((name) => name !== undefined) ?? inForce.rows.agents.find((row) => row.name === agent)?.owner;
  return {
    people: inForce.rows.people,
    ...(owner === undefined ? {} : { owner }),
    pausedReviewers: inForce.rows.pauses.flatMap((pause) =>
      pause.state === "set" && pause.scope.of === "reviewer" ? [pause.scope.name] : [],
    ),
  };
}
