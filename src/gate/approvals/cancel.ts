import type { Approval } from "../../core/approval.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { AgentName } from "../../core/ids.ts";
import type { Actor } from "../../core/ledger.ts";
import { say } from "../../core/messages/message.ts";
import { cancel as cancelStep } from "../../core/steps/closing.ts";
import { type Circle, mayReview } from "../../core/steps/quorum.ts";
import { alreadyResolved } from "../../core/steps/reviewing.ts";
import { voidIt } from "../../core/steps/running.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { type Acting, actStep, unsure } from "../people/acting.ts";
import { circleFor } from "../standing/owner.ts";
import { approvalAt, noApproval } from "./approval-at.ts";

/** A person, with how they proved it; or an agent that was identified by its door, also if a person has the same name. */
type Withdrawing = Acting | { agent: AgentName };

/** Withdraws a question, or its execution if it was not claimed yet. A call that has started cannot be withdrawn. */
export async function cancel(
  deps: Deps,
  id: string,
  acted: Withdrawing,
): Promise<{ ok: true; value: Approval } | Refused> {
  const by = "agent" in acted ? acted.agent : acted.by;
  return actStep(deps, async (nowMs, inForce): Promise<Step<Approval>> => {
    const asked = await approvalAt(deps, id);
    if (asked === undefined) return noApproval(id);
    const circle = await circleFor(deps, inForce, asked.row);
    const actor = "by" in acted ? actorOf(asked.row, acted, circle) : await agentActor(deps, asked.row, acted.agent);
    if (actor === undefined) {
      const hint = say("hint.who_may_withdraw");
      return refused("LEEWAY_FORBIDDEN", say("refusal.may_not_withdraw", { person: by, id }), hint);
    }
    // An agent withdraws its own question in its own name. Otherwise it is the act of the named person.
    const no = "by" in acted && actor.startsWith("person:") ? unsure(inForce, acted) : undefined;
    if (no !== undefined) return no;
    if (asked.row.state !== "approved") {
      const step = cancelStep(asked, { name: by, actor }, circle, deps.mint, nowMs);
      return step.ok ? { ok: true, pieces: [step.piece], value: step.approval } : step;
    }
    const { executionId } = asked.row;
    const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "executions", id: executionId });
    if (held === undefined) throw new Error(`the execution of ${id} is gone (this is a bug)`);
    if (held.row.state === "void") return alreadyResolved(asked.row, "cancelled");
    const step = voidIt(held, { why: say("reason.cancelled_by", { by }), actor }, deps.mint, nowMs);
    return step.ok ? { ok: true, pieces: [step.piece], value: asked.row } : step;
  });
}

/** If a program gives only a name and the agent has this name, the agent is meant, because no person proved anything. */
function actorOf(approval: Approval, { by, assurance }: Acting, circle: Circle): Actor | undefined {
  if (assurance === "process" && by === approval.agent) return `agent:${by}`;
  const person = circle.people.find((one) => one.name === by && one.state === "active" && !one.auditor);
  if (person === undefined) return undefined;
  const theirs = by === circle.owner || by === approval.requestedBy || person.admin;
  return theirs || mayReview(approval, by, circle) ? `person:${by}` : undefined;
}

/** The questions of its sub-agents count as the agent's own. */
async function agentActor(deps: Deps, approval: Approval, agent: AgentName): Promise<Actor | undefined> {
  if (agent === approval.agent) return `agent:${agent}`;
  const { workspace, store } = deps;
  const call = await store.read({ ask: "row", workspace, table: "calls", id: approval.call });
  return call?.row.chain.includes(agent) === true ? `agent:${agent}` : undefined;
}
