import { compilePolicy } from "../../core/decide/compile.ts";
import type { Standing } from "../../core/decide/standing.ts";
import type { Decision, Outcome } from "../../core/decision.ts";
import type { Effect } from "../../core/effect.ts";
import type { CallId } from "../../core/ids.ts";
import type { Entry } from "../../core/ledger.ts";
import { type Message, say } from "../../core/messages/message.ts";
import type { Policy } from "../../core/policy.ts";
import { replayDecision } from "../../core/record/replay.ts";
import type { Tier } from "../../core/tier.ts";
import { openArgs } from "../calls/args.ts";
import type { Deps } from "../deps.ts";
import { openGuesses } from "../record/guesses.ts";
import type { InForce } from "./standing.ts";

type Judgement = { tier: Tier; outcome: Outcome; needsHuman: boolean };
export type PolicyChange = { call: CallId; agent: string; tool: string; before: Judgement; after: Judgement };

export type PolicyDiff = {
  compared: number;
  changed: readonly PolicyChange[];
  /** Recorded calls that could not be decided again, and why. */
  skipped: readonly { call: string; why: Message }[];
};

type DiffingHow = { limit: number; onProgress?: (done: number, of: number) => void };
/** How many calls are decided before other work gets a turn; a large call takes some milliseconds. */
const TURN = 10;

/** Decides the last recorded calls again with another policy in place of the layer of the same file. */
export async function diffPolicy(deps: Deps, policy: Policy, how: DiffingHow): Promise<PolicyDiff> {
  const under = layersWith(policy, await deps.standing.current());
  const entries = await deps.store.read({
    ask: "entries",
    workspace: deps.workspace,
    where: { kinds: ["call.decided"] },
    limit: how.limit,
    order: "newest",
  });
  const changed: PolicyChange[] = [];
  const skipped: { call: string; why: Message }[] = [];
  for (const [at, entry] of entries.entries()) {
    if (at > 0 && at % TURN === 0) {
      how.onProgress?.(at, entries.length);
      await deps.clock.sleep(0);
    }
    const again = await decidedAgain(deps, entry, under);
    if (!again.ok) skipped.push({ call: entry.subject.call ?? "", why: again.why });
    else if (JSON.stringify(again.change.before) !== JSON.stringify(again.change.after)) changed.push(again.change);
  }
  return { compared: entries.length - skipped.length, changed, skipped };
}

type Under = Pick<Standing, "layers" | "policyVersion">;

function layersWith(policy: Policy, { layers: { layers } }: InForce): Under {
  const replaced = layers.some((layer) => layer.policy.source === policy.source);
  const isOrganisation = layers.some((layer) => layer.policy.source === policy.source && layer.policy.organisation);
  const made = compilePolicy(isOrganisation ? { ...policy, organisation: true } : policy);
  const others = layers.filter((layer) => layer.policy.source !== policy.source);
  return { layers: replaced ? [...others, made] : [made], policyVersion: policy.version };
}

type Again = { ok: true; change: PolicyChange } | { ok: false; why: Message };

async function decidedAgain(deps: Deps, entry: Entry, under: Under): Promise<Again> {
  const id = entry.subject.call ?? "";
  const found = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id });
  if (found === undefined) return { ok: false, why: say("reason.call_not_kept") };
  const opened = openArgs(found.row);
  if (!opened.ok) return opened;
  const body = entry.body?.json;
  if (body === undefined) return { ok: false, why: say("reason.body_erased") };
  const guessed = openGuesses(deps, body["effect"] as unknown as Effect, String(body["digest"]));
  if (!guessed.ok) return guessed;
  const replayed = replayDecision({ entry, row: found.row, args: opened.args, effect: guessed.effect }, under);
  if (!replayed.ok) return replayed;
  const before = entry.body?.json["decision"] as unknown as Decision;
  const { id: call, agent, tool } = found.row;
  return {
    ok: true,
    change: { call, agent, tool, before: judgementOf(before), after: afterOf(before, replayed.decision) },
  };
}

/**
 * A call may have been stopped by something other than the policy: nobody could answer, too many open questions, an earlier
 * denial by a person, the prompt of the program that runs the agent. If both policies decide the same, this reason stays.
 */
function afterOf(before: Decision, now: Decision): Judgement {
  const stoodInTheWay = before.outcome === "delegated" || before.causes.some((cause) => cause.by === "code");
  const saysTheSame = before.tier === now.tier && before.needsHuman === now.needsHuman;
  return judgementOf(stoodInTheWay && saysTheSame ? before : now);
}

function judgementOf({ tier, outcome, needsHuman }: Decision): Judgement {
  return { tier, outcome, needsHuman };
}
