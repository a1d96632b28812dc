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
import { type Message, type Notes, say } from "../messages/message.ts";
import type { Work } from "../shell/script.ts";
import { CLASS_DEFAULTS, type ToolRow } from "../tables/tools.ts";
import type { Act } from "./protect.ts";

/** Paths in arguments that the table does not name, and what the tool seems to do with them. */
export type Mentioned = { act: Act; paths: readonly string[] };

/** An effect under construction, while the arguments are read. */
export type EffectDraft = {
  row: ToolRow;
  class: EffectClass;
  targets: Target[];
  reaches: Reach[];
  reversible: boolean;
  /** The reach, if the targets do not determine it. */
  reach: Reach | undefined;
  method: string | undefined;
  /** Parts that are more serious than the tool itself: protected paths, addresses that give out credentials. */
  graver: Part[];
  /** The parts of the programs that the commands start. */
  commands: Part[];
  understood: Understood;
  notes: Notes;
  maybe: MaybeDraft;
  refused: Effect<Message>["refused"] | undefined;
};

/** What a call may do besides, collected from all its commands. The key of a target is its JSON text. */
export type MaybeDraft = {
  parts: Part[];
  guesses: Part[];
  targets: Map<string, MaybeTarget>;
  apart: Map<string, MaybeTarget>;
  /** The steps that reading took. */
  work: Work;
};

export function newDraft(
  row: ToolRow,
  understood: Understood,
  notes: Notes,
  maybe: MaybeDraft = { parts: [], guesses: [], targets: new Map(), apart: new Map(), work: { steps: 0 } },
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

/** A call that is too large is refused, because it cannot be examined completely. */
export const TOO_LARGE: Effect<Message>["refused"] & object = {
  code: "LEEWAY_TOO_LARGE",
  because: say("note.call_too_large"),
};

/** The level of a target if nothing else sets it. */
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

/** What the call may do besides. Nothing is added if there is nothing, so that most effects stay small. */
export function maybeOf({ parts, guesses, targets, apart }: MaybeDraft): Pick<Effect, "maybe"> {
  const all = [...targets.values(), ...apart.values()];
  if (guesses.length > 0) return { maybe: { parts, targets: all, guesses } };
  return parts.length === 0 && all.length === 0 ? {} : { maybe: { parts, targets: all } };
}

/** The draft as parts, the most serious first. */
export function partsFrom(draft: EffectDraft, tool: string): [Part, ...Part[]] {
  const [first, ...rest] = draft.graver.length === 0 ? draft.commands : [...draft.graver, ...draft.commands];
  if (first === undefined) return [mainPart(draft, tool)];
  // If everything that the call names is protected or is a command, the tool's own class adds nothing.
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
