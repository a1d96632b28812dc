import { type Effect, type EffectClass, lessUnderstood, type Part, type Target, type Understood } from "../effect.ts";
import { inFolder, type Word } from "../shell/script.ts";
import { type Given, understand } from "../shell/understand.ts";
import type { Line, PathWord } from "../shell/uses.ts";
import { CLASS_DEFAULTS } from "../tables/tools.ts";
import { addAddress } from "./address.ts";
import type { Knowledge } from "./classify.ts";
import { addGraver, doubt, type EffectDraft, levelOf, newDraft, partsFrom } from "./effect-draft.ts";
import { expanded, globRoot, isWild } from "./glob.ts";
import { landingsOf, pouredInto } from "./landing.ts";
import { locate, type PathUse } from "./located.ts";
import { runsLeeway } from "./own-program.ts";
import { addPath } from "./parts-path.ts";
import { isAbsolute, normalise } from "./path.ts";
import { graver } from "./protect.ts";
import { sqlEffect } from "./sql.ts";

/** What a command would do: one part or more for every program it starts. */
export type CommandEffect = {
  parts: readonly Part[];
  understood: Understood;
  notes: readonly string[];
  refused?: Effect["refused"];
};

/** Where a command runs, and the names of the variables that the tool sets for it. */
export type Where = { cwd?: string; env: readonly string[] };

export function commandEffect(command: Given, where: Where, knowledge: Knowledge): CommandEffect {
  const found = understand(command);
  const parts: Part[] = [];
  const notes = new Set(found.doubts);
  let refused: Effect["refused"];
  let understood: Understood = found.readable ? (found.doubts.length > 0 ? "partly" : "fully") : "not";
  for (const line of found.lines) {
    const own = runsLeeway(line.simple.words);
    if (own) refused = REFUSED;
    const draft = draftOf(own ? { ...line, class: "permissions.change" } : line, where, knowledge);
    parts.push(...partsFrom(draft, line.name));
    understood = lessUnderstood(understood, draft.understood);
    for (const note of draft.notes) notes.add(note);
  }
  if (refused !== undefined) notes.add(refused.because);
  return { parts, understood, notes: [...notes], ...(refused === undefined ? {} : { refused }) };
}

const REFUSED: Effect["refused"] & object = {
  code: "LEEWAY_DENIED",
  because: "an agent does not run leeway itself; a person does",
};

/** The paths that a command names, relative to the folder it starts in, for whoever can look where they lead. */
export function commandPaths(command: Given): readonly string[] {
  return understand(command).lines.flatMap((line) => [
    ...pathWords(line).flatMap(placesOf),
    ...landingsOf(line).flatMap(({ word }) => placesOf({ word, folders: line.folders })),
  ]);
}

/** A path and the folders it may be meant from: what the shell opens is found before the program goes anywhere. */
type Placed = PathWord & { folders: Line["folders"] };

function pathWords(line: Line): readonly Placed[] {
  const { paths, folders, simple } = line;
  return [
    ...paths.map((path) => ({ ...path, folders })),
    ...simple.redirects.map(({ writes, to }) => ({
      act: writes ? ("write" as const) : ("read" as const),
      deep: false,
      word: to,
      folders: simple.folders,
    })),
  ];
}

/** A word as a path from every folder it may be meant from; without a folder only what its letters say. */
function placesOf({ word, folders }: Pick<Placed, "word" | "folders">): readonly string[] {
  const texts =
    word.kind === "glob" && isWild(word.text)
      ? [...expanded(word.text), ...expanded(word.text).map(globRoot)]
      : [word.text];
  return (folders ?? [""]).flatMap((folder) => texts.map((text) => inFolder(folder, text)));
}

function draftOf(line: Line, where: Where, knowledge: Knowledge): EffectDraft {
  const row = line.program?.row;
  const draft = newDraft({
    row: {
      tools: line.name,
      class: line.class,
      ...(row?.reach === undefined ? {} : { reach: row.reach }),
      ...reversibility(line),
      example: {},
    },
    understood: "fully",
    notes: [],
    mentioned: { act: "any", paths: [] },
  });
  for (const why of line.doubts) doubt(draft, why);
  for (const word of line.statements) addStatement(draft, word);
  const commands = targetsOf(line, where, levelOf(draft));
  for (const use of pathWords(line)) addPathWord(draft, use, where, knowledge);
  addLandings(draft, line, where, knowledge);
  for (const word of line.urls) if (word.kind !== "open") addAddress(draft, withScheme(word.text), levelOf(draft));
  for (const word of [
    ...line.hosts,
    ...(row?.domain === undefined ? [] : [{ kind: "plain", text: row.domain } as Word]),
  ]) {
    if (word.kind === "plain") addAddress(draft, `https://${word.text.replace(/^[^@]*@/, "")}`, levelOf(draft));
  }
  for (const kind of line.besides)
    if (kind !== draft.class) addGraver(draft, kind, commands, CLASS_DEFAULTS[kind].reach);
  draft.targets.unshift(...commands);
  // A program that names no path works on what it is handed.
  if (draft.class.startsWith("fs.") && draft.reaches.length === 0) draft.reaches.push("local");
  return draft;
}

function reversibility({ lasting, class: kind, program }: Line): { reversible?: boolean } {
  if (lasting) return { reversible: false };
  const row = program?.row;
  return row?.reversible === undefined || row.class !== kind ? {} : { reversible: row.reversible };
}

function withScheme(text: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
}

function addStatement(draft: EffectDraft, word: Word): void {
  if (word.kind !== "plain") return;
  const effect = sqlEffect(word.text);
  draft.class = graver(draft.class, effect.class);
  draft.reversible &&= effect.reversible;
}

function targetsOf(line: Line, where: Where, level: Target["level"]): readonly Target[] {
  const { words, sets } = line.simple;
  if (words.length === 0) return [];
  const env = [...new Set([...where.env, ...sets.map(({ name }) => name)])];
  const texts = words.map((word) => word.text);
  return foldersOf(line, where).map((cwd) => ({
    kind: "command",
    words: texts,
    ...(cwd === undefined ? {} : { cwd }),
    env,
    level,
  }));
}

function foldersOf({ folders }: Line, { cwd }: Where): readonly (string | undefined)[] {
  if (folders === undefined) return [undefined];
  return folders.map((folder) => {
    const placed =
      folder === "" ? cwd : cwd === undefined && !isAbsolute(folder) ? undefined : inFolder(cwd ?? "", folder);
    return placed === undefined || placed.startsWith("~") ? placed : normalise(placed);
  });
}

/** Opening these changes nothing and tells nothing. */
const FREE = /^\/dev\/(null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+)$/;
const SOCKET = /^\/dev\/(tcp|udp)\/([^/]+)\/([^/]+)$/;

const KINDS: Record<PathWord["act"], EffectClass> = {
  read: "fs.read",
  write: "fs.write",
  delete: "fs.delete",
  move: "fs.move",
};

function addPathWord(draft: EffectDraft, path: Placed, where: Where, knowledge: Knowledge): void {
  const { act, deep, word } = path;
  // What is moved onto one of them is gone.
  if (FREE.test(word.text) && act !== "delete" && act !== "move" && draft.class !== "fs.move") return;
  const socket = SOCKET.exec(word.text);
  if (socket !== null) {
    addGraver(draft, "network.write", [{ kind: "domain", domain: socket[2] ?? "", level: "write" }], "outside");
    doubt(draft, "what is sent over the socket is not known");
    return;
  }
  if (word.kind === "open") doubt(draft, "which path is meant is known only when the command runs");
  const kind = KINDS[act];
  const use: PathUse = {
    act: act === "delete" || act === "move" ? "replace" : act,
    level: CLASS_DEFAULTS[kind].level,
    deep: deep || act === "move",
  };
  const base = path.folders === undefined ? undefined : where.cwd;
  for (const text of placesOf(path))
    addPlace(
      draft,
      kind,
      { ...use, deep: use.deep || (word.kind === "glob" && !isWild(text)) },
      locate(text, use, base, knowledge),
    );
  if (act === "move") addCarried(draft, path, base, knowledge);
}

/** A secret that gets another name can be read by that name from then on. */
function addCarried(draft: EffectDraft, path: Placed, base: string | undefined, knowledge: Knowledge): void {
  const use: PathUse = { act: "read", level: CLASS_DEFAULTS["fs.read"].level, deep: false };
  for (const text of placesOf(path)) {
    const { protection, targets, reach } = locate(text, use, base, knowledge);
    if (protection === undefined) continue;
    draft.notes.add(`the path is ${protection.what}`);
    addGraver(draft, protection.class, targets, reach);
  }
}

/** Places that no word names count only where they matter: protected ones, and links that lead out of the project. */
function addLandings(draft: EffectDraft, line: Line, where: Where, knowledge: Knowledge): void {
  const base = line.folders === undefined ? undefined : where.cwd;
  for (const { word, act } of landingsOf(line)) {
    const use: PathUse = { act, level: CLASS_DEFAULTS["fs.write"].level, deep: act === "replace" };
    for (const text of placesOf({ word, folders: line.folders })) {
      const located = locate(text, use, base, knowledge);
      const strays = located.factual && located.reach !== "project" && draft.reaches.every((it) => it === "project");
      if (located.protection !== undefined || strays) addPlace(draft, "fs.write", use, located);
    }
  }
  const use: PathUse = { act: "write", level: CLASS_DEFAULTS["fs.write"].level, deep: true };
  const places = pouredInto(line).flatMap(({ word }) => placesOf({ word, folders: line.folders }));
  const paths = places.flatMap((text) => locate(text, use, base, knowledge).targets.map(({ path }) => path));
  if (paths.some((path) => path === knowledge.project)) doubt(draft, "what a folder holds may replace any file here");
}

/** In the command's own part where that speaks of the same, else in one of its own. */
function addPlace(draft: EffectDraft, kind: EffectClass, use: PathUse, located: ReturnType<typeof locate>): void {
  const own =
    draft.class === kind ||
    ((kind === "fs.read" || kind === "fs.write") && /^fs\.(copy|move|mkdir)$/.test(draft.class)) ||
    (kind === "fs.read" && draft.class === "fs.write");
  if (own) {
    addPath(draft, located, use);
    return;
  }
  for (const why of located.doubts) doubt(draft, why);
  if (use.act !== "read" && !located.factual) doubt(draft, "nobody looked where the path really leads");
  if (located.protection !== undefined) draft.notes.add(`the path is ${located.protection.what}`);
  addGraver(draft, located.protection?.class ?? kind, located.targets, located.reach);
}
