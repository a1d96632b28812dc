import { stateFolderOf } from "../../../config/server-file.ts";
import { nameText } from "../../../core/letters/name-text.ts";
import { inEnglish } from "../../../core/messages/text.ts";
import type { Pause, PauseScope, PauseText } from "../../../core/standing/standing.ts";
import { nearest } from "../../../core/values/nearest.ts";
import { visible } from "../../../core/values/text.ts";
import { liftPause, listPauses } from "../../../gate/standing/pause.ts";
import { Failure, orFail, usage } from "../../failure.ts";
import type { CommandGate } from "../../gate/command-gate.ts";
import { type OpenedGate, withDatabase } from "../../gate/database.ts";
import { withGate } from "../../gate/with-gate.ts";
import { Register } from "../../kept/register.ts";
import { AS_OPTION, prove } from "../../person.ts";
import { type CommandInput, type CommandSpec, text } from "../../spec.ts";
import { flagOf, nameOf } from "../../views/pause-names.ts";
import { shortId } from "../../views/texts.ts";

const SCOPES = ["agent", "session", "tool", "grant", "reviewer"] as const;

const SCOPE_OPTIONS = [
  ["--agent <name>", "this agent only"],
  ["--session <id>", "this session only"],
  ["--tool <name>", "this tool only; add --agent or --session to pause it only there"],
  ["--grant <id>", "this grant only"],
  ["--reviewer <name>", "this reviewer only"],
] as const;

export const pause: CommandSpec = {
  name: "pause",
  summary: "pause everything, or one agent, session, tool, grant or reviewer",
  options: [...SCOPE_OPTIONS, ["--because <text>", "the reason; agents read it"], AS_OPTION],
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

export async function pauseScope(given: CommandInput, gate: CommandGate, scope: PauseScope): Promise<number> {
  const person = await gate.prove(`pause ${nameOf(scope)}`);
  const set = await person.pause(scope, text(given, "because") ?? NO_REASON);
  given.out.answer(set, () => `${nameOf(scope)} is paused; to resume: ${gate.whereabouts.lift(scope)}`);
  if (scope.of === "agent") await noteUnknown(given, gate, scope.name);
  noteRunning(given, scope);
  return 0;
}

/** A pause stops decisions. What was decided before goes on, until somebody ends it. */
function noteRunning({ out, io }: CommandInput, scope: PauseScope): void {
  if (scope.of !== "agent" && scope.of !== "everything") return;
  const running = new Register(stateFolderOf(io.env)).running(scope.of === "agent" ? scope.name : undefined);
  for (const { call, command } of running)
    out.note(`still running in the background: ${visible(command)}; to end it: leeway box stop ${shortId(call)}`);
}

/**
 * An unknown agent is paused too, because it may appear later. The hint helps if the name was mistyped and the real
 * agent still runs.
 */
async function noteUnknown(given: CommandInput, gate: CommandGate, agent: string): Promise<void> {
  const names = (await gate.agents()).map(({ name }) => name);
  if (names.includes(agent)) return;
  const near = nearest(agent, names);
  const meant = near === undefined ? "run `leeway agents list` to see all agents" : `did you mean ${nameText(near)}?`;
  given.out.note(`no agent named ${nameText(agent)} has made a call here; ${meant}`);
}

export async function resumeScope(given: CommandInput, deps: OpenedGate, scope: PauseScope): Promise<number> {
  const pauses = (await listPauses(deps)).filter((held) => held.state === "set");
  const set = pauses.filter((held) => isSame(held.scope, scope));
  if (set.length === 0) throw new Failure(1, `${nameOf(scope)} is not paused`, hintFor(scope, pauses));
  const { name } = await prove(given, deps, `resume ${nameOf(scope)}`);
  const lifted: PauseText[] = [];
  for (const held of set)
    lifted.push(inEnglish(orFail(await liftPause(deps, held.id, { by: name, assurance: "tty" })).value));
  given.out.answer(lifted, () => `${nameOf(scope)} is no longer paused`);
  return 0;
}

function scopeOf(given: CommandInput): PauseScope {
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
    throw usage(
      "only one thing can be paused at a time (or one tool of an agent or a session)",
      "run the command once for each",
    );
  return named[0] ?? { of: "everything" };
}

function isSame(a: PauseScope, b: PauseScope): boolean {
  return flagOf(a) === flagOf(b);
}

/** A pause of a tool in one session is not a pause of the tool, but most likely what the person meant. */
function hintFor(scope: PauseScope, pauses: readonly Pause[]): string {
  const near = pauses.find((held) => scope.of === "tool" && held.scope.of === "tool" && held.scope.name === scope.name);
  return near === undefined
    ? "run `leeway status` to see what is paused"
    : `${nameOf(near.scope)} is paused; to resume it: \`leeway resume${flagOf(near.scope)}\``;
}
