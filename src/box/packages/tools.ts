import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PackageKind, Walls } from "../../core/box.ts";
import { sha256 } from "../../core/values/hash.ts";
import { sizeText } from "../../core/values/size.ts";

// The tools of a project: what its commands installed "for the whole machine" while they ran in a box. They are in a folder
// of the state folder, one for each project. Only boxes of that project have it, always at the same path.

const AT = "/run/leeway-tools";

/** Where programs of each kind are. */
const PROGRAMS: { readonly [kind in PackageKind]: string } = {
  npm: `${AT}/npm/bin`,
  pypi: `${AT}/python/bin`,
  go: `${AT}/go/bin`,
  crates: `${AT}/cargo/bin`,
};

type Variables = Readonly<Record<string, string>>;

/** By these, package managers install there, and remove from there. */
const INSTALLING: { readonly [kind in PackageKind]: Variables } = {
  npm: { npm_config_prefix: `${AT}/npm` },
  // Python of the system says that it is managed by the system's packages. Nothing of it is changed here.
  pypi: { PIP_USER: "1", PIP_BREAK_SYSTEM_PACKAGES: "1" },
  go: { GOBIN: PROGRAMS.go },
  crates: { CARGO_INSTALL_ROOT: `${AT}/cargo` },
};

const TOOLS_BYTES_MAX = 10 * 1024 ** 3;

type Of = { stateFolder: string; project: string };

export function toolsFolder({ stateFolder, project }: Of): string {
  return join(stateFolder, "box", "tools", sha256(project).slice("sha256:".length, "sha256:".length + 32));
}

/** Whether anything was installed for the boxes of this project. */
export function hasTools(of: Of): boolean {
  return isThere(join(toolsFolder(of), "files"));
}

/** Arguments of bubblewrap that put the tools into a box. Variables are set inside of the box only. */
export function toolsArgs({ tools, packages = [] }: Walls, of: Of, env: Variables): readonly string[] {
  if (tools === undefined) return [];
  const files = join(toolsFolder(of), "files");
  if (tools.length > 0) makeFolder(of);
  else if (!isThere(files)) return [];
  // In a box that can read modules of Go, no code may run that somebody chose: the tools are not on its path.
  const isForGo = packages.some(({ kind }) => kind === "go");
  const seen = isForGo ? {} : seenBy(files, tools, env);
  const set = Object.assign({}, seen, ...tools.map((kind) => INSTALLING[kind])) as Variables;
  return [
    ...["--dir", AT, tools.length > 0 ? "--bind" : "--ro-bind", files, AT],
    ...Object.entries(set).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}

/** Tools come last: they never stand for a program that the machine has. */
function seenBy(files: string, tools: readonly PackageKind[], env: Variables): Variables {
  const path = [env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin", ...Object.values(PROGRAMS)].join(":");
  // Python then no longer finds packages in the home folder, so this is set only for projects with packages of their own.
  const hasPython = tools.includes("pypi") || isThere(join(files, "python"));
  return { PATH: path, ...(hasPython ? { PYTHONUSERBASE: `${AT}/python` } : {}) };
}

function makeFolder(of: Of): void {
  const folder = toolsFolder(of);
  const bytes = sizeOf(folder);
  if (bytes > TOOLS_BYTES_MAX)
    throw new Error(
      `the tools of ${of.project} take ${sizeText(bytes)}, and no more can be installed: remove them with ` +
        `\`leeway box tools --remove ${of.project}\``,
    );
  mkdirSync(join(folder, "files"), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "project"), of.project, { mode: 0o600 });
}

export type ProjectTools = { project: string; bytes: number; isGone: boolean };

/** All projects that have tools, with what they take on the disk. */
export function listTools(stateFolder: string): readonly ProjectTools[] {
  const all = join(stateFolder, "box", "tools");
  if (!isThere(all)) return [];
  return readdirSync(all).map((name) => {
    const project = readFileSync(join(all, name, "project"), "utf8");
    return { project, bytes: sizeOf(join(all, name)), isGone: !isThere(project) };
  });
}

/** False if the project has no tools. */
export function removeTools(of: Of): boolean {
  if (!isThere(toolsFolder(of))) return false;
  rmSync(toolsFolder(of), { recursive: true, force: true });
  return true;
}

/** What is there was written by programs in boxes, so links are never followed. */
function sizeOf(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.blocks * 512;
  return readdirSync(path).reduce((bytes, name) => bytes + sizeOf(join(path, name)), 0);
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
