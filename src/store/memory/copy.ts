import { Secret } from "../../core/secret.ts";

/**
 * A frozen copy of plain data, as JSON would carry it: members that are `undefined` are left out. Kept values are
 * handed out as they are, because nobody can change them.
 */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null || value instanceof Secret) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  const copied: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    // Assigning to this one key would set the prototype instead.
    if (key === "__proto__") Object.defineProperty(copied, key, { value: frozenCopy(member), enumerable: true });
    else copied[key] = frozenCopy(member);
  }
  return Object.freeze(copied) as T;
}
