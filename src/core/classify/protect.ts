import { type EffectClass, graver } from "../effect.ts";
import { type Message, say } from "../messages/message.ts";
import type { Place, ProtectedRow } from "../tables/protected/row.ts";
import { protectedRows, readRows } from "../tables/protected.ts";
import { isBracketed, mayMeet } from "../values/glob.ts";
import { once } from "../values/once.ts";
import { isUnder } from "./path.ts";
import { isNamedSecret, mayHoldSecrets } from "./secret-names.ts";

/**
 * `replace`: the path itself is removed or replaced, with everything in it. `any`: it is unknown what the tool does with
 * it.
 */
export type Act = "read" | "write" | "replace" | "any";

export type Protection = { class: EffectClass; what: Place };

export function placeOf({ what }: Protection): Message {
  return say(`place.${what}`);
}

export function protectedNote(protection: Protection): Message {
  return say("note.path_is_protected", { place: placeOf(protection) });
}

type Compiled = { row: ProtectedRow; names: readonly string[]; below: boolean; not: readonly string[] };

/** A name of ordinary letters, in which stars of a pattern count as letters. */
const PLAIN = /^[a-z0-9._*-]*[a-z0-9_*-]$|^$/;

type Index = Map<string, ProtectedRow[]>;

/** A name with a star is indexed by this many letters before or after the star. */
const KEY = 2;

/** Both indexes are built on first use: for a command that only reads, a third of the rows is enough. */
const INDEXES = { read: once(() => indexesOf(readRows())), all: once(() => indexesOf(protectedRows())) };
type Which = keyof typeof INDEXES;

/**
 * Indexes rows by the first name of their pattern, so that a path is searched only once. A name without a star is indexed
 * as a whole, another one by the letters before or after the star. `byLetter` is for paths with wildcards.
 */
function indexesOf(rows: readonly ProtectedRow[]) {
  const byFirst: Index = new Map();
  const byHead: Index = new Map();
  const byTail: Index = new Map();
  for (const row of rows) {
    const first = firstName(row);
    const star = first.indexOf("*");
    if (star === -1) add(byFirst, first, row);
    else if (star < KEY) add(byTail, first.slice(-KEY), row);
    else add(byHead, first.slice(0, KEY), row);
  }
  return { byFirst, byHead, byTail, byLetter: once(() => lettersOf(rows)) };
}

function lettersOf(rows: readonly ProtectedRow[]): Index {
  const byLetter: Index = new Map();
  for (const row of rows) {
    const first = firstName(row);
    if (!first.startsWith("*")) add(byLetter, first.slice(0, 1), row);
  }
  return byLetter;
}

function firstName({ path }: ProtectedRow): string {
  const end = path.indexOf("/");
  return fold(end === -1 ? path : path.slice(0, end));
}

function add(index: Index, key: string, row: ProtectedRow): void {
  const held = index.get(key);
  if (held === undefined) index.set(key, [row]);
  else held.push(row);
}

/** Parsed on first use: most lines of the table are never needed in one process. */
const compiledRows = new Map<ProtectedRow, Compiled>();

function compiledOf(row: ProtectedRow): Compiled {
  const known = compiledRows.get(row);
  if (known !== undefined) return known;
  const below = row.path.endsWith("/**");
  const names = (below ? row.path.slice(0, -3) : row.path).split("/").map(fold);
  const compiled = { row, names, below, not: (row.not ?? "").split(" ").map(fold) };
  compiledRows.set(row, compiled);
  return compiled;
}

/** What is known around a path: the locations of the gate's policies and state, and whose machine it is. */
export type Around = {
  policies?: readonly string[] | undefined;
  state?: readonly string[] | undefined;
  home?: string | undefined;
  project?: string | undefined;
  /** Everything below the path is included. */
  deep?: boolean;
  /** Brackets in the path are letters of it. */
  exact?: true | undefined;
};

/**
 * What this act on a path would really be. Moving or deleting a folder that contains something protected, or reading
 * all of it, counts as doing it to what is inside.
 */
export function protectionOf(path: string, act: Act, around: Around = {}): Protection | undefined {
  const { policies = NOWHERE, state = NOWHERE } = around;
  const deep = act === "replace" || (act === "read" && around.deep === true);
  const named = around.exact === true && isBracketed(path) ? path.replaceAll(BRACKETS, "_") : path;
  const holds = (mine: string) =>
    isUnder(path, mine) || (deep && isUnder(mine, path)) || mayStandFor(named, mine, deep);
  if (act !== "read" && (policies.some(holds) || state.some(holds))) {
    return { class: "permissions.change", what: "own_files" };
  }
  if (act === "read" && state.some(holds)) return { class: "secrets.read", what: "own_files" };
  if (act === "read" && deep && holdsHome(path, around)) {
    return { class: "secrets.read", what: "folder_with_credentials" };
  }
  const listed = inTable(named, act, deep) ?? (act === "read" ? ofOriginal(path) : undefined);
  if (listed !== undefined || (act !== "read" && act !== "any")) return listed;
  if (isNamedSecret(path, around)) return { class: "secrets.read", what: "named_like_credentials" };
  if (!mayHoldSecrets(path, deep, around)) return undefined;
  return { class: "secrets.read", what: "folder_with_credentials" };
}

/** No protected name has one. */
const BRACKETS = /[[\]()]/g;

/** Whether a pattern may be this path, or a folder above it. */
function mayStandFor(pattern: string, path: string, deep: boolean): boolean {
  return WILD.test(pattern) && mayMeet(path.split("/"), pattern.split("/"), deep);
}

/** Editors leave copies of files under such names: `#name#`, `name~`, `.name.swp`, `name.bak`. */
const COPY = /^#(.+)#$|^\.(.+)\.sw[a-p]$|^(.+?)(?:\.~\d+~|~|\.bak|\.orig|\.old|\.save)$/;
const COPY_ENDS = /(?:[~#]|\.(?:bak|orig|old|save|sw[a-p]))$/;

/** The name of the file of which this is a copy. */
function originalOf(name: string): string | undefined {
  if (!COPY_ENDS.test(name)) return undefined;
  const [, saved, swapped, kept] = COPY.exec(name) ?? [];
  return saved ?? swapped ?? kept;
}

/** A copy of a secret is as secret. */
function ofOriginal(path: string): Protection | undefined {
  const end = path.lastIndexOf("/") + 1;
  const original = originalOf(path.slice(end));
  return original === undefined ? undefined : inTable(path.slice(0, end) + original, "read", false);
}

/** An agent uses the same files again, so the result for each is cached, up to a limit. */
const KEPT_MAX = 4096;
const kept = new Map<string, Protection | undefined>();

function inTable(path: string, act: Act, deep: boolean): Protection | undefined {
  const key = `${deep ? "*" : ""}${act} ${path}`;
  const known = kept.get(key);
  if (known !== undefined || kept.has(key)) return known;
  if (kept.size >= KEPT_MAX) kept.clear();
  // `/**/` also matches no folder at all.
  const near = path.includes("/**/") ? lookUp(path.replaceAll("/**/", "/"), act, deep) : undefined;
  const far = lookUp(path, act, deep);
  const found = near !== undefined && (far === undefined || graver(near.class, far.class) !== far.class) ? near : far;
  if (path.length <= 512) kept.set(key, found);
  return found;
}

function lookUp(path: string, act: Act, deep: boolean): Protection | undefined {
  const which = act === "read" ? "read" : "all";
  const met = path.split("/").map((name) => nameMet(name, which));
  let names: readonly string[] | undefined;
  let found: Protection | undefined;
  for (let start = 0; start < met.length; start++) {
    for (const compiled of met[start]?.candidates ?? NO_CANDIDATES) {
      const kind = kindOf(compiled.row, act);
      names ??= met.map(({ name }) => name);
      if (kind === undefined || !holdsAt(compiled, names, start, { act, deep })) continue;
      if (found === undefined || graver(found.class, kind) !== found.class)
        found = { class: kind, what: compiled.row.what };
    }
  }
  return found;
}

/** One name of a path in the form in which it is compared, and the lines whose pattern may begin with it. */
type Met = { name: string; candidates: readonly Compiled[] };

/** Kept by name, because paths have most of their names in common. */
const metBefore: Record<Which, Map<string, Met>> = { read: new Map(), all: new Map() };

function nameMet(written: string, which: Which): Met {
  const before = metBefore[which];
  const known = before.get(written);
  if (known !== undefined) return known;
  const name = fold(written);
  const found = { name, candidates: candidatesFor(name, which) };
  if (before.size >= KEPT_MAX) before.clear();
  if (written.length <= 64) before.set(written, found);
  return found;
}

function candidatesFor(name: string, which: Which): readonly Compiled[] {
  const { byFirst, byHead, byTail, byLetter } = INDEXES[which]();
  const tail = byTail.get(name.slice(-KEY)) ?? NONE;
  if (WILD.test(name)) return [...tail, ...(byLetter().get(name.slice(0, 1)) ?? NONE)].map(compiledOf);
  return [...tail, ...(byFirst.get(name) ?? NONE), ...(byHead.get(name.slice(0, KEY)) ?? NONE)].map(compiledOf);
}

/** The last name of each row that matters for reading; for everything below a folder, the name of the folder. */
const endings = once(() => indexesOf(readRows().map((row) => ({ ...row, path: lastName(row) }))));

function lastName({ path }: ProtectedRow): string {
  const names = path.split("/");
  return names.findLast((name) => name !== "**") ?? "";
}

/** Whether a row could call something with this name secret. It is for walks over many files: `protectionOf` then says what it is. */
export function mayBeSecret(name: string): boolean {
  const original = originalOf(name);
  return isSecretName(fold(name)) || (original !== undefined && isSecretName(fold(original)));
}

function isSecretName(folded: string): boolean {
  return endsLike(folded, endings());
}

function endsLike(folded: string, { byFirst, byHead, byTail }: ReturnType<typeof indexesOf>): boolean {
  if (byFirst.has(folded)) return true;
  const fits = ({ path }: ProtectedRow) => nameFits(fold(path), folded);
  return (byTail.get(folded.slice(-KEY)) ?? NONE).some(fits) || (byHead.get(folded.slice(0, KEY)) ?? NONE).some(fits);
}

/** The same for names of what is followed: whoever writes it changes what agents, editors, git or shells do. */
const followedEndings = once(() =>
  indexesOf(
    protectedRows().flatMap((row) => (row.write === "permissions.change" ? [{ ...row, path: lastName(row) }] : [])),
  ),
);

/** Whether a row could call something with this name a place that is followed. It is for walks over many files, too. */
export function mayBeFollowed(name: string): boolean {
  return endsLike(fold(name), followedEndings());
}

const NONE: readonly ProtectedRow[] = [];
const NO_CANDIDATES: readonly Compiled[] = [];

/** Files in a project that have a special meaning under one fixed name. */
const written = once(() =>
  protectedRows()
    .filter(({ path, write }) => write !== undefined && !/[/*]/.test(path))
    .map(({ path }) => fold(path)),
);

/** Whether a name with wildcards may match one of these files. Brackets match any letter, and many stars match any name. */
export function mayMeanProtected(pattern: string): boolean {
  const pieces = fold(pattern).split(/\*+/);
  if (pieces.length > STARS_MAX) return true;
  const fits = new RegExp(`^${pieces.map(asLetters).join(".*")}$`);
  const hidden = pattern.startsWith(".");
  return written().some((name) => name.startsWith(".") === hidden && fits.test(name));
}

const STARS_MAX = 4;

/**
 * Whether a path with wildcards may be protected from writing. If a wildcard stands for a hidden folder, or for a folder at the top
 * of the project, the path may be protected; otherwise the letters of the pattern decide.
 */
export function mayLeadToProtected(path: string, project: string | undefined): boolean {
  const top = project !== undefined && path.startsWith(`${project}/`) ? project.split("/").length : 1;
  const parts = path.split("/").map(fold);
  const first = parts.findIndex((name) => MAGIC.test(name));
  if (first === -1) return false;
  const folders = parts.slice(0, -1);
  if (folders.some((name, i) => i >= first && HIDDEN_START.test(name) && MAGIC.test(name))) return true;
  if (top > 1 && first === top && first < folders.length) return true;
  return writtenNames().some((names) => parts.some((_, start) => mayBeAt(names, parts, start)));
}

const MAGIC = /[*?[]|[!@+]\(/;
/** Stars and question marks at the beginning of a name do not match a dot. */
const HIDDEN_START = /^(\.|\[|[!@+?*]\()/;
const ANY_NAME = /^[*?]+$/;

/** Every protected path that begins with literal letters, name by name. */
const writtenNames = once(() =>
  protectedRows()
    .filter(({ path, write }) => write !== undefined && !path.startsWith("*"))
    .map(({ path }) => path.split("/").map(fold)),
);

function mayBeAt(names: readonly string[], parts: readonly string[], start: number): boolean {
  let wild = false;
  for (const [i, name] of names.entries()) {
    const part = parts[start + i];
    if (name === "**" && i === names.length - 1) return wild && part !== undefined;
    if (part === undefined) return false;
    if (!MAGIC.test(part)) {
      if (!nameFits(name, part)) return false;
    } else if (ANY_NAME.test(part)) {
      // A path that begins with `*` could be any file of any folder, so the wildcard alone does not count.
      if (i === 0) return false;
      wild = true;
    } else if (start + i === parts.length - 1 ? mayFit(name, part) : fitsLetters(part, name)) wild = true;
    else return false;
  }
  return wild && start + names.length === parts.length;
}

function fitsLetters(part: string, name: string): boolean {
  if (name.includes("*")) return mayFit(name, part);
  if (name.startsWith(".") && /^[*?]/.test(part)) return false;
  const pieces = part.split(/\*+/);
  return pieces.length > STARS_MAX || new RegExp(`^${pieces.map(asLetters).join(".*")}$`).test(name);
}

function asLetters(text: string): string {
  return text
    .replace(/\[[^\]]*\]?/g, "?")
    .replace(/[\\^$.|+(){}\]]/g, "\\$&")
    .replaceAll("?", ".");
}

const NOWHERE: readonly string[] = [];

/** Where homes usually are, for an unknown machine and for the homes of others. */
const HOMES = /^(\/|\/root|\/(home|users)(\/[^/]+)?|[a-z]:\/(users(\/[^/]+)?)?)$/i;

function holdsHome(path: string, { home, project }: Around): boolean {
  if (home !== undefined && isUnder(home, path)) return true;
  return path !== project && HOMES.test(path);
}

function kindOf(row: ProtectedRow, act: Act): EffectClass | undefined {
  if (act === "any") return row.write ?? row.read;
  return act === "read" ? row.read : row.write;
}

/** Replacing or reading all of `.config` affects `.config/gh`, so it is enough that the path is a beginning of the pattern. */
function holdsAt(
  { row, names, below, not }: Compiled,
  path: readonly string[],
  start: number,
  { act, deep }: { act: Act; deep: boolean },
): boolean {
  const length = Math.min(names.length, path.length - start);
  const whole = length === names.length;
  if (!whole && (!deep || row.leads === false)) return false;
  // Reading all of an ordinary folder such as `etc` is common, so for reading only hidden folders count.
  if (!whole && act === "read" && !/^(\.|proc$)/.test(names[0] ?? "")) return false;
  if (whole && !below && start + length !== path.length) return false;
  const last = path.at(-1) ?? "";
  if (not.some((name) => nameFits(name, last))) return false;
  for (let i = 0; i < length; i++) {
    const pattern = names[i] ?? "";
    const name = path[start + i] ?? "";
    if (!nameFits(pattern, name) && (act === "write" || !mayFit(pattern, name))) return false;
  }
  return true;
}

/** A pattern has at most one `*`, so two comparisons are enough. */
function nameFits(pattern: string, name: string): boolean {
  const star = pattern.indexOf("*");
  if (star === -1) return pattern === name;
  const head = pattern.slice(0, star);
  const tail = pattern.slice(star + 1);
  return name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
}

const WILD = /[*?[]/;

/** Whether a name with wildcards may match a protected one. A name that starts with a wildcard does not count. */
function mayFit(pattern: string, name: string): boolean {
  const head = name.slice(0, Math.max(0, name.search(WILD)));
  if (head === "") return false;
  const star = pattern.indexOf("*");
  if (star === -1) return pattern.startsWith(head) && pattern.endsWith(/[^*?\]]*$/.exec(name)?.[0] ?? "");
  const fixed = pattern.slice(0, star);
  return fixed !== "" && (fixed.startsWith(head) || head.startsWith(fixed));
}

/** Spellings that some file system treats as the same name: case, composed letters, invisible ones, trailing dots, short names. */
function fold(name: string): string {
  if (PLAIN.test(name)) return name;
  const lower = name.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  return name
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Cc}]/gu, "")
    .toLowerCase()
    .replace(/(?<=.)::?\$?[a-z]*$/u, "")
    .replace(/(?<=[^. ])[. ]+$/u, "")
    .replace(/^git~1$/, ".git");
}
