import { Secret } from "../../core/secret.ts";

/**
 * A frozen copy of plain data, as JSON would keep it: `undefined` members are left out. Stored values can be returned
 * directly, because nobody can change them.
 */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null || value instanceof Secret) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  const copied: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    // Assigning to this key would set the prototype.
    if (key === "__proto__") Object.defineProperty(copied, key, { value: frozenCopy(member), enumerable: true });
    else copied[key] = frozenCopy(member);
  }
  return Object.freeze(copied) as T;
}
