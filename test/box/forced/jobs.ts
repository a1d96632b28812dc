import { NO_WALLS_OPEN, type Walls } from "../../../src/core/box.ts";
import type { ToolCall } from "../../../src/core/call.ts";
import { classify } from "../../../src/core/classify/classify.ts";
import { protectionOf } from "../../../src/core/classify/protect.ts";
import { readCall } from "../../../src/core/classify/reading.ts";
import { boxFor } from "../../../src/core/decide/box/walls.ts";
import { compilePolicy } from "../../../src/core/decide/compile.ts";
import { bareStanding, type Standing } from "../../../src/core/decide/standing.ts";
import type { Effect, Part } from "../../../src/core/effect.ts";
import { emptyPolicy } from "../../../src/core/policy.ts";
import { sha256 } from "../../../src/core/values/hash.ts";
import { type Case, readCases } from "../../cases/cases.ts";
import { commandCall, knowing } from "../../cases/trying.ts";
import { random } from "../../model/random.ts";
import type { Job, Try } from "./inside.ts";

// Which walls a dangerous command would get if the tables were wrong about it.

const PROJECT = "/home/ana/project";
const version = sha256("standard");
const at = { file: "leeway.yaml", line: 1, column: 1 };
const standing: Standing = {
  ...bareStanding(
    [compilePolicy({ ...emptyPolicy("leeway.yaml", version), preset: { name: "standard", at } })],
    version,
  ),
  box: { project: PROJECT, rehearses: true, ownRepository: true },
};

type Dangerous = { command: string; call: ToolCall; effect: Effect };

function dangerous({ command = "" }: Case): Dangerous {
  const call = { ...commandCall(command), tool: "shell" };
  return { command, call, effect: classify(readCall(call), knowing(call)) };
}

function wallsOf(call: ToolCall, effect: Effect, isLifted: boolean): Walls {
  return boxFor(call, effect, standing, { outcome: "run" }, isLifted ? "box" : undefined)?.walls ?? NO_WALLS_OPEN;
}

/** The walls of a command all of whose parts were taken for reading. */
export function takenForReading({ command, call, effect }: Dangerous): Try {
  const [first, ...rest] = effect.parts;
  const reading = (part: Part): Part => ({ ...part, class: "fs.read", level: "read" });
  const parts: Effect["parts"] = [reading(first), ...rest.map(reading)];
  return { command, walls: wallsOf(call, { ...effect, understood: "fully", parts }, false), rehearse: false };
}

/** The walls of a command whose code nobody can read. */
export function takenForCode({ command, call, effect }: Dangerous): Try {
  return { command, walls: wallsOf(call, { ...effect, understood: "partly" }, true), rehearse: true };
}

/** No program can be given a text with a zero byte in it. */
const canStart = (command: string | undefined) => command?.includes("\0") === false;
export const dangers = readCases().filter(({ command, tier }) => canStart(command) && tier === "ask");

export function sample(count: number): readonly Case[] {
  const r = random(20_261_118);
  const left = [...dangers];
  return Array.from({ length: count }, () => left.splice(r.int(left.length), 1)).flat();
}

/** Where a box hides credentials: docs/box.md says that those in packages, or in unusual places of a home, are not covered. */
const IS_COVERED = /^\/(home\/ana\/(?!\.newtool|Library)|etc\/(?!newtool)|root\/|var\/)[^\0]/;
const IN_PACKAGES = /\/(node_modules|site-packages|dist-packages|\.git)\/.*\//;

/** A command may name a folder because of what is in it, such as `.cargo`: a file of that name is no credential. */
function fileAt(path: string): readonly string[] {
  const isSecret = (one: string) => protectionOf(one, "read", { home: "/home/ana", project: PROJECT }) !== undefined;
  return [path, `${path}/credentials`].filter(isSecret).slice(0, 1);
}

export function jobOf(cases: readonly Case[], tries: (one: Dangerous) => readonly Try[]): Job {
  const judged = cases.map(dangerous);
  const secrets = judged.flatMap(({ effect }) =>
    effect.parts.filter(({ class: kind }) => kind === "secrets.read").flatMap(({ targets }) => targets),
  );
  const named = secrets.flatMap((target) =>
    target.kind === "path" && !/[*?[{]/.test(target.path) ? [target.path] : [],
  );
  const ports = judged.flatMap(({ command }) => [...command.matchAll(/\b\d{2,5}\b/g)].map(([port]) => Number(port)));
  return {
    tries: judged.flatMap(tries),
    secrets: [...new Set(named.filter((path) => IS_COVERED.test(path) && !IN_PACKAGES.test(path)).flatMap(fileAt))],
    ports: [...new Set(ports.filter((port) => port >= 20 && port < 65_536))],
  };
}
