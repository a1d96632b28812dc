import type { MESSAGES } from "./en/messages.ts";

/**
 * A sentence for a person or a model, as data: which sentence, and its values. It is stored in this form and becomes text
 * where it is read, in the reader's language (`textOf`).
 */
export type Message = { readonly say: MessageId; readonly with: { readonly [name: string]: Named } };

/** The values of a sentence. All of them are JSON, so that the ledger can store them. */
export type Named = string | number | Message | readonly (string | Message)[];

type Sentences = typeof MESSAGES;

export type MessageId = keyof Sentences;

/** What is between braces: a name, or `count|reviewer|reviewers` for a word that depends on a number. */
type SlotsIn<S extends string> = S extends `${string}{${infer Slot}}${infer Rest}` ? Slot | SlotsIn<Rest> : never;

type CountIn<Slot extends string> = Slot extends `${infer Name}|${string}` ? Name : never;

/** Braces with spaces in them are literal braces. */
type NameIn<Slot extends string> = Slot extends `${string}|${string}` | `${string} ${string}` ? never : Slot;

/** The names in a sentence, taken from its text. */
type NamesIn<S extends string> = NameIn<SlotsIn<S>> | CountIn<SlotsIn<S>>;

type ValuesOf<S extends string> = {
  readonly [Name in NamesIn<S>]: Name extends CountIn<SlotsIn<S>> ? number : Named;
};

type Arguments<S extends string> = [NamesIn<S>] extends [never] ? [] : [values: ValuesOf<S>];

/** Sentences of a family without values, so that a table can contain the id of one. */
export type PlainId<Family extends string> = {
  [Id in MessageId]: Id extends `${Family}.${string}` ? ([NamesIn<Sentences[Id]>] extends [never] ? Id : never) : never;
}[MessageId];

/** A message for plain text of somebody else, or for text from before messages were data. */
export function messageOf(said: Message | string): Message {
  return typeof said === "string" ? { say: "text.as_given", with: { text: said } } : said;
}

/** Several messages as one, in their order. */
export function inTurn(said: readonly (Message | string)[]): Message {
  const [first = "", ...more] = said;
  return more.length === 0 ? messageOf(first) : say("text.and_then", { first: messageOf(first), rest: inTurn(more) });
}

/** Compiles only with exactly the names of the sentence. */
export function say<Id extends MessageId>(id: Id, ...[values]: Arguments<Sentences[Id]>): Message {
  return { say: id, with: values ?? {} };
}

/**
 * A message in a row or an entry, or text from before messages were data. Undefined if it is neither. An id that this
 * version does not know is a message too: `textOf` shows it with its values.
 */
export function keptMessage(value: unknown): Message | string | undefined {
  return typeof value === "string" || isMessage(value) ? value : undefined;
}

/** Whether a value of a row or an entry is a message, of any version. */
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

/** Notes in the order in which they were added, each of them once. A `Set` would keep two equal messages. */
export class Notes {
  readonly #byKey = new Map<string, Message>();

  constructor(notes: readonly Message[] = []) {
    for (const note of notes) this.add(note);
  }

  get size(): number {
    return this.#byKey.size;
  }

  add(note: Message): void {
    const key = keyOf(note);
    if (!this.#byKey.has(key)) this.#byKey.set(key, note);
  }

  [Symbol.iterator](): Iterator<Message> {
    return this.#byKey.values();
  }
}

/** The key by which messages are compared. Most have no values, and are compared by their id. */
function keyOf({ say: id, with: values }: Message): string {
  let key: string = id;
  for (const name in values) key += `\0${namedKey(values[name] ?? "")}`;
  return key;
}

function namedKey(value: Named): string | number {
  if (typeof value === "string" || typeof value === "number") return value;
  return "say" in value ? keyOf(value) : value.map(namedKey).join("\0");
}
