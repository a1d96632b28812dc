import { isMessage, type Message } from "./message.ts";
import { textOf } from "./text.ts";

/** The same value with text in the place of each message. What is known only as JSON stays JSON. */
export type InEnglish<T> = [Plain] extends [T] ? T : Told<T>;
type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain };
type Told<T> = T extends string | number | boolean
  ? T
  : T extends Message
    ? string
    : T extends object
      ? { [K in keyof T]: Told<T[K]> }
      : T;

/**
 * What Leeway made, as programs get it: with English text in the place of every message. Not for what others sent, which may
 * look like a message without being one.
 */
export function inEnglish<T>(value: T): InEnglish<T> {
  return told(value) as InEnglish<T>;
}

function told(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(told);
  if (isMessage(value)) return textOf(value, "en");
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, told(one)]));
}
