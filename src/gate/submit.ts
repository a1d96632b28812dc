import { callKeyOf, digestOf, type ToolCall } from "../core/call.ts";
import { canonical } from "../core/canonical.ts";
import { changeOf } from "../core/change.ts";
import { classify } from "../core/classify.ts";
import { type Code, type Refused, refused } from "../core/codes.ts";
import { decide } from "../core/decide.ts";
import type { Effect, EffectClass } from "../core/effect.ts";
import { sha256 } from "../core/hash.ts";
import type { Policy } from "../core/policy.ts";
import { type Recalled, recall } from "../core/recall.ts";
import type { Receipt } from "../core/receipt.ts";
import { redact } from "../core/redact.ts";
import type { PolicyRow, Seen } from "../core/rows.ts";
import { deliver } from "../core/running.ts";
import type { Standing } from "../core/standing.ts";
import { planSubmission, receiptOf, type Submission, type Undecided } from "../core/submission.ts";
import { StoreUnavailable } from "../ports.ts";
import type { Deps } from "./deps.ts";
import { type InForce, ownerOf, scopesOf } from "./standing.ts";

/** How the caller stands: what it can do while people think, and who would carry the call out. */
export type Manner = {
  scopes: readonly Policy[];
  canWait: boolean;
  handed: boolean;
  /** Ask for the gate's own runner, where one is registered. */
  runBy?: "leeway";
};

export const MANNER: Manner = { scopes: [], canWait: true, handed: false };

const TRIES_MAX = 8;

/** Decides one call and records it. On the deciding path only this function catches, and what it catches denies. */
export async function submit(deps: Deps, call: ToolCall, manner: Manner = MANNER): Promise<Receipt> {
  try {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const receipt = await attempt(deps, call, manner);
      if (receipt !== undefined) return receipt;
    }
    return unrecorded(
      deps,
      call,
      "LEEWAY_BUSY",
      "others changed the same things eight times in a row",
      "try again in a moment",
    );
  } catch (error) {
    deps.standing.forget();
    if (error instanceof StoreUnavailable) {
      return unrecorded(
        deps,
        call,
        "LEEWAY_AUDIT_UNAVAILABLE",
        `the decision could not be recorded: ${error.message}`,
        "free the disk or unlock the database, then try again",
      );
    }
    return unrecorded(
      deps,
      call,
      "LEEWAY_INTERNAL",
      `a check broke: ${error instanceof Error ? error.message : String(error)}`,
      "please report this; nothing ran",
    );
  }
}

/** One read, one decision, one Change; `undefined` when somebody else was faster and it has to be decided again. */
async function attempt(deps: Deps, call: ToolCall, manner: Manner): Promise<Receipt | undefined> {
  const nowMs = deps.clock.nowMs();
  const inForce = await deps.standing.current();
  const digest = digestOf(call);
  const key = callKeyOf(call);
  const seen = await deps.store.read({
    ask: "submission",
    workspace: deps.workspace,
    callKey: key,
    agent: call.agent,
    digest,
    counters: [],
    nowMs,
  });
  if (seen.epoch !== inForce.rows.epoch) return undefined;
  const recalled = recall(seen, digest, nowMs);
  if (recalled.is !== "undecided") return answerRecalled(deps, call, seen, recalled, nowMs);
  const effect = classify(call, knowledge(deps, inForce, call));
  const standing = await standingFor(deps, call, effect, inForce, recalled, manner, nowMs);
  const decision = decide(call, effect, standing, nowMs);
  const submission = submissionOf(deps, call, { digest, key, effect, decision, inForce, manner, nowMs });
  const { change, receipt } = planSubmission(submission, seen, recalled, deps.mint, nowMs);
  const committed = await deps.store.commit(change);
  if (!committed.ok) {
    deps.standing.forget();
    return undefined;
  }
  const place = change.entries.findIndex((entry) => entry.kind === "call.decided");
  return { ...receipt, ledgerIndex: committed.firstIndex + place };
}

export function knowledge(deps: Deps, inForce: InForce, call: ToolCall) {
  const { project } = deps.policies.current();
  return {
    declared: new Map([...inForce.declared, ...deps.declared]),
    project,
    facts: deps.paths.about([], call.cwd ?? project),
  };
}

async function standingFor(
  deps: Deps,
  call: ToolCall,
  effect: Effect,
  inForce: InForce,
  recalled: Undecided,
  manner: Manner,
  _nowMs: number,
): Promise<Standing> {
  const reply = await deps.callback?.decide(call, effect);
  const { rows, layers } = inForce;
  return {
    layers: layers.layers,
    scopes: scopesOf(manner.scopes),
    policyVersion: layers.version,
    ...(layers.noPolicy === undefined ? {} : { noPolicy: layers.noPolicy }),
    pauses: rows.pauses.filter((pause) => pause.state === "set"),
    pausesFresh: true,
    promotions: rows.promotions,
    grants: [],
    used: () => 0,
    ...(deps.callback === undefined || reply === undefined
      ? {}
      : { callback: { name: deps.callback.name, ...reply } as Standing["callback"] & object }),
    ...(recalled.permit === undefined
      ? {}
      : { permit: { executionId: recalled.permit.row.id, approvedInBulk: recalled.permit.row.approvedInBulk } }),
    canAsk: manner.canWait && deps.callback?.supportsInteraction !== false,
    quarantined: false,
  };
}

function submissionOf(
  deps: Deps,
  call: ToolCall,
  d: Pick<Submission, "digest" | "key" | "effect" | "decision"> & { inForce: InForce; manner: Manner; nowMs: number },
): Submission {
  const owner = ownerOf(call, d.inForce);
  const runner = deps.runners.get(call.tool);
  const later = d.decision.tier === "suggest" || d.decision.code === "LEEWAY_NEEDS_HUMAN";
  return {
    call,
    digest: d.digest,
    key: d.key,
    effect: d.effect,
    decision: d.decision,
    args: deps.sealer.seal(canonical(call.args), d.digest),
    preview: redact(call.args),
    runBy: runner !== undefined && (later || d.manner.runBy === "leeway") ? "leeway" : "caller",
    idempotent: runner?.idempotent ?? d.inForce.declared.get(call.tool)?.idempotent ?? false,
    claimer: deps.owner,
    handed: d.manner.handed,
    class: classOf(d.effect),
    ...(owner === undefined ? {} : { owner }),
    firsts: firstsOf(deps, call, d.inForce, d.nowMs),
  };
}

/** The part to name a call by: the last of the class list, which goes from harmless to grave. */
function classOf(effect: Effect): EffectClass {
  return effect.parts[0].class;
}

function firstsOf(deps: Deps, call: ToolCall, inForce: InForce, nowMs: number): Submission["firsts"] {
  const known = inForce.rows.agents.some((agent) => agent.name === call.agent);
  const admin = inForce.rows.people.find((person) => person.admin && person.state === "active");
  const version = inForce.layers.version;
  const recorded = inForce.rows.policies.some((row) => row.id === version);
  const policy: PolicyRow = {
    id: version,
    workspace: deps.workspace,
    state: "loaded",
    version,
    path: inForce.layers.layers.map((layer) => layer.policy.source).join(" + "),
    text: "",
    atMs: nowMs,
  };
  return {
    ...(known
      ? {}
      : {
          agent: {
            name: call.agent,
            workspace: deps.workspace,
            registeredMs: nowMs,
            ...(admin === undefined ? {} : { owner: admin.name }),
          },
        }),
    ...(recorded ? {} : { policy }),
  };
}

async function answerRecalled(
  deps: Deps,
  call: ToolCall,
  seen: Seen,
  recalled: Exclude<Recalled, { is: "undecided" }>,
  nowMs: number,
): Promise<Receipt | undefined> {
  const base = seen.call === undefined ? undefined : receiptOf(seen.call.row);
  switch (recalled.is) {
    case "pending":
      return { ...(base ?? blank(deps, call)), outcome: "pending", approvalId: recalled.approval.row.id };
    case "running":
      return {
        ...(base ?? blank(deps, call)),
        outcome: "pending",
        code: "LEEWAY_CALL_RUNNING",
        executionId: recalled.execution.row.id,
      };
    case "refused":
      return {
        ...(base ?? blank(deps, call)),
        outcome: "denied",
        code: recalled.why.code,
        reason: `${recalled.why.reason}; ${recalled.why.hint}`,
      };
    case "settled": {
      const piece = deliver(recalled.execution);
      if (piece.writes !== undefined) {
        const committed = await deps.store.commit(changeOf(deps.mint, { workspace: deps.workspace, nowMs }, [piece]));
        if (!committed.ok) return undefined;
      }
      return settledReceipt(deps, base ?? blank(deps, call), recalled.execution.row);
    }
  }
}

export function settledReceipt(deps: Deps, base: Receipt, execution: NonNullable<Seen["execution"]>["row"]): Receipt {
  const found = { ...base, executionId: execution.id, outcome: "run" as const };
  if (execution.state === "failed") return { ...found, code: "LEEWAY_EXECUTION_FAILED", error: execution.error };
  if (execution.state !== "succeeded" || execution.result === undefined) return found;
  return { ...found, result: JSON.parse(deps.sealer.open(execution.result, execution.id)) };
}

/** A receipt of something that was not decided anew: it names the call and nothing more. */
function blank(deps: Deps, call: ToolCall): Receipt {
  return {
    id: deps.mint.next("call"),
    callId: call.callId,
    decision: { tier: "ask", outcome: "pending", because: [], rules: [], policyVersion: sha256(""), needsHuman: false },
    outcome: "pending",
    digest: digestOf(call),
  };
}

/** The gate stays closed: nothing was recorded and nothing may run. */
function unrecorded(deps: Deps, call: ToolCall, code: Code, reason: string, hint: string): Receipt {
  const why: Refused = refused(code, reason, hint);
  return {
    id: deps.mint.next("call"),
    callId: call.callId,
    decision: {
      tier: "deny",
      outcome: "denied",
      code,
      because: [why.reason],
      rules: [],
      policyVersion: sha256(""),
      needsHuman: false,
    },
    outcome: "denied",
    code,
    reason: `${why.reason}; ${why.hint}`,
    digest: digestOf(call),
  };
}
