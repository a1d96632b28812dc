import {
  EFFECT_CLASSES,
  type Effect,
  type EffectClass,
  graver,
  lessUnderstood,
  type Part,
  type Target,
} from "../../effect.ts";
import { type Message, Notes, say } from "../../messages/message.ts";
import type { Line } from "../../shell/path-uses.ts";
import { inFolder, TEXT_MAX, type Word } from "../../shell/script.ts";
import { sqlEffect } from "../../shell/sql.ts";
import { asksForBox } from "../../shell/variables.ts";
import { INTERPRETERS, programOf } from "../../tables/launchers.ts";
import { CLASS_DEFAULTS, type ToolRow } from "../../tables/tools.ts";
import { UNREAD } from "../../tables/unread.ts";
import { addDatabases, addHost, addUrl } from "../addresses/address.ts";
import { parseAddress } from "../addresses/url.ts";
import { addGraver, doubt, type EffectDraft, levelOf, newDraft, partsFrom } from "../effect-draft.ts";
import type { Knowledge } from "../knowledge.ts";
import { OWN_PATCH } from "../patch.ts";
import { isAbsolute, normalise } from "../path.ts";
import { addLinePaths, addPatched } from "./command-paths.ts";
import { type Places, placesIn, type ReadCommand, type Where } from "./command-places.ts";
import { addMentioned, addTexts, mentionedPaths } from "./mentioned.ts";
import { isOverspent, otherReadings, startableBy, togetherReadings } from "./other-readings.ts";
import { addSettings, broughtBy, mayKeepProgram } from "./parts-settings.ts";
import { addDoing, addOpenAddress, addOpenCommand, addOpenRest, addStarted, addWordsApart } from "./possible-words.ts";

/** What a command would do: one part or more for every program that it starts. Doubts are noted in the draft. */
export function partsOfCommand(
  outer: EffectDraft,
  { given, found, places }: ReadCommand,
  where: Where,
  knowledge: Knowledge,
): readonly Part[] {
  const parts: Part[] = [];
  if (!found.readable) outer.understood = "not";
  for (const why of found.doubts) doubt(outer, why);
  let runsOwn = false;
  if (mayKeepProgram(found.lines)) doubt(outer, say("note.download_may_become_program"));
  // What a line brings matters to the other lines.
  const brought = found.lines.length > 1 ? broughtBy(found.lines, where.cwd, knowledge) : [];
  for (const [i, line] of found.lines.entries()) {
    const own = line.simple.words.some(({ text }) => NAMED.test(text)) && runsLeeway(line.simple.words);
    if (own) runsOwn = true;
    const asRun: Line = own ? { ...line, class: "permissions.change" } : line;
    const draft = draftOf(asRun, (own ? undefined : places[i]) ?? placesIn(asRun), outer, where, knowledge);
    const others = otherReadings(line, outer.maybe.work);
    for (const other of others.likely) outer.maybe.parts.push(...partsOfOther(other, outer, where, knowledge));
    for (const other of others.guessed)
      outer.maybe.guesses.push(...partsOfOther(other, guessing(outer), where, knowledge));
    addSettings(draft, line, where.cwd, knowledge, brought);
    const done = partsFrom(draft, line.name);
    parts.push(...done);
    const method = methodOf(line);
    if (method !== undefined) outer.maybe.parts.push(...done.map((part) => ({ ...part, method })));
    outer.understood = lessUnderstood(outer.understood, draft.understood);
  }
  const again = found.doubts.length > 0 || found.lines.some(({ doubts }) => doubts.size > 0);
  const text = again && "line" in given ? given.line : undefined;
  for (const other of togetherReadings(found.lines, text, outer.maybe.work))
    outer.maybe.parts.push(...partsOfOther(other, outer, where, knowledge));
  if (isOverspent(outer.maybe.work)) doubt(outer, UNREAD.open);
  if (runsOwn) {
    outer.notes.add(REFUSED.because);
    outer.refused = REFUSED;
  }
  return parts;
}

/** What follows from a guess is a guess too. */
function guessing({ maybe }: EffectDraft): Pick<EffectDraft, "maybe"> {
  return { maybe: { ...maybe, parts: maybe.guesses } };
}

/** The parts of another reading of a line. What is doubtful about it is not noted. */
function partsOfOther(
  line: Line,
  { maybe }: Pick<EffectDraft, "maybe">,
  where: Where,
  knowledge: Knowledge,
): readonly Part[] {
  return partsFrom(draftOf(line, placesIn(line), { notes: new Notes(), maybe }, where, knowledge), line.name);
}

const REFUSED: Effect<Message>["refused"] & object = {
  code: "LEEWAY_DENIED",
  because: say("note.agent_runs_leeway"),
};

/** The paths that a command names, relative to the folder it starts in. The door looks up where they lead. */
export function commandPaths({ found: { lines }, places }: ReadCommand): readonly string[] {
  const found: string[] = [];
  const mentioned = new Set<string>();
  for (const { paths, searched, linked, redirects, landings } of places) {
    for (const some of [paths, searched, linked, redirects]) for (const texts of some) found.push(...texts);
    for (const landing of landings) found.push(...landing.places);
  }
  for (const [i, line] of lines.entries())
    for (const path of mentionedPaths(line, places[i]?.mentioned)) mentioned.add(path);
  return mentioned.size === 0 ? found : [...found, ...mentioned];
}

function draftOf(
  line: Line,
  places: Places,
  { notes, maybe }: Pick<EffectDraft, "notes" | "maybe">,
  where: Where,
  knowledge: Knowledge,
): EffectDraft {
  const { folders } = line;
  const row = line.program?.row;
  const draft = newDraft(ROWS[line.class], "fully", notes, maybe);
  draft.reach = row?.reach;
  const reversible = row?.class === line.class ? row.reversible : undefined;
  draft.reversible = !line.lasting && (reversible ?? draft.reversible);
  for (const why of line.doubts) doubt(draft, why);
  if (line.simple.words.some(({ text }) => text.length > TEXT_MAX)) doubt(draft, UNREAD.long);
  for (const word of line.statements) addStatement(draft, word);
  const commands = targetsOf(line, where, levelOf(draft));
  draft.targets.push(...commands);
  const base = folders === undefined ? undefined : where.cwd;
  addLinePaths(draft, line, places, where, knowledge);
  if (line.urls.length + line.hosts.length > 0) addRequests(draft, line, base);
  addMentioned(draft, line, places.mentioned, { base, home: knowledge.facts?.home, knowledge });
  if (OWN_PATCH.test(line.simple.words[0]?.text ?? "")) addPatched(draft, line, base, knowledge);
  const isOpen = line.simple.more === "any" || line.simple.words.some(({ kind }) => kind !== "plain");
  if (isOpen) addOpenCommand(draft, line);
  const startable = startableBy(line);
  if (startable.begins > 0) addStarted(draft, startable);
  addWordsApart(draft, line);
  if (isOpen) addOpenRest(draft, line);
  addDoing(draft, line);
  if (line.class.startsWith("db.")) addDatabases(draft, line);
  if (row?.domain !== undefined) addHost(draft, row.domain);
  for (const kind of line.besides)
    if (kind !== draft.class) addGraver(draft, kind, commands, CLASS_DEFAULTS[kind].reach);
  // A program that names no path works on its input.
  if (draft.class.startsWith("fs.") && draft.reaches.length === 0) draft.reaches.push("local");
  return draft;
}

/** The addresses and hosts that the words name. */
function addRequests(draft: EffectDraft, line: Line, base: string | undefined): void {
  for (const word of line.urls) {
    if (word.kind !== "open") addUrl(draft, word.text);
    // Programs read such an address in different ways, so other hosts may be meant too.
    if (!parseAddress(word.text).ok || NUMBERED.test(word.text))
      addTexts(draft, { hosts: [word.text], paths: [] }, { base, home: undefined });
    addOpenAddress(draft, word);
  }
  for (const word of line.hosts) {
    if (word.kind === "plain") addHost(draft, word.text);
    addOpenAddress(draft, word);
  }
}

/** A host that begins like a number may be a number. */
const NUMBERED = /:\/\/\d/;

/** Commands are not in the table of tools. Their row has only a class. */
const ROWS = Object.fromEntries(
  EFFECT_CLASSES.map((kind): [EffectClass, ToolRow] => [kind, { tools: "", class: kind, example: {} }]),
) as Record<EffectClass, ToolRow>;

function addStatement(draft: EffectDraft, word: Word): void {
  if (word.kind !== "plain") return;
  const effect = sqlEffect(word.text);
  draft.class = graver(draft.class, effect.class);
  draft.reversible &&= effect.reversible;
}

/** The HTTP method of the request that a command makes, if its words say it. Used by rules that deny a method. */
function methodOf(line: Line): string | undefined {
  const texts = line.simple.words.map(({ text }) => text);
  const program = programOf(texts[0] ?? "");
  const named = namedMethod(line, texts, program);
  if (named !== undefined) return named.toUpperCase();
  const by = line.name.startsWith("gh api") ? "gh api" : program;
  return Object.hasOwn(DEFAULTS, by) ? DEFAULTS[by]?.(line, texts) : undefined;
}

function namedMethod({ given, operands }: Line, texts: readonly string[], program: string): string | undefined {
  const option = given.get("-X")?.at(-1)?.text ?? given.get("--method")?.at(-1)?.text;
  if (option !== undefined) return option;
  if (HTTPIE.test(program)) {
    const [first] = operands;
    return METHOD.test(first?.text ?? "") ? first?.text : undefined;
  }
  if (!LOADING.test(program)) return undefined;
  const at = texts.findIndex((text) => /^(-m|--method|-X|--request)$/.test(text));
  return at < 0 ? undefined : texts[at + 1];
}

const METHOD = /^(get|post|put|patch|delete|head|options)$/i;

const HTTPIE = /^(http|https|xh|xhs|httpie|curlie)$/;

/** Programs for load tests: they send the same request many times. */
const LOADING = /^(hey|ab|oha|bombardier|wrk|vegeta|autocannon|k6|httpx|grpcurl)$/;

/** The method that a program uses if none is named. */
const DEFAULTS: Readonly<Record<string, (line: Line, texts: readonly string[]) => string>> = {
  curl: ({ given }) => {
    if (given.has("-I")) return "HEAD";
    if (given.has("-T")) return "PUT";
    const sends = ["-d", "--data-urlencode", "-F", "--json"].some((option) => given.has(option));
    return sends && !given.has("-G") ? "POST" : "GET";
  },
  wget: (_, texts) => (texts.some((text) => /^--post-(data|file)/.test(text)) ? "POST" : "GET"),
  "gh api": ({ given }) => (["-f", "-F", "--input"].some((option) => given.has(option)) ? "POST" : "GET"),
  http: httpie,
  https: httpie,
  xh: httpie,
  xhs: httpie,
};

/** With fields for a body, the method is POST. */
function httpie({ operands }: Line): string {
  return operands.slice(1).some(({ text }) => /^[\w-]+(:?=)[^=]/.test(text)) ? "POST" : "GET";
}

const RUNS_A_WORD = new Set(
  (
    "sudo doas su pkexec env command builtin exec nohup timeout nice ionice time watch xargs parallel setsid stdbuf " +
    "npx bunx pnpx uvx npm pnpm yarn bun deno tsx ts-node corepack busybox caffeinate"
  ).split(" "),
);

/** With these words a package manager installs or shows a package, but does not run it. */
const PACKAGE_VERBS = new Set(
  "install i add remove uninstall rm update up view info ls list why outdated audit pack".split(" "),
);

const NAMED = /leeway/i;

const OWN = /^leeway(@[\w.^~-]+)?$|^leeway\.([cm]?js|cmd|ps1|exe)$/i;

/** An agent that runs Leeway's own program could answer its own questions. */
function runsLeeway(words: readonly Word[]): boolean {
  const [first = "", ...rest] = words.map((word) => word.text);
  if (isOwn(first)) return true;
  const program = programOf(first);
  if (!RUNS_A_WORD.has(program) && !INTERPRETERS.has(program)) return false;
  // Which words belong to the wrapper depends on the wrapper. Here every word that names Leeway counts.
  return !PACKAGE_VERBS.has(rest[0] ?? "") && rest.some(isOwn);
}

function isOwn(word: string): boolean {
  const name = word.slice(word.lastIndexOf("/") + 1);
  return OWN.test(name) || OWN.test(word.replaceAll("\\", "/").split("/").at(-1) ?? "");
}

/** The command itself, in every folder in which it may run. */
function targetsOf(line: Line, where: Where, level: Target["level"]): readonly Target[] {
  const { words, sets, either } = line.simple;
  if (words.length === 0) return [];
  const spare = either === undefined ? {} : { either };
  const given = sets.filter((one) => !asksForBox(one)).map(({ name }) => name);
  const env = given.length === 0 ? where.env : [...new Set([...where.env, ...given])];
  const texts = words.map((word) => word.text);
  return foldersOf(line, where).map((cwd) =>
    cwd === undefined
      ? { kind: "command", words: texts, env, level, ...spare }
      : { kind: "command", words: texts, cwd, env, level, ...spare },
  );
}

function foldersOf({ folders }: Line, { cwd }: Where): readonly (string | undefined)[] {
  if (folders === undefined) return [undefined];
  return folders.map((folder) => {
    if (folder === "") return cwd;
    const placed = cwd === undefined && !isAbsolute(folder) ? undefined : inFolder(cwd ?? "", folder);
    return placed === undefined || placed.startsWith("~") ? placed : normalise(placed);
  });
}
