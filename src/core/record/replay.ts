import { actorsOf, type ToolCall } from "../call.ts";
import { compilePolicy } from "../decide/compile.ts";
import { decide } from "../decide/decide.ts";
import type { Standing } from "../decide/standing.ts";
import type { Cause, Decision } from "../decision.ts";
import type { Effect } from "../effect.ts";
import type { Entry } from "../ledger.ts";
import { keptMessage, type Message, say } from "../messages/message.ts";
import type { Policy } from "../policy.ts";
import type { CallRow } from "../rows/rows.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";

// Every recorded decision can be repeated. Its entry has what `decide` knew besides the call and the policy files;
// the row of the call has the call, and the row of the policy has the files. Of the standing, only what the decision
// names is kept: removing anything else never changes a decision.

/** The content of the entry. False values are left out. */
export function inputsOf(call: ToolCall, standing: Standing, decision: Decision, nowMs: number): JsonObject {
  const inputs: { [name: string]: Json } = { nowMs };
  addMet(inputs, call, standing, decision);
  const { callback, permit, noPolicy, scopes, box } = standing;
  const used = decision.limits.map(({ counters }) => [counters.join("\n"), finite(standing.used(counters))] as const);
  if (used.length > 0) inputs["used"] = Object.fromEntries(used);
  // A `when` from code is a function of the program; its text is kept, so that a replay can say what is missing.
  if (scopes.length > 0) inputs["scopes"] = scopes.map(({ policy }): Json => JSON.parse(JSON.stringify(policy)));
  if (callback !== undefined) inputs["callback"] = plain(callback);
  if (permit !== undefined) inputs["permit"] = plain(permit);
  if (noPolicy !== undefined) inputs["noPolicy"] = noPolicy;
  if (box !== undefined) inputs["box"] = plain(box);
  if (!standing.canAsk) inputs["canAsk"] = false;
  if (!standing.pausesFresh) inputs["pausesFresh"] = false;
  if (standing.quarantined) inputs["quarantined"] = true;
  if (call.requestedBy !== undefined) inputs["requestedBy"] = call.requestedBy;
  return inputs;
}

/** The parts of the standing that the decision used. */
function addMet(inputs: { [name: string]: Json }, call: ToolCall, standing: Standing, decision: Decision): void {
  const pauses = standing.pauses.filter((pause) => names(decision, pause.id));
  const promotions = standing.promotions.filter((promotion) => actorsOf(call).includes(promotion.agent));
  const grants = standing.grants.filter(({ grant }) => names(decision, grant.id) || grant.id === decision.grant);
  if (pauses.length > 0) inputs["pauses"] = plain(pauses);
  if (promotions.length > 0) inputs["promotions"] = plain(promotions);
  if (grants.length === 0) return;
  inputs["grants"] = grants.map(({ grant, usesLeft }) => ({ grant: plain(grant), usesLeft: finite(usesLeft) }));
}

type Replayed = { ok: true; call: ToolCall; decision: Decision } | { ok: false; why: Message };

/** Decides a recorded call again: with the layers of that time, or with others, to see what they change. */
export function replayDecision(
  recorded: { entry: Entry; row: CallRow; args: JsonObject; effect: Effect },
  under: Pick<Standing, "layers" | "policyVersion">,
): Replayed {
  const body = recorded.entry.body?.json;
  if (body === undefined) return { ok: false, why: say("reason.body_erased") };
  const inputs = body["inputs"];
  if (!isObject(inputs)) return { ok: false, why: say("reason.not_known_then") };
  const scopes = (inputs["scopes"] ?? []) as unknown as Policy[];
  if (scopes.some(hasWhen)) return { ok: false, why: say("reason.when_in_program") };
  const call = callOf(recorded.row, recorded.args, inputs);
  const standing = { ...standingOf(inputs, scopes), ...under };
  const decision = decide(call, recorded.effect, standing, Number(inputs["nowMs"]));
  return { ok: true, call, decision };
}

function standingOf(inputs: JsonObject, scopes: readonly Policy[]): Omit<Standing, "layers" | "policyVersion"> {
  const { pauses, promotions, grants, used, callback, permit, noPolicy, box } = inputs;
  const sums = isObject(used) ? used : {};
  const why = keptMessage(noPolicy);
  return {
    scopes: scopes.map(compilePolicy),
    pauses: (pauses ?? []) as unknown as Standing["pauses"],
    promotions: (promotions ?? []) as unknown as Standing["promotions"],
    grants: ((grants ?? []) as unknown as { grant: never; usesLeft: number | null }[]).map(({ grant, usesLeft }) => ({
      grant,
      usesLeft: usesLeft ?? Number.POSITIVE_INFINITY,
    })),
    // A limit that was not checked at that time has counted nothing.
    used: (counters) => {
      const name = counters.join("\n");
      return Object.hasOwn(sums, name) ? Number(sums[name] ?? Number.POSITIVE_INFINITY) : 0;
    },
    ...(callback === undefined ? {} : { callback: callback as unknown as NonNullable<Standing["callback"]> }),
    ...(permit === undefined ? {} : { permit: permit as unknown as NonNullable<Standing["permit"]> }),
    ...(why === undefined ? {} : { noPolicy: why }),
    ...(box === undefined ? {} : { box: box as unknown as NonNullable<Standing["box"]> }),
    canAsk: inputs["canAsk"] !== false,
    pausesFresh: inputs["pausesFresh"] !== false,
    quarantined: inputs["quarantined"] === true,
  };
}

function callOf(row: CallRow, args: JsonObject, inputs: JsonObject): ToolCall {
  const { workspace, agent, tool, definition, cwd, callId, session, run, traceId, chain, claims } = row;
  const { requestedBy } = inputs;
  return {
    workspace,
    agent,
    tool,
    ...(definition === undefined ? {} : { definition }),
    args,
    ...(cwd === undefined ? {} : { cwd }),
    callId,
    ...(session === undefined ? {} : { session }),
    ...(run === undefined ? {} : { run }),
    traceId,
    chain,
    claims,
    ...(typeof requestedBy === "string" ? { requestedBy } : {}),
  };
}

/** Whether a cause names this pause, grant or demotion. */
function names({ causes, considered }: Decision, id: string): boolean {
  const isIt = (cause: Cause) => "id" in cause && cause.id === id;
  return causes.some(isIt) || considered.some(isIt);
}

function hasWhen(policy: Policy): boolean {
  return (
    policy.rules.some((rule) => rule.match.when !== undefined) ||
    policy.limits.some((one) => one.match.when !== undefined)
  );
}

/** JSON has no infinity; `null` stands for it. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function plain(value: unknown): Json {
  return value as Json;
}
