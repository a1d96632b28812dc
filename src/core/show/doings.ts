import { type CommandTarget, type Effect, type EffectClass, graver, onlyReads, type Part } from "../effect.ts";

/** One program that a call starts, or one thing that a tool does itself, with all its effects. */
export type Doing = { commands: readonly CommandTarget[]; parts: readonly Part[] };

/**
 * The parts of an effect, grouped by program. The part of the program itself comes last and has its words; its
 * effects on paths and addresses come before it.
 */
export function doingsOf({ parts }: Effect): readonly Doing[] {
  const doings: Doing[] = [];
  let held: Part[] = [];
  parts.forEach((part, i) => {
    held.push(part);
    const commands = commandsOf(part);
    const own = commands.length > 0 || part.targets.some((target) => target.kind === "tool");
    const next = parts[i + 1];
    if (next !== undefined && (!own || isSame(commands, commandsOf(next)))) return;
    doings.push({ commands, parts: held });
    held = [];
  });
  return doings;
}

export function commandsOf(part: Part): readonly CommandTarget[] {
  return part.targets.filter((target): target is CommandTarget => target.kind === "command");
}

function isSame([a]: readonly CommandTarget[], [b]: readonly CommandTarget[]): boolean {
  return a !== undefined && b !== undefined && sameWords(a.words, b.words);
}

function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, i) => word === b[i]);
}

/** Whether it does more than read. */
export function isGrave({ parts }: Doing): boolean {
  return parts.some((part) => !onlyReads(part.class));
}

export function gravest({ parts }: Doing): EffectClass {
  return parts.reduce<EffectClass>((held, part) => graver(held, part.class), "none");
}

/** Sorts the most serious first. */
export function byGravity(a: EffectClass, b: EffectClass): number {
  if (a === b) return 0;
  return graver(a, b) === a ? -1 : 1;
}
