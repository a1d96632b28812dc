import type { MESSAGES } from "./en/messages.ts";

/**
 * Something that a person or a model is told, as data: which sentence, and what it names. It is kept as it is and becomes
 * text where it is read, in the language of the reader (`textOf`).
 */
export type Message = { readonly say: MessageId; readonly with: { readonly [name: string]: Named } };

/** What a sentence may name. All of it is JSON, so that the ledger can keep it. */
export type Named = string | number | Message | readonly (string | Message)[];

type Sentences = typeof MESSAGES;
export type MessageId = keyof Sentences;

/** What stands between braces: a name, or `count|reviewer|reviewers` for a word that depends on a number. */
type SlotsIn<S extends string> = S extends `${string}{${infer Slot}}${infer Rest}` ? Slot | SlotsIn<Rest> : never;
type CountIn<Slot extends string> = Slot extends `${infer Name}|${string}` ? Name : never;
/** Braces with spaces in them are braces. */
type NameIn<Slot extends string> = Slot extends `${string}|${string}` | `${string} ${string}` ? never : Slot;

/** The names in a sentence, taken from its text. */
export type NamesIn<S extends string> = NameIn<SlotsIn<S>> | CountIn<SlotsIn<S>>;

type ValuesOf<S extends string> = {
  readonly [Name in NamesIn<S>]: Name extends CountIn<SlotsIn<S>> ? number : Named;
};
type Arguments<S extends string> = [NamesIn<S>] extends [never] ? [] : [values: ValuesOf<S>];

/** Sentences of a family that name nothing, so that a table can hold the id of one. */
export type PlainId<Family extends string> = {
  [Id in MessageId]: Id extends `${Family}.${string}` ? ([NamesIn<Sentences[Id]>] extends [never] ? Id : never) : never;
}[MessageId];
/** A message for what somebody else said in plain text, or what was kept as text before messages were data. */
export function messageOf(said: Message | string): Message {
  return typeof said === "string" ? { say: "text.as_given", with: { text: said } } : said;
}

/** Several messages as one, in their order. */
export function inTurn(said: readonly (Message | string)[]): Message {
  const [first = "", ...more] = said;
  return more.length === 0 ? messageOf(first) : say("text.and_then", { first: messageOf(first), rest: inTurn(more) });
}

/** Compiles only with exactly the names that the sentence has. */
export function say<Id extends MessageId>(id: Id, ...[values]: Arguments<Sentences[Id]>): Message {
  return { say: id, with: values ?? {} };
}

/**
 * What a row or an entry keeps as something that was said: a message, or the text of before messages were data. Nothing
 * where it is neither. An id that this version does not know is a message too: `textOf` shows it with what it names.
 */
export function keptMessage(value: unknown): Message | string | undefined {
  return typeof value === "string" || isMessage(value) ? value : undefined;
}

/** Whether a value of a row or an entry is a message, of whichever version. */
export function isMessage(value: unknown): value is Message {
  if (!isMap(value) || typeof value["say"] !== "string" || !isMap(value["with"])) return false;
  return Object.values(value["with"]).every(isNamed);
}

function isNamed(value: unknown): value is Named {
  if (typeof value === "string" || typeof value === "number") return true;
  return Array.isArray(value) ? value.every((one) => typeof one === "string" || isMessage(one)) : isMessage(value);
}

function isMap(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
