import type { Pause, PauseScope } from "../../core/standing.ts";
import { visible } from "../../core/values/text.ts";
import { liftPause, listPauses, setPause } from "../../gate/pause.ts";
import { Failure, orFail, usage } from "../failure.ts";
import { type Opened, withGate } from "../gate.ts";
import { AS_OPTION, prove } from "../person.ts";
import { type CommandSpec, type Given, text } from "../spec.ts";

const SCOPES = ["agent", "session", "tool", "grant", "reviewer"] as const;

const SCOPE_OPTIONS = [
  ["--agent <name>", "this agent only"],
  ["--session <id>", "this session only"],
  ["--tool <name>", "this tool only"],
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

export async function pauseScope(given: Given, deps: Opened, scope: PauseScope): Promise<number> {
  const { name } = await prove(given, deps, `pause ${nameOf(scope)}`);
  const because = text(given, "because") ?? `paused by ${name}`;
  const set = orFail(await setPause(deps, { scope, because, by: name }));
  given.out.answer(set.value, () => `${nameOf(scope)} is paused; \`leeway resume${flagOf(scope)}\` lifts it`);
  return 0;
}

export async function resumeScope(given: Given, deps: Opened, scope: PauseScope): Promise<number> {
  const set = (await listPauses(deps)).filter((held) => held.state === "set" && isSame(held.scope, scope));
  if (set.length === 0) throw new Failure(1, `${nameOf(scope)} is not paused`, "`leeway status` lists what is");
  const { name } = await prove(given, deps, `resume ${nameOf(scope)}`);
  const lifted: Pause[] = [];
  for (const held of set) lifted.push(orFail(await liftPause(deps, held.id, { by: name, assurance: "tty" })).value);
  given.out.answer(lifted, () => `${nameOf(scope)} goes on`);
  return 0;
}

export function nameOf(scope: PauseScope): string {
  return scope.of === "everything" ? "everything" : `${scope.of} ${visible(scope.name)}`;
}

function scopeOf(given: Given): PauseScope {
  const named = SCOPES.flatMap((of) => {
    const name = text(given, of);
    return name === undefined ? [] : [{ of, name }];
  });
  if (named.length > 1) throw usage("a pause is about one thing", "run the command once for each");
  return named[0] ?? { of: "everything" };
}

function isSame(a: PauseScope, b: PauseScope): boolean {
  return a.of === b.of && (a.of === "everything" || b.of === "everything" || a.name === b.name);
}

function flagOf(scope: PauseScope): string {
  return scope.of === "everything" ? "" : ` --${scope.of} ${scope.name}`;
}
