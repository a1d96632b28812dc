import type { MESSAGES } from "./en/messages.ts";

/**
 * Something that a person or a model is told, as data: which sentence, and what it names. It is kept as it is and becomes
 * text where it is read, in the language of the reader (`textOf`).
 */
export type Message = { readonly say: MessageId; readonly with: { readonly [name: string]: Named } };

/** What a sentence may name. All of it is JSON, so that the ledger can keep it. */
export type Named = string | number | Message | readonly string[];

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

/** Compiles only with exactly the names that the sentence has. */
export function say<Id extends MessageId>(id: Id, ...[values]: Arguments<Sentences[Id]>): Message {
  return { say: id, with: values ?? {} };
}
