import type { Cause } from "../decision.ts";
import type { Ground } from "./compiled.ts";

export const NO_GROUNDS: readonly Ground[] = Object.freeze([]);
export const NO_CAUSES: readonly Cause[] = Object.freeze([]);

/**
 * Adds a ground, once. A list with one ground is shared by all decisions that use it, so it is copied before it
 * grows; a longer list belongs to this decision only.
 */
export function withGround(list: readonly Ground[], ground: Ground): readonly Ground[] {
  if (list.length === 0) return aloneOf(ground);
  if (hasGround(list, ground)) return list;
  if (list.length === 1) return [list[0] as Ground, ground];
  (list as Ground[]).push(ground);
  return list;
}

/** A hand-written loop: the lists are so short that calling `includes` costs more. */
export function hasGround(list: readonly Ground[], ground: Ground): boolean {
  for (let i = 0; i < list.length; i++) if (list[i] === ground) return true;
  return false;
}

export function causesOf(grounds: readonly Ground[]): readonly Cause[] {
  if (grounds.length === 0) return NO_CAUSES;
  if (grounds.length > 1) return grounds.map((ground) => ground.cause);
  return onlyOf(grounds[0] as Ground);
}

function aloneOf(ground: Ground): readonly Ground[] {
  ground.alone ??= Object.freeze([ground]);
  return ground.alone;
}

export function onlyOf(ground: Ground): readonly Cause[] {
  ground.only ??= Object.freeze([ground.cause]);
  return ground.only;
}
