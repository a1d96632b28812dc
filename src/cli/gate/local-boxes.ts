import { mkdirSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasTools } from "../../box/packages/tools.ts";
import { NotRehearsed } from "../../box/rehearsal/tools.ts";
import type { BoxAbility, Boxing, PreparedBox, ProgramStart } from "../../box-port.ts";
import { readSettings } from "../../config/environment.ts";
import { APPLY_TOOL, type Box } from "../../core/box.ts";
import { isUnder } from "../../core/classify/path.ts";
import { BOUND, type Environment } from "../../core/tables/variables.ts";
import { sha256 } from "../../core/values/hash.ts";
import { once } from "../../core/values/once.ts";
import { applyRunner, submitChanges } from "../../gate/boxes/changes.ts";
import { execute } from "../../gate/calls/execute.ts";
import { type CallerOptions, DEFAULT_CALLER, PROGRAM_DOOR } from "../../gate/calls/judging.ts";
import { wait } from "../../gate/calls/wait.ts";
import type { Deps } from "../../gate/deps.ts";
import type { HookBoxes } from "../../hooks/boxed.ts";
import { withoutVariables } from "../../hooks/install/command.ts";
import type { HookSurroundings } from "../../hooks/local.ts";
import { shown } from "../failure.ts";
import type { Io } from "../terminal/io.ts";
import type { CommandBoxes } from "./command-gate.ts";

/** What makes boxes on this machine; loaded only by doors that run commands. */
export async function boxingHere(deps: { clock: Pick<Deps["clock"], "nowMs"> }, env: Environment): Promise<Boxing> {
  const { openBoxing } = await import("../../box/boxing.ts");
  const { stateFolder, home } = readSettings(env, env["HOME"]);
  return openBoxing({ stateFolder, home }, () => deps.clock.nowMs());
}

const abilities = new WeakMap<object, Promise<BoxAbility>>();

/** Whether this machine can make boxes; found out once for each gate. */
export function boxAbility(deps: Deps, env: Environment): Promise<BoxAbility> {
  const known = abilities.get(deps) ?? boxingHere(deps, env).then(({ maker }) => maker.ability());
  abilities.set(deps, known);
  return known;
}

type Able = Extract<BoxAbility, { ok: true }>;

/** The boxes of this machine, if it can make any. A machine that cannot is named once, not by every command. */
export async function boxesHere(
  deps: Deps,
  io: Pick<Io, "env" | "stderr">,
): Promise<{ ability: Able; of: CommandBoxes } | undefined> {
  const boxing = await boxingHere(deps, io.env);
  const ability = await boxing.maker.ability();
  if (!ability.ok) {
    const { why, hint, isNew } = ability;
    if (isNew === true)
      io.stderr.write(
        `leeway: no box can be made here (${shown(why)}), so more commands are asked about\n  hint: ${hint}\n`,
      );
    return undefined;
  }
  deps.runners.set(APPLY_TOOL, applyRunner(boxing.rehearsals));
  const project = projectFolder(deps);
  return {
    ability,
    of: {
      project,
      keeps: ability.keeps !== false,
      prepare: (start, box) => preparedBox(boxing, start, box, project),
      submitChanges: async (call, { rehearsal }, box) =>
        rehearsal === undefined ? undefined : submitChanges(deps, boxing, { call, box, project, rehearsal }),
      apply: async ({ id, executionId }) => {
        if (executionId !== undefined) await execute(deps, executionId);
        return wait(deps, id, { timeoutMs: 0, looksOn: true });
      },
    },
  };
}

/**
 * A command that was decided by its words is rehearsed only so that it can be undone. In a project that cannot be rehearsed it
 * changes files where they are.
 */
async function preparedBox({ maker }: Boxing, start: ProgramStart, box: Box, project: string): Promise<PreparedBox> {
  const { walls, rehearsed, because } = box;
  try {
    return await maker.prepare(start, walls, { rehearse: rehearsed, project });
  } catch (error) {
    if (!(error instanceof NotRehearsed) || because !== "enforced") throw error;
    // Nothing would keep what was in a file with credentials that the command replaces.
    const reveal = walls.reveal.filter((path) => !isUnder(path, project));
    return maker.prepare(start, { ...walls, reveal }, { rehearse: false, project });
  }
}

/** The project without links in its path. */
export function projectFolder({ policies }: Pick<Deps, "policies">): string {
  return realpathSync.native(policies.current().project);
}

/** A caller that runs calls in boxes, if boxes can be made. */
export function callerWith(deps: Deps, env: Environment, ability: BoxAbility | undefined): CallerOptions {
  if (ability?.ok !== true) return DEFAULT_CALLER;
  const boxes = { rehearses: ability.rehearses, ownRepository: hasOwnRepository(deps), tools: hasToolsHere(deps, env) };
  return { ...DEFAULT_CALLER, door: { ...PROGRAM_DOOR, boxes } };
}

/**
 * A program in the background is started by its keeper. A copy of the project would not show it what others change meanwhile,
 * and what it changes would be applied only when it ends.
 */
export function keptBy(caller: CallerOptions): CallerOptions {
  const { boxes, ...door } = caller.door;
  if (boxes === undefined) return caller;
  return { ...caller, door: { ...door, boxes: { ...boxes, rehearses: false }, starts: "later" } };
}

/** In a worktree, and in a part of a repository, the repository is elsewhere. */
function hasOwnRepository({ policies }: Deps): boolean {
  const { project } = policies.current();
  return statSync(join(project, ".git"), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Whether tools were installed for the boxes of this project. */
function hasToolsHere(deps: Deps, env: Environment): boolean {
  const { stateFolder } = readSettings(env, env["HOME"]);
  return hasTools({ stateFolder, project: projectFolder(deps) });
}

/** Why no box can be made here; undefined if one can. */
export async function whyNoBox(deps: Deps, env: Environment): Promise<{ why: string; hint: string } | undefined> {
  const ability = await (await boxingHere(deps, env)).maker.ability();
  return ability.ok ? undefined : ability;
}

/** What a hook decided with: its variables, and the folder whose policy it used. */
export type HookSettings = { env: Record<string, string>; folder: string };

/** Variables that say which gate decides, and those by which programs are found. */
export const CARRIED = [...BOUND, "XDG_STATE_HOME", "LEEWAY_DB", "LEEWAY_WORKSPACE"] as const;

/** How a hook starts calls in boxes. Found out once for one hook, and only if it is asked. */
export function hookBoxes(deps: Deps, env: Environment, folder: string): Pick<HookSurroundings, "boxes" | "noBoxes"> {
  const ability = once(async () => (await boxingHere(deps, env)).maker.ability());
  const boxes = once(async (): Promise<HookBoxes | undefined> => {
    const found = await ability();
    if (!found.ok) return undefined;
    const { stateFolder } = readSettings(env, env["HOME"]);
    const settings = keptSettings(join(stateFolder, "box", "hooks"), env, folder);
    const program = realpathSync(process.argv[1] ?? "");
    return {
      rehearses: found.rehearses,
      ownRepository: hasOwnRepository(deps),
      tools: hasToolsHere(deps, env),
      start: (call) =>
        withoutVariables({
          program: process.execPath,
          args: [program, "box", "--call", call, "--settings", settings],
        }),
    };
  });
  const noBoxes = async () => {
    const found = await ability();
    return found.ok || found.isNew !== true ? undefined : found;
  };
  return { boxes, noBoxes };
}

/** Hooks of one project have the same settings, so there are few files, and each is written once. */
function keptSettings(places: string, env: Environment, folder: string): string {
  const set = CARRIED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  const text = JSON.stringify({ env: Object.fromEntries(set), folder } satisfies HookSettings);
  const file = join(places, `${sha256(text).slice("sha256:".length, "sha256:".length + 16)}.json`);
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) return file;
  mkdirSync(places, { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  writeFileSync(next, text, { mode: 0o600 });
  renameSync(next, file);
  return file;
}
