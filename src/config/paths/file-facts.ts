import { createHmac, hkdfSync } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import type { FileUsed } from "../../core/classify/facts.ts";
import { CALL_BYTES_MAX, FILE_BYTES_MAX } from "../../core/classify/facts.ts";
import { isUnder, normalise } from "../../core/classify/path.ts";
import type { Fact, FileUse } from "../../core/effect.ts";
import { BOUND, type Environment } from "../../core/tables/variables.ts";
import { findBash, findProgram, isExecutable } from "../../programs.ts";
import { type Hashing, isSpent, newLooking, type PathSearch, whereItLeads } from "./disk.ts";

/** `left` is how many bytes may still be read for this call, so that many files do not block other calls. */
type Ground = {
  cwd: string;
  env: Environment;
  project?: string;
  left: { bytes: number };
  looking: PathSearch;
  hashed: Hashing;
  /** The same for a variable. Most calls have the variables of the gate, so their hashes are kept. */
  hashedVariable: Hashing;
};

/**
 * Hashes files and variables with a key derived from the gate's key, so that a hash in the record does not reveal the
 * content of a file.
 */
export function keyedHashing(key: Uint8Array): Hashing {
  const own = Buffer.from(hkdfSync("sha256", key, "", "leeway: facts of files", 32));
  return (content) => `hmac-sha256:${createHmac("sha256", own).update(content).digest("hex")}`;
}

/**
 * The current state of the files that a call would run or change. The same files in the same state give the same
 * facts.
 */
export function fileFacts(
  used: readonly FileUsed[],
  how: Omit<Ground, "left" | "looking">,
): readonly Fact[] | "too many" {
  const ground = { ...how, left: { bytes: CALL_BYTES_MAX }, looking: newLooking() };
  const folder: Fact = { of: "folder", path: pathOf(ground.cwd, { ...ground, cwd: "/" }) };
  const facts = used
    .flatMap((one) => (/^[~$]/.test(one.name) ? [one, ...atHome(one, ground)] : [one]))
    .flatMap((one) => factsOf(one, { ...ground, cwd: one.cwd ?? ground.cwd }));
  if (isSpent(ground.looking)) return "too many";
  // These variables decide how programs and settings are found.
  return used.some(({ use }) => use !== "changed")
    ? [folder, ...facts, ...BOUND.flatMap((name) => variable(name, ground))]
    : [folder, ...facts];
}

/** A shell expands `~/x` to the home folder, but a program that gets the word itself does not; both count. */
function atHome(used: FileUsed, { env }: Ground): readonly FileUsed[] {
  const start = /^(~|\$HOME|\$\{HOME\})(?=\/)/.exec(used.name);
  return start === null || env["HOME"] === undefined
    ? []
    : [{ ...used, name: env["HOME"] + used.name.slice(start[0].length) }];
}

/** Only strings are kept, and only this many: an agent may set variables. */
const KEPT_MAX = 64;

/** Keeps the hashes of the last texts. */
export function keepingHashes(hashed: Hashing): Hashing {
  const kept = new Map<string, ReturnType<Hashing>>();
  return (content) => {
    if (typeof content !== "string") return hashed(content);
    const known = kept.get(content);
    if (known !== undefined) return known;
    const hash = hashed(content);
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(content, hash);
    return hash;
  };
}

function variable(name: string, { env, hashedVariable }: Ground): readonly Fact[] {
  const value = env[name];
  return value === undefined ? [] : [{ of: "variable", name, hash: hashedVariable(value) }];
}

function factsOf({ use, name, executable }: FileUsed, ground: Ground): readonly Fact[] {
  if (use === "program") return programFacts(name, ground, INTERPRETERS_DEEP_MAX);
  if (use === "shell") return shellFacts(ground);
  if (isSpent(ground.looking)) return [];
  const missing = missingAt(name, ground);
  if (missing !== undefined) return executable === true ? [] : [{ of: "missing", use, path: missing }];
  const path = pathOf(name, ground);
  if (executable === true && !isExecutable(path, ground.looking)) return [];
  const found = lookAt(use, path, ground);
  return found.fact === undefined ? [] : [...installedAs(name, found.fact, ground), found.fact];
}

const PACKAGE_BIN = /(^|\/)node_modules\/\.bin\/[^/]+$/;

/** What a package manager installs in a project is mostly a link to a file of the package: which one is a fact too. */
function installedAs(name: string, fact: Fact, ground: Ground): readonly Fact[] {
  if (!PACKAGE_BIN.test(name) || (fact.of !== "file" && fact.of !== "large")) return [];
  return [{ of: "found", name: `${pathOf(dirname(name), ground)}/${basename(name)}`, path: fact.path, loose: false }];
}

/**
 * Where a missing file would be; undefined if it is there or this cannot be determined. Most files that are only looked
 * for are missing, and this check throws no error for them.
 */
function missingAt(name: string, { cwd, looking }: Ground): string | undefined {
  const path = name.startsWith("/") ? name : `${cwd}/${name}`;
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined ? whereItLeads(path, looking) : undefined;
  } catch {
    // Not accessible: opening the file tells why.
    return undefined;
  }
}

/** The bash that a text is run with. */
function shellFacts(ground: Ground): readonly Fact[] {
  const path = findBash();
  if (path === undefined) return [{ of: "missing", use: "shell", path: "bash" }];
  return [{ of: "found", name: "bash", path, loose: false }, ...programFacts(path, ground, 0)];
}

/** A script may name another script as its interpreter; the system follows no further than this. */
const INTERPRETERS_DEEP_MAX = 4;

/** The program, and the interpreter that its first line names. */
function programFacts(name: string, ground: Ground, deep: number): readonly Fact[] {
  if (isSpent(ground.looking)) return [];
  const found = name.includes("/") ? undefined : findProgram(name, ground);
  if (found === undefined && !name.includes("/")) return [{ of: "missing", use: "program", path: name }];
  const path = pathOf(found?.path ?? name, ground);
  const { fact = { of: "unreadable", use: "program", path }, head } = lookAt("program", path, ground);
  const named: readonly Fact[] =
    found === undefined ? installedAs(name, fact, ground) : [{ of: "found", name, ...found }];
  const [interpreter, ...words] = firstLine(head);
  if (interpreter === undefined || deep === 0) return [...named, fact];
  const started = interpreter.endsWith("/env") ? words.find((word) => !/^-|=/.test(word)) : undefined;
  return [
    ...named,
    fact,
    ...programFacts(interpreter, ground, deep - 1),
    ...(started === undefined ? [] : programFacts(started, ground, deep - 1)),
  ];
}

/** `#!/usr/bin/env -S node --flag` as words. */
function firstLine(head: string): readonly string[] {
  if (!head.startsWith("#!")) return [];
  const [line = ""] = head.slice(2).split("\n", 1);
  return line.split(/\s+/).filter((word) => word !== "");
}

/** The real path; for a missing file, as far as links lead. */
function pathOf(name: string, { cwd, looking }: Pick<Ground, "cwd" | "looking">): string {
  const path = name.startsWith("/") ? name : `${cwd}/${name}`;
  if (--looking.looks < 0) return normalise(path);
  try {
    return realpathSync.native(path);
  } catch {
    // Missing or not accessible: the last known path stands for it, and reading it tells which.
    return whereItLeads(path, looking) ?? normalise(path);
  }
}

type Looked = { fact?: Fact; head: string };
const HEAD_BYTES = 256;
const PAGE_BYTES = 4096;

/**
 * Opened once, so that size and content belong to the same file. Non-blocking, so that a pipe without a writer does
 * not block the gate.
 */
function lookAt(use: FileUse, path: string, { left, hashed }: Ground): Looked {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Some system programs can be run but not read.
    if (code === "EACCES" && use === "program" && isInstalled(path)) {
      return { fact: { of: "installed", path }, head: "" };
    }
    const of = code === "ENOENT" || code === "ENOTDIR" ? "missing" : "unreadable";
    return { fact: { of, use, path }, head: "" };
  }
  try {
    return read({ use, path, file, left, hashed });
  } catch {
    // The file can be opened but not read: a device, or a failing disk.
    return { fact: { of: "unreadable", use, path }, head: "" };
  } finally {
    closeSync(file);
  }
}

type Reading = Pick<Ground, "left" | "hashed"> & { use: FileUse; path: string; file: number };

function read({ use, path, file, left, hashed }: Reading): Looked {
  const found = fstatSync(file, { bigint: true });
  if (!found.isFile()) return isRun(use) ? { fact: { of: "unreadable", use, path }, head: "" } : { head: "" };
  if (use === "program" && isInstalled(path, found)) {
    return { fact: { of: "installed", path }, head: textOf(contentOf(file, HEAD_BYTES)) };
  }
  const large = found.size > Math.min(FILE_BYTES_MAX, left.bytes);
  if (!large) left.bytes -= Number(found.size);
  // Some system files report a size of zero until they are read.
  const content = contentOf(file, large ? HEAD_BYTES : Math.max(Number(found.size), PAGE_BYTES));
  // Size and change time cannot be reset by somebody who may only write the file.
  const fact: Fact = large
    ? { of: "large", use, path, bytes: Number(found.size), touched: String(found.ctimeNs) }
    : { of: "file", use, path, bytes: content.length, hash: hashed(content) };
  return { fact, head: textOf(content) };
}

/** A folder that is only looked for, or changed as a whole, is not a file whose content matters. */
function isRun(use: FileUse): boolean {
  return use === "program" || use === "script";
}

function contentOf(file: number, max: number): Buffer {
  const content = Buffer.allocUnsafe(max);
  let length = 0;
  for (let got = -1; got !== 0 && length < max; length += got)
    got = readSync(file, content, length, max - length, null);
  return content.subarray(0, length);
}

function textOf(content: Buffer): string {
  return content.toString("latin1", 0, HEAD_BYTES);
}

/** Where systems and their package managers keep programs. */
const SYSTEM_FOLDERS = "/bin /sbin /usr /lib /lib64 /opt /nix/store /gnu/store /snap /System /Library".split(" ");

/** In a system folder, and only root may change the file and its folder. Root owns the machine anyway. */
function isInstalled(path: string, found?: BigIntStats): boolean {
  if (!SYSTEM_FOLDERS.some((folder) => isUnder(path, folder))) return false;
  return isRootsOnly(found ?? statSync(path)) && isRootsOnly(statSync(dirname(path)));
}

function isRootsOnly({ uid, mode }: Stats | BigIntStats): boolean {
  return Number(uid) === 0 && (Number(mode) & 0o022) === 0;
}
