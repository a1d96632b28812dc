import {
  type Effect,
  type EffectClass,
  type Level,
  lessUnderstood,
  levelSatisfies,
  type MaybeTarget,
  type Part,
  REACHES,
  type Reach,
  type Target,
  type Understood,
} from "../effect.ts";
import { type Message, say } from "../messages/message.ts";
import type { Notes } from "../messages/notes.ts";
import type { Work } from "../shell/step-budget.ts";
import { CLASS_DEFAULTS, type ToolRow } from "../tables/tools.ts";
import type { Act } from "./protect.ts";

/** A tool as it is to be read: a line of the table, a declaration of the operator, or a guess. */
export type Reading = {
  row: ToolRow;
  understood: Understood;
  notes: readonly Message[];
  mentioned: Mentioned /** Statements of SQL that no line of the table names. */;
  statements?: readonly string[];
};

/** Paths that no line of the table names, and what the tool seems to do with them. */
export type Mentioned = { act: Act; paths: readonly string[] };

/** An effect while the arguments are being read. */
export type EffectDraft = {
  row: ToolRow;
  class: EffectClass;
  targets: Target[];
  reaches: Reach[];
  reversible: boolean;
  /** How far it goes where its targets do not say. */
  reach: Reach | undefined;
  method: string | undefined;
  /** Parts that are graver than the tool is: protected paths, credentials handed out by an address. */
  graver: Part[];
  /** What the programs do that a command starts. */
  commands: Part[];
  understood: Understood;
  notes: Notes;
  maybe: MaybeDraft;
  refused: Effect<Message>["refused"] | undefined;
};

/** What a call may do besides, gathered from all its commands; targets by what tells them apart. */
export type MaybeDraft = {
  parts: Part[];
  targets: Map<string, MaybeTarget>;
  apart: Map<string, MaybeTarget>;
  /** How much reading that took. */
  work: Work;
};

export function newDraft(
  row: ToolRow,
  understood: Understood,
  notes: Notes,
  maybe: MaybeDraft = { parts: [], targets: new Map(), apart: new Map(), work: { steps: 0 } },
): EffectDraft {
  return {
    row,
    class: row.class,
    targets: [],
    reaches: [],
    reversible: row.reversible ?? CLASS_DEFAULTS[row.class].reversible,
    reach: row.reach,
    method: undefined,
    graver: [],
    commands: [],
    understood,
    notes,
    maybe,
    refused: undefined,
  };
}

/** What is larger is refused: nobody could look at all of it. */
export const TOO_LARGE: Effect<Message>["refused"] & object = {
  code: "LEEWAY_TOO_LARGE",
  because: say("note.call_too_large"),
};

/** The level of a target that nothing else is said of. */
export function levelOf(draft: EffectDraft): Level {
  return CLASS_DEFAULTS[draft.class].level;
}

export function doubt(draft: EffectDraft, why: Message, understood: Understood = "partly"): void {
  draft.understood = lessUnderstood(draft.understood, understood);
  draft.notes.add(why);
}

export function addGraver(draft: EffectDraft, kind: EffectClass, targets: readonly Target[], reach: Reach): void {
  const { capability, level, reversible } = CLASS_DEFAULTS[kind];
  draft.graver.push({ class: kind, capability, level, targets, reversible, reach });
}

/** The draft as parts, the gravest first. */
export function partsFrom(draft: EffectDraft, tool: string): [Part, ...Part[]] {
  const [first, ...rest] = draft.graver.length === 0 ? draft.commands : [...draft.graver, ...draft.commands];
  if (first === undefined) return [mainPart(draft, tool)];
  // Where everything the call names is protected, or is a command, nothing is left that the tool's own class would speak of.
  const spoken = draft.row.class.startsWith("fs.") || (draft.row.class === "process.exec" && draft.commands.length > 0);
  const covered = draft.targets.length === 0 && spoken;
  return covered ? [first, ...rest] : [first, ...rest, mainPart(draft, tool)];
}

function mainPart(draft: EffectDraft, tool: string): Part {
  const { targets, method } = draft;
  const defaults = CLASS_DEFAULTS[draft.class];
  let level = levelOf(draft);
  for (const target of targets) if (!levelSatisfies(level, target.level)) level = target.level;
  const part: Part = {
    class: draft.class,
    capability: defaults.capability,
    level,
    targets: targets.length > 0 ? targets : [{ kind: "tool", tool, level }],
    reversible: draft.reversible,
    reach: widest(draft.reaches) ?? draft.reach ?? defaults.reach,
  };
  return method === undefined ? part : { ...part, method };
}

function widest(reaches: readonly Reach[]): Reach | undefined {
  let held: Reach | undefined;
  for (const reach of reaches)
    if (held === undefined || (reach !== held && REACHES.indexOf(reach) > REACHES.indexOf(held))) held = reach;
  return held;
}
