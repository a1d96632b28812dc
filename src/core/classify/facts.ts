import { type Effect, type Fact, type FileUse, lessUnderstood, type Understood } from "../effect.ts";
import { type Message, say } from "../messages/message.ts";
import { Notes } from "../messages/notes.ts";
import { canonical } from "../values/canonical.ts";
import type { Json } from "../values/json.ts";

/** A file is read up to here; four megabytes take a few milliseconds, and no person reads a longer script. */
export const FILE_BYTES_MAX = 4 * 1024 * 1024;
/** And all files of one call together up to here. */
export const CALL_BYTES_MAX = 32 * 1024 * 1024;

/** An effect and what it depends on; what nobody looked into makes it less understood. */
export function withFacts(effect: Effect<Message>, facts: readonly Fact[], beyond = 0): Effect<Message> {
  if (facts.length === 0) return effect;
  const doubts = [
    ...facts.flatMap(doubtAbout),
    ...(beyond === 0 ? [] : [say("note.more_files_not_examined", { count: beyond })]),
  ];
  const understood = doubts.reduce<Understood>((held) => lessUnderstood(held, "partly"), effect.understood);
  return { ...effect, understood, notes: [...new Notes([...effect.notes, ...doubts])], facts };
}

/** What a reviewer would take for granted: that what is run is there, and can be read. */
const LOOKED_INTO: ReadonlySet<FileUse> = new Set<FileUse>(["program", "script", "shell"]);

/**
 * It says neither which file nor why; the card shows people both. Agents are not told it at all: what leaves for them is
 * searched for this sentence, and entries of before hold it as text, so that its English words stay as they are.
 */
export const UNEXAMINED = say("note.file_not_examined");

function doubtAbout(fact: Fact): readonly Message[] {
  if (fact.of === "found") return fact.loose ? [say("note.program_found_in_agent_folder", { program: fact.name })] : [];
  if (!("use" in fact) || !LOOKED_INTO.has(fact.use)) return [];
  if (fact.of === "missing" && fact.use === "shell") return [say("note.bash_missing")];
  // A name without a folder may be a word of the shell's own.
  if (fact.of === "missing") return fact.path.includes("/") ? [UNEXAMINED] : [];
  if (fact.of === "unreadable") return [UNEXAMINED];
  // Nobody reads a program of that size anyway; a script one would.
  return fact.of === "large" && fact.use === "script" ? [UNEXAMINED] : [];
}

const LEADS_ELSEWHERE = "a path leads elsewhere than when it was approved";

/** Why the same words would do something else than what was approved, if they would. */
export function changedSince(approved: Effect, now: Effect): string | undefined {
  if (pathsOf(approved) !== pathsOf(now)) return LEADS_ELSEWHERE;
  if (classesOf(approved) !== classesOf(now)) return OF_ANOTHER_CLASS;
  const other = onlyIn(now, approved) ?? onlyIn(approved, now);
  return other === undefined ? undefined : `${nameOf(other)} is not what it was when it was approved`;
}

const OF_ANOTHER_CLASS = "it counts as another class of effect than when it was approved";

function classesOf(effect: Effect): string {
  return JSON.stringify(undeclared(effect).map((part) => part.class));
}

/** A declaration that is made or taken back meanwhile changes no path and no class of what was approved. */
function undeclared(effect: Effect): Effect["parts"] {
  return (effect.declared?.without ?? effect).parts;
}

function pathsOf(effect: Effect): string {
  return JSON.stringify(
    undeclared(effect).flatMap(({ targets }) => targets.flatMap((one) => (one.kind === "path" ? one.path : []))),
  );
}

/**
 * What a reviewer changes runs where the call was made, so that its variables count and not the reviewer's. A file that is
 * not what the card said any more is not what the reviewer saw.
 */
export function asShown(shown: Effect, edited: Effect): { ok: true; effect: Effect } | { ok: false; why: string } {
  const [before, after] = [shown.facts ?? [], edited.facts ?? []];
  const names = new Set(before.map(nameOf));
  const known = new Set(before.map(contentOf));
  const other = after.find((fact) => !isVariable(fact) && names.has(nameOf(fact)) && !known.has(contentOf(fact)));
  if (other !== undefined) return { ok: false, why: `${nameOf(other)} is not what it was when it was asked about` };
  if (!after.some(isVariable)) return { ok: true, effect: edited };
  const facts = [...after.filter((fact) => !isVariable(fact)), ...before.filter(isVariable)];
  return { ok: true, effect: { ...edited, facts } };
}

/** What a file is, whatever is done with it. */
function contentOf(fact: Fact): string {
  return textOf({ ...fact, use: "script" } as Fact);
}

function isVariable(fact: Fact): boolean {
  return fact.of === "variable";
}

function onlyIn(one: Effect, other: Effect): Fact | undefined {
  const known = new Set(other.facts?.map(textOf));
  return one.facts?.find((fact) => !known.has(textOf(fact)));
}

function textOf(fact: Fact): string {
  return canonical(fact as Json);
}

function nameOf(fact: Fact): string {
  if (fact.of === "folder") return "the working folder";
  return fact.of === "variable" || fact.of === "found" ? fact.name : fact.path;
}
