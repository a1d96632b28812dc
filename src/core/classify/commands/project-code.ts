import type { CommandTarget, Effect, Part } from "../../effect.ts";
import { programOf } from "../../tables/launchers.ts";
import { isProjectRun } from "../../tables/project/runners.ts";
import { SCRIPT_ROWS, type ScriptRow } from "../../tables/scripts.ts";
import { isUnder, normalise } from "../path.ts";
import { isProjectContainer } from "./project-containers.ts";
import { atFolder, isOwnFile, isPackageFile, leadsAway, type ProjectSeen } from "./project-files.ts";

// Which parts of a call run code of the project: code that is in its files now. Text in the command itself (`-c`, `-e`, a
// heredoc) is not, nor a file that the same command writes: it is not a file of the project when the call is decided.
// And which parts only use containers of the project.

/** Where the call runs, and the project whose code is meant, both as the caller spells them. */
type Where = { cwd: string; project: string };

/** Marks the parts that run nothing but code of the project, and those that only use its containers. */
export function withProjectMarks(effect: Effect, where: Where): Effect {
  if (effect.understood !== "fully" || effect.declared !== undefined) return effect;
  if (!effect.parts.some((part) => part.class === "process.exec")) return effect;
  const project = realProject(effect, where);
  if (project === undefined) return effect;
  const seen = { project, cwd: project + where.cwd.slice(where.project.length), facts: effect.facts ?? [], effect };
  const marked = effect.parts.map((part) => {
    if (runsProject(part, seen)) return { ...part, projectCode: project };
    return isProjectContainer(part, seen) ? { ...part, projectContainers: project } : part;
  });
  return { ...effect, parts: marked as unknown as Effect["parts"] };
}

/** The real folder of the project, taken from the real folder of the call; undefined if a link inside leads elsewhere. */
function realProject({ facts = [] }: Effect, { cwd, project }: Where): string | undefined {
  const folder = facts.find((fact) => fact.of === "folder")?.path;
  if (folder === undefined || !isUnder(cwd, project)) return undefined;
  const inside = cwd.slice(project.length);
  return folder.endsWith(inside) ? folder.slice(0, folder.length - inside.length) || undefined : undefined;
}

function runsProject({ class: kind, targets }: Part, seen: ProjectSeen): boolean {
  if (kind !== "process.exec" || targets.length === 0) return false;
  return targets.every((target) => target.kind === "command" && isProjectCommand(target, seen));
}

function isProjectCommand({ words, env, cwd }: CommandTarget, seen: ProjectSeen): boolean {
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

const MANAGERS: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun"]);
const QUIET: ReadonlySet<string> = new Set(["-s", "--silent", "--if-present"]);

/** `npm test`, `npm run NAME`: a script of the package, with any arguments after `--`. */
function isPackageScript(words: readonly string[], folder: string, seen: ProjectSeen): boolean {
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
function runsScript(row: ScriptRow, words: readonly string[], folder: string, seen: ProjectSeen): boolean {
  const at = words.findIndex((word) => !isPlainOption(row, word));
  const [script = "", module = ""] = words.slice(at < 0 ? words.length : at);
  if (row.modules === script) return MODULE_FILES.some((end) => isModule(module, end, folder, seen));
  return !script.startsWith("-") && isOwnFile(atFolder(script, folder), ["script"], seen);
}

const MODULE_FILES = [".py", "/__main__.py"];

function isModule(name: string, end: string, folder: string, seen: ProjectSeen): boolean {
  return /^[\w.]+$/.test(name) && isOwnFile(`${folder}/${name.replaceAll(".", "/")}${end}`, ["looked for"], seen);
}

const BUILD_WORD = /^([A-Za-z][\w.:/-]*|-j\d*|-[skBnq]|--silent|\d+)$/;

/** `make test`: names of targets, where the file with the targets is in the project. */
function runsTargets(
  { looksFor = "" }: ScriptRow,
  words: readonly string[],
  folder: string,
  seen: ProjectSeen,
): boolean {
  const isThere = looksFor.split(" ").some((name) => isOwnFile(`${folder}/${name}`, ["looked for"], seen));
  return isThere && words.every((word) => BUILD_WORD.test(word));
}

/** `npx TOOL`, if the tool is installed in the project, and what it starts. Without it, npx would load it from elsewhere. */
function isPackageProgram(words: readonly string[], folder: string, seen: ProjectSeen): boolean {
  const [first, tool = ""] = words;
  const isStarted = (line: readonly string[]) => line[0] === "npx" && line.slice(1).join("\0") === words.join("\0");
  const lines = seen.effect.parts.flatMap(({ targets }) =>
    targets.flatMap((target) => (target.kind === "command" ? [target.words] : [])),
  );
  const name = first === "npx" ? tool : lines.some(isStarted) ? first : undefined;
  if (name === undefined || !/^[A-Za-z][\w.-]*$/.test(name)) return false;
  return isPackageFile(`${folder}/node_modules/.bin/${name}`, seen);
}
