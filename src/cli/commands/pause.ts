import type { Pause, PauseScope } from "../../core/standing.ts";
import { nearest } from "../../core/values/nearest.ts";
import { visible } from "../../core/values/text.ts";
import { wordsText } from "../../core/values/words-text.ts";
import { listAgents } from "../../gate/standing/agents.ts";
import { liftPause, listPauses, setPause } from "../../gate/standing/pause.ts";
import { Failure, orFail, usage } from "../failure.ts";
import { type Opened, withGate } from "../gate.ts";
import { AS_OPTION, prove } from "../person.ts";
import { type CommandSpec, type Given, text } from "../spec.ts";

const SCOPES = ["agent", "session", "tool", "grant", "reviewer"] as const;

const SCOPE_OPTIONS = [
  ["--agent <name>", "this agent only"],
  ["--session <id>", "this session only"],
  ["--tool <name>", "this tool only; with --agent or --session, only theirs"],
  ["--grant <id>", "this grant only"],
  ["--reviewer <name>", "this reviewer only"],
] as const;

export const pause: CommandSpec = {
  name: "pause",
  summary: "stop everything, or one agent, session, tool, grant or reviewer",
  options: [...SCOPE_OPTIONS, ["--because <text>", "why; agents are told"], AS_OPTION],
  examples: ["leeway pause", "leeway pause --agent coder --because 'it loops'"],
  exits: [0, 1, 2, 5],
  act: (given) => withGate(given, (deps) => pauseScope(given, deps, scopeOf(given))),
};

export const resume: CommandSpec = {
  name: "resume",
  summary: "lift a pause",
  options: [...SCOPE_OPTIONS, AS_OPTION],
  examples: ["leeway resume", "leeway resume --agent coder"],
  exits: [0, 1, 2, 5],
  act: (given) => withGate(given, (deps) => resumeScope(given, deps, scopeOf(given))),
};

export const NO_REASON = "no reason was given";

export async function pauseScope(given: Given, deps: Opened, scope: PauseScope): Promise<number> {
  const { name } = await prove(given, deps, `pause ${nameOf(scope)}`);
  const because = text(given, "because") ?? NO_REASON;
  const set = orFail(await setPause(deps, { scope, because, by: name, assurance: "tty" }));
  given.out.answer(set.value, () => `${nameOf(scope)} is paused; \`${liftedBy(scope)}\` lifts it`);
  if (scope.of === "agent") await noteUnknown(given, deps, scope.name);
  return 0;
}

/** It is paused all the same: an agent may come later. Whoever mistyped a name should not believe that one has stopped. */
async function noteUnknown(given: Given, deps: Opened, agent: string): Promise<void> {
  const names = (await listAgents(deps)).map(({ name }) => name);
  if (names.includes(agent)) return;
  const near = nearest(agent, names);
  const meant = near === undefined ? "`leeway agents list` shows who is" : `did you mean ${visible(near)}?`;
  given.out.note(`no agent called ${visible(agent)} has been seen here; ${meant}`);
}

export async function resumeScope(given: Given, deps: Opened, scope: PauseScope): Promise<number> {
  const pauses = (await listPauses(deps)).filter((held) => held.state === "set");
  const set = pauses.filter((held) => isSame(held.scope, scope));
  if (set.length === 0) throw new Failure(1, `${nameOf(scope)} is not paused`, hintFor(scope, pauses));
  const { name } = await prove(given, deps, `resume ${nameOf(scope)}`);
  const lifted: Pause[] = [];
  for (const held of set) lifted.push(orFail(await liftPause(deps, held.id, { by: name, assurance: "tty" })).value);
  given.out.answer(lifted, () => `${nameOf(scope)} goes on`);
  return 0;
}

/** What is paused, whole: a tool that is stopped in one session goes on in all others. */
export function nameOf(scope: PauseScope): string {
  if (scope.of === "everything") return scope.of;
  return [
    `${scope.of} ${visible(scope.name)}`,
    ...whoseOf(scope).map(([of, name]) => `of ${of} ${visible(name)}`),
  ].join(" ");
}

/** Whose tool it is, where it is not everybody's. */
function whoseOf(scope: PauseScope): readonly (readonly [of: "agent" | "session", name: string])[] {
  if (scope.of !== "tool") return [];
  return (["agent", "session"] as const).flatMap((of) => {
    const name = scope[of];
    return name === undefined ? [] : [[of, name] as const];
  });
}

export function scopeOf(given: Given): PauseScope {
  const tool = text(given, "tool");
  const [agent, session] = [text(given, "agent"), text(given, "session")];
  const named = SCOPES.flatMap((of) => {
    const name = text(given, of);
    return name === undefined ? [] : [{ of, name }];
  });
  const isOfTool = tool !== undefined && named.length === 2 && (agent !== undefined || session !== undefined);
  if (isOfTool)
    return {
      of: "tool",
      name: tool,
      ...(agent === undefined ? {} : { agent }),
      ...(session === undefined ? {} : { session }),
    };
  if (named.length > 1)
    throw usage("a pause is about one thing, or one tool of an agent or a session", "run the command once for each");
  return named[0] ?? { of: "everything" };
}

function isSame(a: PauseScope, b: PauseScope): boolean {
  return flagOf(a) === flagOf(b);
}

/** The command that lifts a pause of this. */
export function liftedBy(scope: PauseScope): string {
  return `leeway resume${flagOf(scope)}`;
}

/** How the pause is named on the command line. */
function flagOf(scope: PauseScope): string {
  if (scope.of === "everything") return "";
  return [[scope.of, scope.name] as const, ...whoseOf(scope)]
    .map(([of, name]) => ` --${of} ${wordsText([name])}`)
    .join("");
}

/** A tool of one session is not the tool of everybody, but most likely what is meant. */
function hintFor(scope: PauseScope, pauses: readonly Pause[]): string {
  const near = pauses.find((held) => scope.of === "tool" && held.scope.of === "tool" && held.scope.name === scope.name);
  return near === undefined
    ? "`leeway status` lists what is"
    : `${nameOf(near.scope)} is: \`leeway resume${flagOf(near.scope)}\``;
}
