import type { CompiledRule } from "../compiled.ts";

/** Rules at one place of an index: those for all agents, and those that name an agent. */
export type RuleSlot = {
  /** The classes that any of them is about. */
  classes: number;
  all: CompiledRule[];
  own: Map<string, CompiledRule[]> | undefined;
};

/** Most places have rules of one kind only, so an empty list is shared until it is needed. */
const NONE: CompiledRule[] = [];

export function newSlot(): RuleSlot {
  return { classes: 0, all: NONE, own: undefined };
}

/** A rule that also names agents by a pattern is stored with those for all agents, and checked. */
export function addTo(slot: RuleSlot, rule: CompiledRule): void {
  slot.classes |= rule.classes;
  if (rule.own === undefined) {
    if (slot.all === NONE) slot.all = [rule];
    else slot.all.push(rule);
    return;
  }
  slot.own ??= new Map();
  for (const agent of rule.own) {
    const rules = slot.own.get(agent);
    if (rules === undefined) slot.own.set(agent, [rule]);
    else if (!rules.includes(rule)) rules.push(rule);
  }
}
