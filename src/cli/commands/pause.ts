import type { Pause, PauseScope } from "../../core/standing.ts";
import { nearest } from "../../core/values/nearest.ts";
import { visible } from "../../core/values/text.ts";
import { liftPause, listPauses } from "../../gate/standing/pause.ts";
import { Failure, orFail, usage } from "../failure.ts";
import type { CommandGate } from "../gate/command-gate.ts";
import { type Opened, withDatabase } from "../gate/database.ts";
import { withGate } from "../gate/with-gate.ts";
import { flagOf, nameOf } from "../pause-words.ts";
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
  act: (given) => withGate(given, (gate) => pauseScope(given, gate, scopeOf(given))),
};

export const resume: CommandSpec = {
  name: "resume",
  summary: "lift a pause",
  options: [...SCOPE_OPTIONS, AS_OPTION],
  examples: ["leeway resume", "leeway resume --agent coder"],
  exits: [0, 1, 2, 5],
  page: "Settings",
  act: (given) => withDatabase(given, (deps) => resumeScope(given, deps, scopeOf(given))),
};

const NO_REASON = "no reason was given";

export async function pauseScope(given: Given, gate: CommandGate, scope: PauseScope): Promise<number> {
  const person = await gate.prove(`pause ${nameOf(scope)}`);
  const set = await person.pause(scope, text(given, "because") ?? NO_REASON);
  given.out.answer(set, () => `${nameOf(scope)} is paused; ${gate.whereabouts.lift(scope)} lifts it`);
  if (scope.of === "agent") await noteUnknown(given, gate, scope.name);
  return 0;
}

/** It is paused all the same: an agent may come later. Whoever mistyped a name should not believe that one has stopped. */
async function noteUnknown(given: Given, gate: CommandGate, agent: string): Promise<void> {
  const names = (await gate.agents()).map(({ name }) => name);
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

function scopeOf(given: Given): PauseScope {
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

/** A tool of one session is not the tool of everybody, but most likely what is meant. */
function hintFor(scope: PauseScope, pauses: readonly Pause[]): string {
  const near = pauses.find((held) => scope.of === "tool" && held.scope.of === "tool" && held.scope.name === scope.name);
  return near === undefined
    ? "`leeway status` lists what is"
    : `${nameOf(near.scope)} is: \`leeway resume${flagOf(near.scope)}\``;
}
