import { nearest } from "../core/values/nearest.ts";
import { visibleJson } from "../core/values/text.ts";
import { type Exit, usage } from "./failure.ts";
import { coloursFor, type Io, type Out, widthOf } from "./terminal/io.ts";
import { drawn } from "./terminal/table.ts";

/** A command as data: parsing, help, completion and the tests of the documentation all use it. */
export type CommandSpec = {
  /** One word, or a group and a word: `grants add`. */
  name: string;
  summary: string;
  args?: readonly (readonly [syntax: string, means: string])[];
  options?: readonly (readonly [flags: string, means: string])[];
  examples: readonly string[];
  exits: readonly Exit[];
  /** Further exit codes, as a sentence. */
  endsWith?: string;
  /** Set if the command gives more power: the page of the server on which a signed-in person does the same. */
  page?: string;
  act(given: CommandInput): Promise<number>;
};

/** One use of a command: its arguments and options, and where its output goes. */
export type CommandInput = {
  io: Io;
  args: readonly string[];
  options: Readonly<Record<string, unknown>>;
  out: Out;
};

export function outOf(io: Io, json: boolean): Out {
  const colours = coloursFor(io.stdout, io.env);
  const write = (value: unknown, human: () => string) => {
    const text = json ? visibleJson(value) : drawn(human(), colours);
    if (text !== "") io.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  };
  return {
    json,
    colours,
    width: widthOf(io.stdout),
    answer: write,
    line: write,
    say: (text) => void (json || io.stdout.write(`${drawn(text, colours)}\n`)),
    note: (text) => void io.stderr.write(`${drawn(text, colours)}\n`),
  };
}

export function flag(given: CommandInput, name: string): boolean {
  return given.options[name] === true;
}

export function text(given: CommandInput, name: string): string | undefined {
  const value = given.options[name];
  return typeof value === "string" ? value : undefined;
}

/** The values of an option that may be given several times. */
export function textList(given: CommandInput, name: string): readonly string[] {
  const value = given.options[name];
  return Array.isArray(value) ? value.map(String) : [];
}

export function needed(given: CommandInput, name: string, hint: string): string {
  const value = text(given, name);
  if (value === undefined) throw usage(`--${dashed(name)} is missing`, hint);
  return value;
}

/** `unit`: what the number counts, such as seconds. */
export function whole(given: CommandInput, name: string, unit = ""): number | undefined {
  const value = text(given, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value))
    throw usage(
      `--${dashed(name)} ${value} is not a whole number${unit === "" ? "" : ` of ${unit}`}`,
      unit === "" ? "write at most nine digits" : `write only the number of ${unit}, such as 60`,
    );
  return Number(value);
}

export function first(given: CommandInput): string {
  const value = given.args[0];
  if (value === undefined) throw new Error("a required argument was not required (this is a bug)");
  return value;
}

/** A word from a list, or an error that names the nearest word or all of them. */
export function oneOf<T extends string>(value: string, words: readonly T[], what: string): T {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  const meant = nearest(value, words);
  throw usage(
    `unknown ${what} \`${value}\``,
    meant === undefined ? `use one of: ${words.join(", ")}` : `did you mean \`${meant}\`?`,
  );
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
