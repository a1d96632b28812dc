import type { CompiledRule } from "../compiled.ts";

/** Rules that meet at one place of an index: those for all agents, and those that name one. */
export type Slot = { all: CompiledRule[]; own: Map<string, CompiledRule[]> | undefined };

export function newSlot(): Slot {
  return { all: [], own: undefined };
}

/** A rule that names agents by glob too stands with those for all, and is checked. */
export function addTo(slot: Slot, rule: CompiledRule): void {
  if (rule.own === undefined) {
    slot.all.push(rule);
    return;
  }
  slot.own ??= new Map();
  for (const agent of rule.own) {
    const rules = slot.own.get(agent);
    if (rules === undefined) slot.own.set(agent, [rule]);
    else rules.push(rule);
  }
}

/** Called with each list of rules that may match; `own` lists are of rules that name the agent. */
export type Visit = (rules: readonly CompiledRule[], isOwn: boolean) => void;
