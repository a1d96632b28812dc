import { type CommandTarget, type Effect, type Fact, levelSatisfies, type Part, type Target } from "../../effect.ts";
import { programOf } from "../../tables/launchers.ts";
import { isProjectRun } from "../../tables/runners.ts";
import { SCRIPT_ROWS, type ScriptRow } from "../../tables/scripts.ts";
import { isUnder, normalise } from "../path.ts";
import { protectionOf } from "../protect.ts";

// Which parts of a call run code of the project: code that is in its files now. Text in the command itself (`-c`, `-e`, a
// heredoc) is not, nor a file that the same command writes: it is not a file of the project when the call is decided.

/** Where the call runs, and the project whose code is meant, both as the caller spells them. */
type Where = { cwd: string; project: string };

/** Marks the parts that run nothing but code of the project. */
export function withProjectCode(effect: Effect, where: Where): Effect {
  if (effect.understood !== "fully" || effect.declared !== undefined) return effect;
  if (!effect.parts.some((part) => part.class === "process.exec")) return effect;
  const project = realProject(effect, where);
  if (project === undefined) return effect;
  const seen = { project, cwd: project + where.cwd.slice(where.project.length), facts: effect.facts ?? [], effect };
  const marked = effect.parts.map((part) => (runsProject(part, seen) ? { ...part, projectCode: project } : part));
  return { ...effect, parts: marked as unknown as Effect["parts"] };
}

/** The real folder of the project, taken from the real folder of the call; undefined if a link inside leads elsewhere. */
function realProject({ facts = [] }: Effect, { cwd, project }: Where): string | undefined {
  const folder = facts.find((fact) => fact.of === "folder")?.path;
  if (folder === undefined || !isUnder(cwd, project)) return undefined;
  const inside = cwd.slice(project.length);
  return folder.endsWith(inside) ? folder.slice(0, folder.length - inside.length) || undefined : undefined;
}

type Seen = { project: string; cwd: string; facts: readonly Fact[]; effect: Effect };

function runsProject({ class: kind, targets }: Part, seen: Seen): boolean {
  if (kind !== "process.exec" || targets.length === 0) return false;
  return targets.every((target) => target.kind === "command" && isProjectCommand(target, seen));
}

function isProjectCommand({ words, env, cwd }: CommandTarget, seen: Seen): boolean {
  const folder = normalise(cwd ?? seen.cwd);
  const [first = "", ...rest] = words;
  if (env.length > 0 || !isUnder(folder, seen.project) || rest.some((word) => leadsAway(word, folder))) return false;
  if (isProjectRun(words) || isPackageScript(words, folder, seen)) return true;
  const row = ROWS.get(programOf(first));
  // `source` runs a script in the shell itself, which it can change for the commands after it.
  if (row?.script === true) return row.programs !== "source ." && runsScript(row, rest, folder, seen);
  if (row?.looksFor !== undefined && BUILDERS.test(row.programs)) return runsTargets(row, rest, folder, seen);
  if (first.includes("/")) return isOwnFile(atFolder(first, folder), ["program"], seen);
  return isPackageProgram(words, folder, seen);
}

const ROWS: ReadonlyMap<string, ScriptRow> = new Map(
  SCRIPT_ROWS.flatMap((row) => row.programs.split(" ").map((program) => [program, row] as const)),
);

/** Programs that run what a file of the project says, by the names of its targets. */
const BUILDERS = /^(make|ninja|just|task|rake|ant)\b/;

/** Places of the project that say what its builds and tests start: to name one is to name its code. */
const OWN_PLACES: ReadonlySet<string> = new Set(["build_or_test", "next_build"]);

/** An address, a home folder, or a protected place: such an argument is asked about, whoever reads it. */
function leadsAway(word: string, folder: string): boolean {
  const value = word.startsWith("-") ? word.slice(word.indexOf("=") + 1) : word;
  if (value.includes("://") || /^~/.test(value)) return true;
  const place = protectionOf(atFolder(value, folder), "any")?.what;
  return place !== undefined && !OWN_PLACES.has(place);
}

function atFolder(path: string, folder: string): string {
  return normalise(path.startsWith("/") ? path : `${folder}/${path}`);
}

/** Whether the path is a file of the project, in one of these uses, and no link to something else. */
function isOwnFile(path: string, uses: readonly string[], seen: Seen): boolean {
  if (!isUnder(path, seen.project) || isChanged(path, seen.effect)) return false;
  const isFound = (fact: Fact) =>
    (fact.of === "file" || fact.of === "large") && uses.includes(fact.use) && fact.path === path;
  return seen.facts.some(isFound) || isPackageFile(path, seen);
}

/** A file that the same command changes is not what it is now when it runs. */
function isChanged(path: string, { parts }: Effect): boolean {
  const changes = (target: Target) =>
    target.kind === "path" && levelSatisfies(target.level, "write") && isUnder(path, target.path);
  return parts.some(({ targets }) => targets.some(changes));
}

/** What a package manager installs in a project is there as a link to a file of the package. */
const PACKAGE_BIN = /\/node_modules\/\.bin\/[\w.-]+$/;

/** Whether exactly this program was found there, and leads to a file of a package in the project. */
function isPackageFile(place: string, { project, facts, effect }: Seen): boolean {
  const isOne = (path: string) => isUnder(path, project) && path.includes("/node_modules/") && !isChanged(path, effect);
  return (
    PACKAGE_BIN.test(place) && facts.some((fact) => fact.of === "found" && fact.name === place && isOne(fact.path))
  );
}

const MANAGERS: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun"]);
const QUIET: ReadonlySet<string> = new Set(["-s", "--silent", "--if-present"]);

/** `npm test`, `npm run NAME`: a script of the package, with any arguments after `--`. */
function isPackageScript(words: readonly string[], folder: string, seen: Seen): boolean {
  const [manager = "", ...rest] = words.filter((word) => !QUIET.has(word));
  if (!MANAGERS.has(manager) || !isOwnFile(`${folder}/package.json`, ["looked for"], seen)) return false;
  const [verb = "", ...after] = rest;
  const isNamed = verb === "run" || verb === "run-script";
  if (!isNamed && verb !== "test" && verb !== "start") return false;
  const [name = ""] = after;
  const others = isNamed ? after.slice(1) : after;
  return (!isNamed || /^[\w:.-]+$/.test(name)) && (others.length === 0 || others[0] === "--");
}

/** Letters that change how a script is run, but not which one, where the program knows them. */
const PLAIN_LETTERS = "BOeuvx";

function isPlainOption({ letters = "", plain = "" }: ScriptRow, word: string): boolean {
  if (plain.split(" ").includes(word)) return true;
  const isPlain = (letter: string) => letters.includes(letter) && PLAIN_LETTERS.includes(letter);
  return /^-\w+$/.test(word) && [...word.slice(1)].every(isPlain);
}

/** A file of the project as the first operand of an interpreter, or a module of it. */
function runsScript(row: ScriptRow, words: readonly string[], folder: string, seen: Seen): boolean {
  const at = words.findIndex((word) => !isPlainOption(row, word));
  const [script = "", module = ""] = words.slice(at < 0 ? words.length : at);
  if (row.modules === script) return MODULE_FILES.some((end) => isModule(module, end, folder, seen));
  return !script.startsWith("-") && isOwnFile(atFolder(script, folder), ["script"], seen);
}

const MODULE_FILES = [".py", "/__main__.py"];

function isModule(name: string, end: string, folder: string, seen: Seen): boolean {
  return /^[\w.]+$/.test(name) && isOwnFile(`${folder}/${name.replaceAll(".", "/")}${end}`, ["looked for"], seen);
}

const BUILD_WORD = /^([A-Za-z][\w.:/-]*|-j\d*|-[skBnq]|--silent|\d+)$/;

/** `make test`: names of targets, where the file with the targets is in the project. */
function runsTargets({ looksFor = "" }: ScriptRow, words: readonly string[], folder: string, seen: Seen): boolean {
  const isThere = looksFor.split(" ").some((name) => isOwnFile(`${folder}/${name}`, ["looked for"], seen));
  return isThere && words.every((word) => BUILD_WORD.test(word));
}

/** `npx TOOL`, if the tool is installed in the project, and what it starts. Without it, npx would load it from elsewhere. */
function isPackageProgram(words: readonly string[], folder: string, seen: Seen): boolean {
  const [first, tool = ""] = words;
  const isStarted = (line: readonly string[]) => line[0] === "npx" && line.slice(1).join("\0") === words.join("\0");
  const lines = seen.effect.parts.flatMap(({ targets }) =>
    targets.flatMap((target) => (target.kind === "command" ? [target.words] : [])),
  );
  const name = first === "npx" ? tool : lines.some(isStarted) ? first : undefined;
  if (name === undefined || !/^[A-Za-z][\w.-]*$/.test(name)) return false;
  return isPackageFile(`${folder}/node_modules/.bin/${name}`, seen);
}
