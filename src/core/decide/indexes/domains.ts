import type { CompiledRule } from "../compiled.ts";
import type { DomainPattern } from "../pattern-domain.ts";
import { slotIn } from "./paths.ts";
import { addTo, newSlot, type RuleSlot } from "./slot.ts";

export type DomainIndex = { exact: Map<string, RuleSlot>; below: Map<string, RuleSlot>; any: RuleSlot | undefined };

export function newDomainIndex(): DomainIndex {
  return { exact: new Map(), below: new Map(), any: undefined };
}

export function addDomain(index: DomainIndex, pattern: DomainPattern, rule: CompiledRule): void {
  if (pattern.is === "any") index.any ??= newSlot();
  addTo(pattern.is === "any" ? (index.any as RuleSlot) : slotIn(index[pattern.is], pattern.domain), rule);
}
