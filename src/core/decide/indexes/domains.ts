import type { CompiledRule } from "../compiled.ts";
import type { DomainPattern } from "../pattern-domain.ts";
import { slotIn } from "./paths.ts";
import { addTo, newSlot, type Slot } from "./slot.ts";

export type DomainIndex = { exact: Map<string, Slot>; below: Map<string, Slot>; any: Slot | undefined };

export function newDomainIndex(): DomainIndex {
  return { exact: new Map(), below: new Map(), any: undefined };
}

export function addDomain(index: DomainIndex, pattern: DomainPattern, rule: CompiledRule): void {
  if (pattern.is === "any") index.any ??= newSlot();
  addTo(pattern.is === "any" ? (index.any as Slot) : slotIn(index[pattern.is], pattern.domain), rule);
}
