import type { ToolCall } from "../../core/call.ts";
import { classify, isText, namedPaths, namedSettings, TOO_LARGE_EFFECT } from "../../core/classify/classify.ts";
import { commandArguments } from "../../core/classify/command-arguments.ts";
import { type DeclaredTools, declaredTools } from "../../core/classify/declared.ts";
import { withFacts } from "../../core/classify/facts.ts";
import { BASH_USED, type FileUsed, filesUsed } from "../../core/classify/run-files.ts";
import type { SettingsFound } from "../../core/classify/settings.ts";
import { rowFor } from "../../core/classify/tool-row.ts";
import { decide } from "../../core/decide/decide.ts";
import { personCovers } from "../../core/decide/lifts.ts";
import { limitUses } from "../../core/decide/limit.ts";
import type { Standing } from "../../core/decide/standing.ts";
import type { Decision } from "../../core/decision.ts";
import type { Effect, Fact } from "../../core/effect.ts";
import { type Grant, grantCounter } from "../../core/grant.ts";
import type { Policy, ToolDeclaration } from "../../core/policy.ts";
import { BUILTINS } from "../../core/shell/names.ts";
import type { NamedReply } from "../../core/standing.ts";
import type { Environment } from "../../core/tables/variables.ts";
import { canonical } from "../../core/values/canonical.ts";
import type { Json } from "../../core/values/json.ts";
import type { Runner } from "../../ports.ts";
import type { CallbackReply, Deps } from "../deps.ts";
import { type InForce, scopesOf } from "../standing/standing.ts";
import type { Manner } from "./manner.ts";

// Everything that `decide` is given besides the call, gathered the same way for submitting, checking and claiming.

export function effectOf(deps: Deps, call: ToolCall, inForce: InForce): Effect {
  const { project, places } = deps.policies.current();
  const cwd = call.cwd ?? project;
  const named = namedPaths(call);
  // Where the project itself lies counts only beside a path: a call that names none looks at no disk.
  const facts = deps.paths.about(named.length === 0 ? named : [project, ...named], cwd, project);
  const settings = deps.paths.settings(namedSettings(call, project), project);
  const knowledge = { declared: declaredIn(deps, inForce), project, facts: { ...facts, settings }, own: places };
  const effect = classify(call, knowledge);
  const runner = deps.runners.get(call.tool);
  const env = variablesOf(call, runner);
  const { files, beyond } = filesUsed(effect, env);
  const bound = boundBy(settings);
  if (files.length === 0 && named.length === 0) return withFacts(effect, bound);
  const isRun = files.length > 0 || runner?.shell === "bash";
  const used = isRun && isText(call) ? usedByBash(files, runner) : files;
  const found = deps.paths.files(used, { cwd, env, project });
  return found === "too many" ? TOO_LARGE_EFFECT : withFacts(effect, [...found, ...bound], beyond);
}

/** A text needs no files for the words of the shell itself; whoever runs it for the gate hands it to bash. */
function usedByBash(files: readonly FileUsed[], runner: Runner | undefined): readonly FileUsed[] {
  const started = files.filter(({ use, name }) => use !== "program" || !BUILTINS.has(name));
  return runner?.shell === "bash" ? [BASH_USED, ...started] : started;
}

/** The settings that a call obeys are as much a part of it as the files that it runs. */
function boundBy(settings: { readonly [key: string]: SettingsFound }): readonly Fact[] {
  const facts = Object.values(settings).flatMap((found) => found.facts);
  if (facts.length === 0) return NO_FACTS;
  return [...new Map(facts.map((fact) => [canonical(fact as Json), fact])).values()];
}

const NO_FACTS: readonly Fact[] = [];

/** The variables that a command would run with, where they are not the gate's own: the call's, else its runner's. */
function variablesOf({ tool, args }: ToolCall, runner: Runner | undefined): Environment {
  const row = rowFor(tool)?.row;
  const sets = row === undefined ? [] : commandArguments(args, row).sets;
  if (sets.length === 0) return runner?.env ?? NO_VARIABLES;
  const texts = sets.filter(({ value }) => value.kind === "plain").map(({ name, value }) => [name, value.text]);
  return { ...runner?.env, ...Object.fromEntries(texts) };
}

const NO_VARIABLES: Environment = {};

const merged = new WeakMap<InForce, { own: readonly ToolDeclaration[]; all: DeclaredTools }>();

/** What policies, people and the program itself say about tools; put together again only when one of them changed. */
export function declaredIn(deps: Deps, inForce: InForce): DeclaredTools {
  if (deps.declared.size === 0) return inForce.declared;
  const known = merged.get(inForce);
  if (known !== undefined && sameValues(known.own, deps.declared)) return known.all;
  const own = [...deps.declared.values()];
  const { sources } = declaredTools([{ tools: own }]);
  const all = { ...inForce.declared, sources: [...inForce.declared.sources, ...sources] };
  merged.set(inForce, { own, all });
  return all;
}

function sameValues(own: readonly ToolDeclaration[], declared: ReadonlyMap<string, ToolDeclaration>): boolean {
  if (own.length !== declared.size) return false;
  let at = 0;
  for (const value of declared.values()) if (own[at++] !== value) return false;
  return true;
}

/** Live grants that are for this call's agent, session, run and person. What they cover is for `decide` to say. */
function grantsFor(call: ToolCall, inForce: InForce, nowMs: number): readonly Grant[] {
  if (inForce.grants.size === 0) return [];
  const found = [...(inForce.grants.get(call.agent) ?? []), ...(inForce.grants.get("") ?? [])];
  return found.filter(({ subject, untilMs }) => {
    if (untilMs !== undefined && nowMs >= untilMs) return false;
    if (subject.session !== undefined && subject.session !== call.session) return false;
    if (subject.run !== undefined && subject.run !== call.run) return false;
    return subject.person === undefined || subject.person === call.requestedBy;
  });
}

/** The counters to read before deciding: what limits have seen, and how often grants were used. */
export type Counted = { names: readonly string[]; grants: readonly Grant[] };

export function countersFor(
  call: ToolCall,
  effect: Effect,
  inForce: InForce,
  scopes: readonly Policy[],
  nowMs: number,
): Counted {
  const grants = grantsFor(call, inForce, nowMs);
  const layers = scopes.length === 0 ? inForce.layers.layers : [...inForce.layers.layers, ...scopesOf(scopes)];
  const uses = limitUses(call, effect, layers, nowMs);
  if (grants.length === 0 && uses.length === 0) return NOTHING_COUNTED;
  const names = [
    ...grants.flatMap((grant) => (grant.usesMax === undefined ? [] : [grantCounter(grant.id)])),
    ...uses.flatMap((use) => use.counters),
  ];
  return { names, grants };
}

const NOTHING_COUNTED: Counted = { names: [], grants: [] };

/** What a call is judged by, besides the call and what it would do. */
type Given = {
  inForce: InForce;
  manner: Manner;
  counted: Counted;
  sums: readonly number[];
  reply?: CallbackReply | undefined;
  permit?: Standing["permit"] | undefined;
};

/** A decision, with all that it was made from. */
export type Judged = { decision: Decision; standing: Standing };

/** The one judge: whoever submits, checks, claims or edits a call has it decided here. */
export function judge(deps: Deps, call: ToolCall, effect: Effect, given: Given, nowMs: number): Judged {
  const standing = standingFor(deps, given);
  return { decision: decide(call, effect, standing, nowMs), standing };
}

/** What limits have seen and how often grants were used, read from the store. Submitting reads it with its own look at the call. */
export async function countersOf(
  deps: Deps,
  call: ToolCall,
  effect: Effect,
  { inForce, manner, nowMs }: { inForce: InForce; manner: Manner; nowMs: number },
): Promise<Pick<Given, "counted" | "sums">> {
  const counted = countersFor(call, effect, inForce, manner.scopes, nowMs);
  const { store, workspace } = deps;
  return { counted, sums: await store.read({ ask: "counters", workspace, counters: counted.names, nowMs }) };
}

/** What `decide` may know. */
function standingFor(deps: Deps, given: Given): Standing {
  const { inForce, manner, counted, sums, reply, permit } = given;
  const sumOf = (name: string) => {
    const at = counted.names.indexOf(name);
    // A counter that was not read cannot vouch for room.
    return at < 0 ? Number.POSITIVE_INFINITY : (sums[at] ?? Number.POSITIVE_INFINITY);
  };
  const { layers } = inForce;
  const standing: Standing = {
    layers: layers.layers,
    scopes: scopesOf(manner.scopes),
    policyVersion: layers.version,
    pauses: inForce.pauses,
    // The epoch is compared with the store's when the call is looked up, or when its Change is applied.
    pausesFresh: true,
    promotions: inForce.rows.promotions,
    grants: counted.grants.map((grant) => ({
      grant,
      usesLeft: grant.usesMax === undefined ? Number.POSITIVE_INFINITY : grant.usesMax - sumOf(grantCounter(grant.id)),
    })),
    used: (counters) => counters.reduce((sum, name) => sum + sumOf(name), 0),
    canAsk: manner.canWait && deps.callback?.supportsInteraction !== false,
    quarantined: false,
  };
  if (layers.noPolicy !== undefined) standing.noPolicy = layers.noPolicy;
  if (deps.callback !== undefined && reply !== undefined) standing.callback = namedReply(deps.callback.name, reply);
  if (permit !== undefined) standing.permit = permit;
  return standing;
}

/**
 * What the program's callback says. A person's word comes first: where a live grant of a person covers a call that would
 * run, the callback is not asked.
 */
export async function replyFor(
  deps: Deps,
  call: ToolCall,
  effect: Effect,
  given: Given,
  nowMs: number,
): Promise<{ given: CallbackReply | undefined } | undefined> {
  if (deps.callback === undefined) return undefined;
  const { decision, standing } = judge(deps, call, effect, given, nowMs);
  if (decision.outcome === "run" && personCovers(call, effect, standing, nowMs)) return undefined;
  return { given: await deps.callback.decide(call, effect) };
}

function namedReply(name: string, reply: CallbackReply): NamedReply {
  if (reply.answer === "deny") return { name, answer: "deny", reason: reply.reason ?? "Permission denied by policy" };
  return { name, answer: reply.answer };
}
