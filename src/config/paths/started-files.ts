import { join, resolve } from "node:path";
import { isUnder, normalise } from "../../core/classify/path.ts";
import { isMildGit } from "../../core/classify/settings.ts";
import { namedByDirenv } from "./direnv.ts";
import { statOf } from "./disk.ts";
import { gitFolderOf, listingOf, type ReadFile, readAt } from "./settings-files.ts";

// Agent programs, git and editors start programs that their settings name, by themselves and outside of any box. If such a program is
// a file of the project, whoever changes the file decides what is started. So it counts as the settings that name it.

/**
 * A file of the project that need not exist, or a folder whose programs are all started by their names; and the settings file that
 * names it. `anywhere`: a file of this name counts in every folder of the project.
 */
export type StartedFile = { place: string; by: string; folder?: true; anywhere?: true };

/**
 * Settings that name programs. Those of agents are read for every word that is a path: hooks, servers, helpers and lines of status have
 * names that change from version to version.
 */
const SETTINGS = [
  ".mcp.json",
  "opencode.json",
  "opencode.jsonc",
  ".devcontainer.json",
  ".devcontainer/devcontainer.json",
  ".envrc",
  ".mise.toml",
  ".mise/config.toml",
  ".pre-commit-config.yaml",
  "lefthook.yml",
  "lefthook.yaml",
  "mise.local.toml",
  "mise.toml",
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".codex/config.toml",
  ".codex/hooks.json",
  ".copilot/mcp-config.json",
  ".cursor/hooks.json",
  ".cursor/mcp.json",
  ".gemini/settings.json",
  ".github/copilot/settings.json",
  ".github/copilot/settings.local.json",
  ".opencode/opencode.json",
  ".opencode/opencode.jsonc",
  ".vscode/mcp.json",
  ".vscode/settings.json",
  ".vscode/tasks.json",
];

/** Folders of the project in which each file is started, or is such a settings file. */
const FOLDERS = [".husky", ".github/hooks"];

/** Enough for every settings file that people write; the rest of a longer list is not looked at. */
const WORDS_MAX = 1_000;

export function startedFiles(project: string, home: string): readonly StartedFile[] {
  const git = gitFolderOf(project);
  const named = [...settingsIn(project, git).flatMap((file) => namedIn(file, project)), ...namedByGit(project, git)];
  return [...named, ...loadedIn(project, home)];
}

/**
 * Agent programs that put the variables of a file into the environment in which they start hooks, and the settings that say that such
 * a program is used here. `BASH_ENV` is obeyed before a hook begins.
 */
const LOADING = [{ settings: ".gemini/settings.json", loads: ".env" }];

function loadedIn(project: string, home: string): readonly StartedFile[] {
  return LOADING.flatMap(({ settings, loads }) => {
    const by = [join(project, settings), join(home, settings)].find((file) => statOf(file) !== "missing");
    return by === undefined ? [] : [{ place: join(project, loads), by, anywhere: true as const }];
  });
}

/** The settings files that may be there. What is in a folder that does not exist is left out without a look at the disk. */
function settingsIn(project: string, git: string): readonly string[] {
  const { names } = listingOf(project);
  const isThere = (path: string) => names.has(path.split("/")[0] ?? "");
  const folders = FOLDERS.filter(isThere).map((folder) => join(project, folder));
  const inFolders = [join(git, "hooks"), ...folders].flatMap((folder) =>
    listingOf(folder).files.flatMap((name) => (name.endsWith(".sample") ? [] : join(folder, name))),
  );
  return [...SETTINGS.filter(isThere).map((path) => join(project, path)), ...inFolders];
}

const OPENS_BY_ITSELF = /"folderOpen"/;

function namedIn(by: string, project: string): readonly StartedFile[] {
  const file = readAt(by);
  if (file === undefined) return [];
  // Other tasks are started by a person, by their names.
  if (by.endsWith("tasks.json") && !OPENS_BY_ITSELF.test(file.text)) return [];
  const files = placesIn(wordsOf(file, by), project).map((place) => ({ place, by }));
  if (!by.endsWith(".envrc")) return files;
  const named = namedByDirenv(file.text);
  const folders = insideOf(named.folders, project).map((place) => ({ place, by, folder: true as const }));
  return [...files, ...insideOf(named.files, project).map((place) => ({ place, by })), ...folders];
}

function namedByGit(project: string, git: string): readonly StartedFile[] {
  const by = join(git, "config");
  const settings = readAt(by)?.settings() ?? [];
  const named = settings.filter((one) => !isMildGit(one) && !ABOUT_PLACES.test(one.name));
  const paths = named.flatMap(({ value }) => pathsIn(value));
  return placesIn(paths, project).map((place) => ({ place, by }));
}

/** These name places and addresses, and start nothing. Hooks are looked at by themselves. */
const ABOUT_PLACES =
  /^(core\.(hookspath|worktree|attributesfile|excludesfile)|include(if\..*)?\.path|(remote|submodule|url)\..*)$/is;

/** A file is read again only if it changed, and so are its words. */
const known = new WeakMap<ReadFile, readonly string[]>();

function wordsOf(file: ReadFile, by: string): readonly string[] {
  const found = known.get(file) ?? findWords(file.text, by);
  known.set(file, found);
  return found;
}

/** These also name much that nothing starts, so only what starts something is read. */
const STARTING_PARTS: readonly (readonly [file: RegExp, part: RegExp])[] = [
  // A person starts the tasks of mise; it loads the environment and runs the hooks by itself.
  [/\bmise\b.*\.toml$/, /^\s*(?:env\.)?_?\.?(?:source|file|path|enter|leave|cd|preinstall|postinstall)\s*=.*$/gm],
  // The other commands run in the container.
  [/devcontainer\.json$/, /"initializeCommand"\s*:\s*("(?:[^"\\]|\\.)*"|\[[^\]]*\]|\{[^}]*\})/g],
  [
    /settings\.json$/,
    /"(?:[\w.-]*(?:interpreterPath|executable|executablePath|binaryPath|serverPath|command)|[\w.-]*\.path|path)"\s*:\s*("(?:[^"\\]|\\.)*"|\[[^\]]*\])/gi,
  ],
];

function findWords(text: string, by: string): readonly string[] {
  const isAgents = /\.(claude|gemini)\/settings/.test(by);
  const part = isAgents ? undefined : STARTING_PARTS.find(([file]) => file.test(by))?.[1];
  if (part !== undefined) return pathsIn((text.match(part) ?? []).join("\n"));
  return /\.(jsonc?|toml)$/.test(by) ? [...pathsIn(text), ...elsewhereIn(text)] : startedIn(text);
}

/** What a command starts in another folder (`cd scripts && ./a.sh`, `uv --directory srv run a.py`), and modules of Python. */
function elsewhereIn(text: string): readonly string[] {
  const words = text.replace(/\\?["']/g, " ").split(/[\s,;&|:=[\]{}]+/);
  const folders = words.flatMap((word, index) => (ENTERING.test(words[index - 1] ?? "") ? [word] : []));
  const named = words.filter((word) => isProgram(word));
  const modules = words.flatMap((word, index) =>
    words[index - 1] === "-m" && /^[a-z_][\w.]*$/i.test(word) ? modulePaths(word.replaceAll(".", "/")) : [],
  );
  const inFolders = folders
    .slice(0, FOLDERS_MAX)
    .flatMap((folder) => [...named, ...modules].map((word) => `${folder}/${word}`));
  return [...modules, ...inFolders].filter((path) => PATH.test(path)).slice(0, WORDS_MAX);
}

const ENTERING = /^(cd|cwd|-C|--directory|--cwd|--prefix|--project|workingDirectory)$/;
const FOLDERS_MAX = 20;

function modulePaths(path: string): readonly string[] {
  return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`];
}

/** What a script, or a line of settings that has a command, starts: the first word of each command, or what an interpreter is given. */
function startedIn(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => withoutNested(line.slice(0, LINE_MAX)));
  const nested = text.split("\n").flatMap((line) => line.slice(0, LINE_MAX).match(/\$\([^()]*\)|`[^`]*`/g) ?? []);
  const inside = nested.map((command) => command.replace(/^\$\(|[)`]/g, ""));
  const commands = [...lines, ...inside].flatMap((line) => line.split(/[;|&(){}]|\b(?:then|do|else)\b/));
  return pathsIn(commands.map(firstPath).join("\n"));
}

/** What a command in a command prints, as `$(pwd)/x.sh`, is taken for the project. */
function withoutNested(line: string): string {
  return line.replace(/^[\s-]*(entry|run):/, "").replace(/\$\([^()]*\)/g, "$here");
}

const LINE_MAX = 2_000;
const INTERPRETERS = new Set(
  ". bash bun command dash deno env exec node npx perl php pnpm poetry python python3 ruby run sh source source_env source_env_if_exists ts-node tsx uv yarn zsh".split(
    " ",
  ),
);

function firstPath(command: string): string {
  const isBefore = (word: string) =>
    word === "" || word.startsWith("-") || word.includes("=") || INTERPRETERS.has(word);
  return command.split(/\s+/).find((word) => !isBefore(word)) ?? "";
}

/** Every word of a text that may be a path. A variable before a path stands for the project, as in `$CLAUDE_PROJECT_DIR/x.sh`. */
function pathsIn(text: string): readonly string[] {
  const plain = text
    .replace(/\\(?:["']|(?=\/))/g, "")
    .replace(/\$\{(\w+)\}/g, "$$$1")
    .replace(/"(\$\w+)"(?=\/)/g, "$1");
  const found = new Set<string>();
  for (const word of plain.split(/[\s"'`;|&<>=,!:[\]{}]+/)) {
    const path = word.replace(/^.*\)(?=\/)|^\$\w+(?=\/)/, ".");
    if (isProgram(path)) found.add(path);
    if (found.size >= WORDS_MAX) break;
  }
  return [...found];
}

const PATH = /^[\w.@%+/][\w.@%+~/-]{0,511}$/;
const DATA = /\.(cfg|conf|css|csv|env|html?|ini|jsonc?|lock|log|mdx?|png|svg|toml|txt|xml|ya?ml)$/i;
const FILE_NAME = /\.\w{1,8}$/;

/** Only what can be started: settings also name files that are read. */
function isProgram(word: string): boolean {
  return PATH.test(word) && !DATA.test(word) && (word.includes("/") || FILE_NAME.test(word));
}

/** The files, or the names of files that may be made, inside of the project. A folder is named for what is in it, not to be started. */
function placesIn(paths: readonly string[], project: string): readonly string[] {
  return insideOf(paths, project).filter((place) => {
    const found = statOf(place);
    return typeof found === "string" ? found === "missing" : !found.isDirectory();
  });
}

function insideOf(paths: readonly string[], project: string): readonly string[] {
  const places = paths.map((path) => normalise(resolve(project, path)));
  return places.filter((place) => place !== project && isUnder(place, project));
}
