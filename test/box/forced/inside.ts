import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { openBoxing } from "../../../src/box/boxing.ts";
import type { ProgramStart } from "../../../src/box-port.ts";
import type { Walls } from "../../../src/core/box.ts";
import { CANARY, HOME, isGivenAway, type Machine, makeMachine, PROJECT, STATE } from "./canaries.ts";

// The program of the throw-away machine: runs every command in its walls and looks at what happened to the machine.

/** `walls`: none to run it without any, as a control. */
export type Try = { command: string; walls: Walls | undefined; rehearse: boolean };
export type Job = { tries: readonly Try[]; secrets: readonly string[]; ports: readonly number[] };
export type Breach = { command: string; rehearse: boolean; what: readonly string[] };
export type Verdict = { ran: number; ended: number; breaches: readonly Breach[]; failed: readonly string[] };

const BATCH = 64;
const AT_ONCE = 12;
const TRY_MS = 2_000;
const OUTPUT_MAX = 1_000_000;
/** The machine has 600 processes for all: a command that starts as many as it can must leave some to those that run beside it. */
const LIMITS = { processes: 100 };

const ENV = {
  PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
  HOME,
  USER: "ana",
  LANG: "C.UTF-8",
  SECRET_TOKEN: CANARY,
  AWS_SECRET_ACCESS_KEY: CANARY,
  SSH_AUTH_SOCK: "/run/agent.sock",
};

const boxing = openBoxing({ stateFolder: STATE, home: HOME }, Date.now);
const verdict = { ran: 0, ended: 0, breaches: [] as Breach[], failed: [] as string[] };

async function main(): Promise<void> {
  const { tries, secrets, ports } = JSON.parse(readFileSync("/job/job.json", "utf8")) as Job;
  const machine = await makeMachine(secrets, ports);
  const ability = await boxing.maker.ability();
  if (!ability.ok || !ability.rehearses) throw new Error(`no box can be made in a box: ${JSON.stringify(ability)}`);
  machine.restore();
  const isControl = tries.some(({ walls }) => walls === undefined);
  for (let at = 0; at < tries.length; at += isControl ? 1 : BATCH) {
    const batch = tries.slice(at, at + (isControl ? 1 : BATCH));
    const harm = await harmOf(batch, machine);
    if (harm.length === 0) continue;
    // Which one was it?
    for (const one of batch) {
      const alone = outsideOf(one.walls, batch.length === 1 ? harm : await harmOf([one], machine));
      if (alone.length > 0) verdict.breaches.push(breachOf(one, alone));
    }
  }
  process.stdout.write(JSON.stringify(verdict), () => process.exit(0));
}

/** Without what the walls open: a new temporary place that the command names is made, and with it the folder that it is in. */
function outsideOf(walls: Walls | undefined, harm: readonly string[]): readonly string[] {
  const places = (walls?.write ?? []).filter((path) => TEMPORARY.test(path));
  const isOpen = (path: string) =>
    places.some((place) => path === place || path.startsWith(`${place}/`) || place.startsWith(`${path}/`));
  return harm.filter((what) => !what.startsWith(CHANGED) || !isOpen(what.slice(CHANGED.length)));
}

const CHANGED = "changed ";
const TEMPORARY = /^(\/var)?\/tmp\/[^/]/;

function breachOf({ command, rehearse }: Try, what: readonly string[]): Breach {
  return { command, rehearse, what: what.slice(0, 8) };
}

/** Runs commands, a few at the same time. Afterwards the machine is as before. */
async function harmOf(batch: readonly Try[], machine: Machine): Promise<string[]> {
  const said: string[] = [];
  const waiting = [...batch];
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      if (isGivenAway(await outputOf(one))) said.push("printed a secret");
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const harm = [...said, ...machine.harm()];
  if (harm.length > 0) machine.restore();
  return harm;
}

/** Not for commands that start bubblewrap themselves: they get the same messages from their own. */
const NOT_STARTED = /^bwrap: (Can't (?!fork)|Creating|setting up)|the box is not started/m;
const STARTS_BWRAP = /\bbwrap\b/;

async function outputOf({ command, walls, rehearse }: Try): Promise<string> {
  const start = { program: "/bin/bash", name: "bash", args: ["-c", command], cwd: PROJECT, env: ENV };
  verdict.ran++;
  if (walls === undefined) return printed(start);
  const box = await boxing.maker.prepare(start, { ...walls, limits: LIMITS }, { rehearse, project: PROJECT });
  const text = await printedAtLast(box.start);
  if (NOT_STARTED.test(text) && !STARTS_BWRAP.test(command)) verdict.failed.push(`${command}: ${text.slice(0, 300)}`);
  const { rehearsal } = await box.ended(text);
  if (rehearsal !== undefined) await boxing.rehearsals.drop(rehearsal.name);
  return text;
}

const AGAIN_MS = 200;

/** Another command may have started as many processes as there can be; it is ended soon. */
async function printedAtLast(start: ProgramStart): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      return await printed(start);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || tries * AGAIN_MS > 10 * TRY_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

function printed({ program, name, args, cwd, env }: ProgramStart): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { argv0: name, cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let text = "";
    const hear = (bytes: Buffer) => {
      if (text.length < OUTPUT_MAX) text += bytes.toString("latin1");
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    const timer = setTimeout(() => {
      verdict.ended++;
      endGroup(child.pid ?? 0);
      child.stdout.destroy();
      child.stderr.destroy();
    }, TRY_MS);
    child.on("error", reject).on("close", () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}

/** It may have ended by itself in this moment. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

await main();
