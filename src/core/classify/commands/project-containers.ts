import type { CommandTarget, Part } from "../../effect.ts";
import { type ContainerRow, containerProgram } from "../../tables/project/containers.ts";
import { isUnder, normalise } from "../path.ts";
import { atFolder, isOwnFile, leadsAway, type ProjectSeen } from "./project-files.ts";

// Which parts of a call only use containers of the project: images are built from its files, containers see nothing else of the
// machine by the words of the command, compose files are files of the project. What an image or a compose file contains is not read.

/** Whether the part is such a command of a container program, or what it starts inside of a container. */
export function isProjectContainer({ class: kind, targets }: Part, seen: ProjectSeen): boolean {
  const [target] = targets;
  if (targets.length !== 1 || target?.kind !== "command") return false;
  return kind === "process.exec" && (parse(target, seen) !== undefined || isInside(target, seen));
}

function commandsOf({ effect }: ProjectSeen): readonly CommandTarget[] {
  return effect.parts.flatMap(({ targets }) =>
    targets.filter((target): target is CommandTarget => target.kind === "command"),
  );
}

/** `nginx -t` in `docker run nginx nginx -t`. */
function isInside({ words, env }: CommandTarget, seen: ProjectSeen): boolean {
  if (env.length > 0 || words.length === 0) return false;
  return commandsOf(seen).some((outer) => {
    const parsed = parse(outer, seen);
    return parsed !== undefined && words.join("\0") === parsed.command.join("\0");
  });
}

type Option = readonly [name: string, value: string];
/** The options before the words, the words, and what is left of the command line. */
type Taken = { options: readonly Option[]; rest: readonly string[] };
type Parsed = { options: readonly Option[]; command: readonly string[] };

/** Undefined if anything is not known, or is not the project's. */
function parse({ words, env, cwd }: CommandTarget, seen: ProjectSeen): Parsed | undefined {
  const folder = normalise(cwd ?? seen.cwd);
  const program = containerProgram(words);
  if (program === undefined || env.length > 0 || !isUnder(folder, seen.project)) return undefined;
  const before =
    program.before === undefined ? { options: [], rest: program.rest } : take(program.before, program.rest);
  if (before === undefined) return undefined;
  const [one = "", two = ""] = before.rest;
  const verb = program.rows.has(`${one} ${two}`) ? `${one} ${two}` : one;
  const row = program.rows.get(verb);
  const after = row === undefined ? undefined : take(row, before.rest.slice(verb.split(" ").length));
  if (row === undefined || after === undefined) return undefined;
  const line = { verb, row, options: [...before.options, ...after.options], rest: after.rest };
  if (!line.options.every((option) => isOwnOption(option, row, folder, seen))) return undefined;
  return isOwnLine(line, folder, seen) ? { options: line.options, command: commandOf(row, after.rest) } : undefined;
}

/** The options at the start of the words; undefined if one is not in the table. */
function take({ flags, valued }: ContainerRow, words: readonly string[]): Taken | undefined {
  const options: Option[] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("-") || word === "-") break;
    if (flags.has(word) || isLetters(word, flags)) continue;
    const sign = word.indexOf("=");
    const name = sign < 0 ? word : word.slice(0, sign);
    if (!valued.has(name)) return undefined;
    if (sign < 0) at++;
    const value = sign < 0 ? words[at] : word.slice(sign + 1);
    if (value === undefined) return undefined;
    options.push([name, value]);
  }
  return { options, rest: words.slice(at) };
}

/** `-it`: letters without a value, together. */
function isLetters(word: string, flags: ReadonlySet<string>): boolean {
  return /^-[a-zA-Z]{2,}$/.test(word) && [...word.slice(1)].every((letter) => flags.has(`-${letter}`));
}

const FILES: ReadonlySet<string> = new Set(["-f", "--file"]);
const VOLUMES: ReadonlySet<string> = new Set(["-v", "--volume"]);
/** A name without a value would hand on a variable of this machine. */
const SETTINGS: ReadonlySet<string> = new Set(["-e", "--env", "--build-arg"]);

function isOwnOption([name, value]: Option, { takes }: ContainerRow, folder: string, seen: ProjectSeen): boolean {
  if (FILES.has(name) && takes !== "containers") return isOwnFile(atFolder(value, folder), ["script"], seen);
  if (VOLUMES.has(name)) return isOwnVolume(value, folder, seen);
  return SETTINGS.has(name) ? /^\w+=/.test(value) : true;
}

/** A folder or file of the project; a volume with a name may belong to another project. */
function isOwnVolume(value: string, folder: string, seen: ProjectSeen): boolean {
  const [, place = ""] = /^([^:]*):\/[^:]*(:(ro|rw|z|Z|,)+)?$/.exec(value) ?? [];
  return /^[./]/.test(place) && isUnder(atFolder(place, folder), seen.project) && !leadsAway(place, folder);
}

type ReadLine = { verb: string; row: ContainerRow; options: readonly Option[]; rest: readonly string[] };

function isOwnLine({ row, options, rest }: ReadLine, folder: string, seen: ProjectSeen): boolean {
  const names = rest.every((word) => /^[\w.-]+$/.test(word) && !word.startsWith("-"));
  const isFileNamed = options.some(([name]) => FILES.has(name));
  switch (row.takes) {
    case "context":
      return rest.length === 1 && isOwnContext(rest[0] ?? "", isFileNamed, folder, seen);
    case "image":
      return /^[\w./:@-]+$/.test(rest[0] ?? "") && !(rest[0] ?? "").startsWith("-");
    case "services":
      return names && (isFileNamed || hasFile(COMPOSE_FILES, folder, seen));
    case "service":
      return /^[\w.-]+$/.test(rest[0] ?? "") && (isFileNamed || hasFile(COMPOSE_FILES, folder, seen));
    case "containers":
      return rest.length > 0 && rest.every((name) => isMadeHere(name, seen));
  }
}

const COMPOSE_FILES = ["compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"];

function hasFile(names: readonly string[], folder: string, seen: ProjectSeen): boolean {
  return names.some((name) => isOwnFile(`${folder}/${name}`, ["looked for"], seen));
}

/** The folder of the command itself, whose real place is known; another one may be a link, and its files are sent to the engine. */
function isOwnContext(place: string, isFileNamed: boolean, folder: string, seen: ProjectSeen): boolean {
  const isHere = place === "." || place === "./";
  return isHere && (isFileNamed || hasFile(["Dockerfile"], folder, seen));
}

/** Whether the same call makes a container with this name; another one may belong to somebody else. */
function isMadeHere(name: string, seen: ProjectSeen): boolean {
  return commandsOf(seen).some(({ words }) => {
    const program = containerProgram(words);
    const [verb = ""] = program?.rest ?? [];
    const row = program?.rows.get(verb);
    if (program?.before !== undefined || row?.takes !== "image") return false;
    const options = take(row, program?.rest.slice(1) ?? [])?.options ?? [];
    return options.some(([option, value]) => option === "--name" && value === name);
  });
}

function commandOf({ takes }: ContainerRow, rest: readonly string[]): readonly string[] {
  return takes === "image" || takes === "service" ? rest.slice(1) : [];
}
