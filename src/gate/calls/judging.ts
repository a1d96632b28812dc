import type { CallerBoxes, Question } from "../../core/approval.ts";
import { type Digest, digestOf, type ToolCall } from "../../core/call.ts";
import { classify, namedPaths, namedSettings, TOO_LARGE_EFFECT } from "../../core/classify/classify.ts";
import { withProjectMarks } from "../../core/classify/commands/project-code.ts";
import { BASH_USED, type FileUsed, filesUsed, withFacts } from "../../core/classify/facts.ts";
import { type DeclaredTools, declaredTools } from "../../core/classify/known-tool.ts";
import { type CallReading, givesLine, readCall } from "../../core/classify/reading.ts";
import type { SettingsFound } from "../../core/classify/settings.ts";
import { temporaryPaths } from "../../core/decide/box/fits.ts";
import { installings } from "../../core/decide/box/packages.ts";
import { limitUses } from "../../core/decide/caps.ts";
import { decide } from "../../core/decide/decide.ts";
import { isCoveredBy } from "../../core/decide/grants.ts";
import type { Standing } from "../../core/decide/standing.ts";
import type { Decision } from "../../core/decision.ts";
import type { Effect, Fact } from "../../core/effect.ts";
import type { Policy, ToolDeclaration } from "../../core/policy.ts";
import { BUILTINS } from "../../core/shell/program.ts";
import { type Grant, grantCounter } from "../../core/standing/grant.ts";
import type { NamedReply } from "../../core/standing/standing.ts";
import type { Environment } from "../../core/tables/variables.ts";
import { canonical } from "../../core/values/canonical.ts";
import type { Json } from "../../core/values/json.ts";
import type { PathFactsSource, Runner } from "../../ports.ts";
import type { CallbackReply, Deps } from "../deps.ts";
import { type InForce, scopesOf } from "../standing/standing.ts";
import { timeToRead } from "../time/clock.ts";

// Collects everything that `decide` needs besides the call, in the same way for submitting, checking, claiming and editing.

/** What a door can do with a call besides submitting it. Each door declares it once, in one value. */
export type Door = {
  /** The caller can wait for an answer, or come back for it. */
  waits: boolean;
  /** The call is handed to another program, which may never tell how it ended. */
  hands: boolean;
  /** The program that runs the agent can ask its own user, if nobody else can answer. */
  delegates: boolean;
  /** The call can be run with other arguments than were sent: a reviewer may change them. */
  edits: boolean;
  /** The caller runs the call in the box that the decision names, and has tried that boxes can be made. */
  boxes?: CallerBoxes;
  /** A call with a box is not claimed now: the program that makes the box claims it when it starts the call. */
  starts?: "later";
};

/** A program that waits for the answer and runs the call itself: the library, the command line and the API. */
export const PROGRAM_DOOR: Door = { waits: true, hands: false, delegates: false, edits: true };

/** Everything about the caller that a decision depends on. */
export type CallerOptions = {
  scopes: readonly Policy[];
  door: Door;
  /** The gate's own runner should run the call, if one is registered. */
  runBy?: "leeway";
  /** The arguments of the call are a plan that the gate wrote itself. No door sets this. */
  plan?: NonNullable<Question["plan"]>;
  /** Nobody has accepted the definition of the tool yet, so the call is refused. */
  quarantined?: boolean;
  /** People are told about the command that this call belongs to, so they are not told again. */
  isTold?: boolean;
};

export const DEFAULT_CALLER: CallerOptions = { scopes: [], door: PROGRAM_DOOR };

/** What would be decided now. It records nothing, asks nobody, and uses up no grant or limit. */
export async function check(
  deps: Deps,
  call: ToolCall,
  caller: CallerOptions = DEFAULT_CALLER,
): Promise<{ decision: Decision; effect: Effect; digest: Digest }> {
  const nowMs = await timeToRead(deps);
  const inForce = await deps.standing.unrecorded();
  const effect = effectOf(deps, call, inForce);
  const given = {
    inForce,
    caller,
    ...(await countersOf(deps, call, effect, { inForce, caller, nowMs })),
  };
  const reply = deps.callback === undefined ? undefined : await replyFor(deps, call, effect, given, nowMs);
  const { decision } = judge(deps, call, effect, { ...given, reply: reply?.given }, nowMs);
  return { decision, effect, digest: digestOf(call) };
}

/** What the call would do, found from the call, the files and the settings on this machine. */
export function effectOf(deps: Deps, call: ToolCall, inForce: InForce): Effect {
  const { project, places } = deps.policies.current();
  const { paths } = deps;
  return effectSeen(call, {
    paths,
    project,
    places,
    declared: declaredIn(deps, inForce),
    runner: deps.runners.get(call.tool),
  });
}

/** Where a call is looked at: the disk, and what is known about tools. */
export type Viewpoint = {
  paths: PathFactsSource;
  project: string;
  /** Policy files, existing or possible. */
  places: readonly string[];
  declared: DeclaredTools;
  runner?: Runner | undefined;
};

export function effectSeen(call: ToolCall, { paths, project, places, declared, runner }: Viewpoint): Effect {
  const cwd = call.cwd ?? project;
  const reading = readCall(call);
  const named = namedPaths(reading);
  // The real path of the project matters only if the call names a path.
  const facts = paths.about(named.length === 0 ? named : [project, ...named], cwd, project);
  const asked = reading.commands.commands.length === 0 ? NO_SETTINGS_ASKED : namedSettings(reading, project);
  const settings = asked.length === 0 ? NO_SETTINGS : paths.settings(asked, project);
  const knowledge = { declared, project, facts: { ...facts, settings }, own: places };
  const effect = classify(reading, knowledge);
  const env = variablesOf(reading, runner);
  const { files, beyond } = filesUsed(effect, env);
  const bound = asked.length === 0 ? NO_FACTS : boundBy(settings);
  if (files.length === 0 && named.length === 0) return bound.length === 0 ? effect : withFacts(effect, bound);
  const isRun = files.length > 0 || runner?.shell === "bash";
  const used = isRun && givesLine(reading) ? usedByBash(files, runner) : files;
  const found = paths.files(used, { cwd, env, project });
  if (found === "too many") return TOO_LARGE_EFFECT;
  return withProjectMarks(withFacts(effect, [...found, ...bound], beyond), { cwd, project });
}

/** Words that are built into the shell need no file. A runner that runs the text with bash uses the file of bash. */
function usedByBash(files: readonly FileUsed[], runner: Runner | undefined): readonly FileUsed[] {
  const started = files.filter(({ use, name }) => use !== "program" || !BUILTINS.has(name));
  return runner?.shell === "bash" ? [BASH_USED, ...started] : started;
}

/** The settings files that a call depends on are facts about it, like the files that it runs. */
function boundBy(settings: { readonly [key: string]: SettingsFound }): readonly Fact[] {
  const facts = Object.values(settings).flatMap((found) => found.facts);
  return [...new Map(facts.map((fact) => [canonical(fact as Json), fact])).values()];
}

const NO_SETTINGS_ASKED: ReturnType<typeof namedSettings> = [];
const NO_FACTS: readonly Fact[] = [];
const NO_SETTINGS: { readonly [key: string]: SettingsFound } = {};

/** The environment variables of the command, if they differ from those of the gate: set by the call, else by its runner. */
function variablesOf({ found, commands: { sets } }: CallReading, runner: Runner | undefined): Environment {
  if (found === undefined || sets.length === 0) return runner?.env ?? NO_VARIABLES;
  const texts = sets.filter(({ value }) => value.kind === "plain").map(({ name, value }) => [name, value.text]);
  return { ...runner?.env, ...Object.fromEntries(texts) };
}

const NO_VARIABLES: Environment = {};

const merged = new WeakMap<InForce, { own: readonly ToolDeclaration[]; all: DeclaredTools }>();

/** What policies, people and the program declare about tools. It is combined again only if one of them changed. */
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

/** Live grants for the agent, session, run and person of this call. `decide` finds out what they cover. */
function grantsFor(call: ToolCall, inForce: InForce, nowMs: number): readonly Grant[] {
  const found = [...(inForce.grants.get(call.agent) ?? []), ...(inForce.grants.get("") ?? [])];
  // A plan may have given many grants for one call each; their counters need not be read for other calls.
  const digest = found.some(({ covers }) => covers.exact !== undefined) ? digestOf(call) : undefined;
  return found.filter(({ subject, covers, untilMs }) => {
    if (covers.exact !== undefined && covers.exact.digest !== digest) return false;
    if (untilMs !== undefined && nowMs >= untilMs) return false;
    if (subject.session !== undefined && subject.session !== call.session) return false;
    if (subject.run !== undefined && subject.run !== call.run) return false;
    return subject.person === undefined || subject.person === call.requestedBy;
  });
}

/** The counters to read before deciding: how much of each limit is used, and how often each grant was used. */
export type CountersToRead = { names: readonly string[]; grants: readonly Grant[] };

export function countersFor(
  call: ToolCall,
  effect: Effect,
  inForce: InForce,
  scopes: readonly Policy[],
  nowMs: number,
): CountersToRead {
  const grants = inForce.grants.size === 0 ? NOTHING_COUNTED.grants : grantsFor(call, inForce, nowMs);
  const layers = scopes.length === 0 ? inForce.layers.layers : [...inForce.layers.layers, ...scopesOf(scopes)];
  const uses = layers.every((layer) => layer.limits.length === 0) ? [] : limitUses(call, effect, layers, nowMs);
  if (grants.length === 0 && uses.length === 0) return NOTHING_COUNTED;
  const names = [
    ...grants.flatMap((grant) => (grant.usesMax === undefined ? [] : [grantCounter(grant.id)])),
    ...uses.flatMap((use) => use.counters),
  ];
  return { names, grants };
}

const NOTHING_COUNTED: CountersToRead & { sums: readonly number[] } = { names: [], grants: [], sums: [] };

/** What a call is judged by, besides the call and its effect. */
type JudgedBy = {
  inForce: InForce;
  caller: CallerOptions;
  counted: CountersToRead;
  sums: readonly number[];
  reply?: CallbackReply | undefined;
  permit?: Standing["permit"] | undefined;
};

/** A decision, with everything that it was based on. */
export type Judged = { decision: Decision; standing: Standing };

/** The only place where calls are decided: for submitting, checking, claiming and editing. */
export function judge(deps: Deps, call: ToolCall, effect: Effect, given: JudgedBy, nowMs: number): Judged {
  const standing = standingFor(deps, given);
  const boxes = boxesOf(deps, call, given.caller);
  if (boxes !== undefined) standing.box = boxIn(deps, effect, boxes, nowMs);
  return { decision: decide(call, effect, standing, nowMs), standing };
}

/**
 * Where boxes are made, which registries the package managers of this call would use there, and what is somebody's of the temporary
 * files that the call names.
 */
function boxIn(
  { policies, paths }: Deps,
  effect: Effect,
  boxes: CallerBoxes,
  nowMs: number,
): NonNullable<Standing["box"]> {
  const { project } = policies.current();
  const asked = installings(effect);
  const temporary = temporaryPaths(effect, project);
  const box: NonNullable<Standing["box"]> = { project, ...boxes };
  if (asked.length > 0) box.registries = paths.registries(asked, project);
  if (temporary.length > 0) box.taken = paths.taken(temporary, nowMs);
  return box;
}

/**
 * The boxes that the caller makes, or a runner of the gate. A runner changes files where they are: nobody would be there to
 * decide about a rehearsal.
 */
export function boxesOf(deps: Deps, { tool }: ToolCall, { door, runBy }: CallerOptions): CallerBoxes | undefined {
  if (door.boxes !== undefined) return door.boxes;
  return runBy === "leeway" && deps.runners.get(tool)?.boxes === true ? { rehearses: false } : undefined;
}

/** Reads the counters from the store. `submit` reads them together with the call instead. */
export async function countersOf(
  deps: Deps,
  call: ToolCall,
  effect: Effect,
  { inForce, caller, nowMs }: { inForce: InForce; caller: CallerOptions; nowMs: number },
): Promise<Pick<JudgedBy, "counted" | "sums">> {
  const counted = countersFor(call, effect, inForce, caller.scopes, nowMs);
  if (counted.names.length === 0) return { counted, sums: NOTHING_COUNTED.sums };
  const { store, workspace } = deps;
  return { counted, sums: await store.read({ ask: "counters", workspace, counters: counted.names, nowMs }) };
}

const NO_SCOPES: Standing["scopes"] = [];

/** Everything that `decide` knows besides the call. */
function standingFor(deps: Deps, given: JudgedBy): Standing {
  const { inForce, caller, counted, sums, reply, permit } = given;
  const sumOf = (name: string) => {
    const at = counted.names.indexOf(name);
    // A counter that was not read counts as full.
    return at < 0 ? Number.POSITIVE_INFINITY : (sums[at] ?? Number.POSITIVE_INFINITY);
  };
  const { layers } = inForce;
  const standing: Standing = {
    layers: layers.layers,
    scopes: caller.scopes.length === 0 ? NO_SCOPES : scopesOf(caller.scopes),
    policyVersion: layers.version,
    pauses: inForce.pauses,
    // The epoch is compared with that of the store when the call is read, or when its Change is committed.
    pausesFresh: true,
    promotions: inForce.rows.promotions,
    grants: counted.grants.map((grant) => ({
      grant,
      usesLeft: grant.usesMax === undefined ? Number.POSITIVE_INFINITY : grant.usesMax - sumOf(grantCounter(grant.id)),
    })),
    used: (counters) => counters.reduce((sum, name) => sum + sumOf(name), 0),
    canAsk: caller.door.waits && deps.callback?.supportsInteraction !== false,
    quarantined: caller.quarantined === true,
  };
  if (layers.noPolicy !== undefined) standing.noPolicy = layers.noPolicy;
  if (deps.callback !== undefined && reply !== undefined) standing.callback = namedReply(deps.callback.name, reply);
  if (permit !== undefined) standing.permit = permit;
  return standing;
}

/**
 * What the program's callback answers. A person's grant comes first: if it covers a call that would run, the callback is
 * not asked. A grant that the callback gave before answers its own `ask`, but not its `deny`.
 */
export async function replyFor(
  deps: Deps,
  call: ToolCall,
  effect: Effect,
  given: JudgedBy,
  nowMs: number,
): Promise<{ given: CallbackReply | undefined } | undefined> {
  if (deps.callback === undefined) return undefined;
  const { decision, standing } = judge(deps, call, effect, given, nowMs);
  const { name } = deps.callback;
  const runs = decision.outcome === "run";
  if (runs && isCoveredBy("person", call, effect, standing, nowMs)) return undefined;
  const answer = await deps.callback.decide(call, effect);
  const isGiven = answer?.answer === "ask" && runs && isCoveredBy({ callback: name }, call, effect, standing, nowMs);
  return { given: isGiven ? undefined : answer };
}

function namedReply(name: string, reply: CallbackReply): NamedReply {
  if (reply.answer === "deny") return { name, answer: "deny", reason: reply.reason ?? "Permission denied by policy" };
  return { name, answer: reply.answer };
}
