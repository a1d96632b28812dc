import { LEVELS, type Level } from "../../effect.ts";
import { type Message, Notes, say } from "../../messages/message.ts";
import { SECRET_ROWS, SENT_SECRETS } from "../../tables/secrets.ts";
import type { ToolRow } from "../../tables/tools.ts";
import { flat } from "../../tool-name.ts";
import { isObject, type Json } from "../../values/json.ts";
import { type Arguments, type Command, readArguments } from "../arguments.ts";

/** How a request is made, according to the arguments. */
type Sending = {
  /** All methods that are named, the most serious first. */
  methods: readonly string[];
  doubts: readonly Message[];
};

const READING = new Set(["GET", "HEAD", "OPTIONS"]);
const WRITING = new Set(["POST", "PUT", "PATCH"]);
const METHOD_KEY = /^(x?(http|request)?method(override)?|verb|httpverb)$/;
const OVERRIDE = /^\s*x-(?:http-)?method(?:-override)?\s*(?::\s*([a-z]+))?/i;
const BODY_KEY = /^(body|data|json|form|payload|formdata)$/;
const ANY_BODY_KEY =
  /^((request|raw|post|http)?body(json|text|raw|form)?|(post|form|json)?data(raw|binary|urlencode)?|json|form|payload|content|text|multipart|files?|upload)$/;
const QUERY_KEY = /^(query|params|queryparams|searchparams)$/;
const NO_KEY = /(?!)/;

/** Arguments that change neither what is sent nor what is done with the response. */
const HARMLESS = new Set(
  (
    "url urls uri href address link endpoint method httpmethod verb timeout timeoutms timeoutseconds maxlength maxchars " +
    "maxbytes maxsize maxtokens limit startindex offset prompt format outputformat responseformat encoding accept " +
    "useragent followredirects maxredirects description explanation extractmode"
  ).split(" "),
);
/** Harmless arguments that hold objects: headers, and parameters of the address. */
const HARMLESS_DEEP = new Set("url urls uri headers header query params queryparams searchparams".split(" "));

export function isReadingMethod(method: string): boolean {
  return READING.has(method);
}

export function methodLevel(method: string, otherwise: Level): Level {
  if (READING.has(method)) return otherwise;
  return WRITING.has(method) ? "write" : "execute";
}

/** A body without a method is sent by POST. For an unknown tool only a method that is named counts. */
export function sendingOf(args: Arguments, row: ToolRow): Sending {
  const bodies = row.class === "unknown" ? NO_KEY : row.sends === true ? ANY_BODY_KEY : BODY_KEY;
  const methods = new Set<string>(row.method === undefined ? [] : [row.method]);
  const found: Found = { methods, doubts: new Notes(), bodies, body: false };
  look(args.json, found);
  if (row.sends === true) for (const command of commandsOf(args, "")) lookAtOptions(command, found);
  if (found.body && methods.size === 0) methods.add("POST");
  const rank = (method: string) => LEVELS.indexOf(methodLevel(method, "read"));
  return { methods: [...methods].sort((a, b) => rank(b) - rank(a)), doubts: [...found.doubts] };
}

type Found = { methods: Set<string>; doubts: Notes; bodies: RegExp; body: boolean };

function lookAtOptions(command: Command, found: Found): void {
  const line = "line" in command ? command.line : command.words.join(" ");
  for (const [, method = ""] of line.matchAll(/(?:^|\s)(?:-X\s*|--request[\s=]+)["']?([a-z]+)/gi)) {
    found.methods.add(method.toUpperCase());
  }
  found.body ||= /(?:^|\s)(?:-[a-z]*[dFT]|--(?:data|form|json|upload|post))/.test(line);
}

function look(value: Json, found: Found): void {
  if (typeof value === "string") {
    const override = OVERRIDE.exec(value);
    if (override === null) return;
    found.doubts.add(say("note.header_sets_method"));
    // In a list of names and values, the value is in another item. It is not looked up.
    found.methods.add(override[1]?.toUpperCase() ?? "OVERRIDE");
  } else if (Array.isArray(value)) {
    for (const item of value) look(item as Json, found);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) lookAt(flat(key), value[key] as Json, found);
  }
}

function lookAt(name: string, value: Json, found: Found): void {
  if (METHOD_KEY.test(name)) {
    const texts = Array.isArray(value) ? value : [value];
    for (const text of texts) {
      if (typeof text === "string" && text.trim() !== "") found.methods.add(text.trim().toUpperCase());
      else if (text !== null && text !== "") found.doubts.add(say("note.method_not_text"));
    }
    if (name.endsWith("override")) found.doubts.add(say("note.header_sets_method"));
  } else if (found.bodies.test(name)) {
    // The content of a body is only sent: a `method` in it is not the method of this request.
    found.body ||= value !== null;
  } else look(value, QUERY_KEY.test(name) ? { ...found, bodies: NO_KEY } : found);
}

/** Whether every argument is known to be harmless. A body is harmless if the request counts as a write anyway. */
export function isPlainSending(args: Arguments, { writes }: { writes: boolean }): boolean {
  return args.list.every(({ name: { flat: name }, value }) => {
    if (writes && BODY_KEY.test(name)) return name === "json" || !namesFile(value);
    if (value === null || HARMLESS_DEEP.has(name)) return true;
    return name === "raw" ? typeof value === "boolean" : HARMLESS.has(name) && typeof value !== "object";
  });
}

/** The arguments without the body. The content of a body is only sent: a `path` in it is not a file on this machine. */
export function withoutBody(args: Arguments): Arguments {
  return readArguments(Object.fromEntries(Object.entries(args.json).filter(([name]) => !BODY_KEY.test(flat(name)))));
}

/** For some programs `@name` means the file of that name, in a form field and in a whole body. */
function namesFile(value: Json): boolean {
  if (typeof value === "string") return /^\s*@/.test(value);
  if (Array.isArray(value)) return value.some((item) => namesFile(item as Json));
  return isObject(value) && Object.keys(value).some((key) => namesFile(value[key] as Json));
}

const WORDS_KEY = /^(args|argv|arguments|flags|options|opts|extraargs|curlargs|curloptions)$/;
const LINE_KEY = /^(command|cmd|commandline|script|shell)$/;

/** Options for the program that makes the request: then the call runs a command. */
export function commandsOf(args: Arguments, program: string): readonly Command[] {
  const found: Command[] = [];
  for (const { name, value } of args.list) {
    const hasWords = WORDS_KEY.test(name.flat);
    if (!hasWords && !LINE_KEY.test(name.flat)) continue;
    if (typeof value === "string") found.push({ line: hasWords ? `${program} ${value}` : value });
    else if (Array.isArray(value) && value.length > 0) {
      const words = value.map((word) => (typeof word === "string" ? word : JSON.stringify(word)));
      found.push({ words: hasWords ? [program, ...words] : words });
    }
  }
  return found;
}

/** Values that are not text, in arguments that should hold text or a list of texts. */
export function strayValues(args: Arguments, names: string): readonly Json[] {
  const wanted = flatNames(names);
  const found: Json[] = [];
  for (const { name, value } of args.list) if (wanted.has(name.flat)) addStray(value, found);
  return found;
}

function addStray(value: Json, found: Json[]): void {
  if (Array.isArray(value)) for (const item of value) addStray(item as Json, found);
  else if (typeof value !== "string" && value !== null) found.push(value);
}

/** Each text is parsed once. The texts come from the tables, so there are few. */
const flattened = new Map<string, ReadonlySet<string>>();

function flatNames(names: string): ReadonlySet<string> {
  const known = flattened.get(names);
  if (known !== undefined) return known;
  const found = new Set(names.split(" ").map(flat));
  flattened.set(names, found);
  return found;
}

export const SENDS_SECRET = say("note.request_sends_secret");

const SECRET = new RegExp(
  `(?<![A-Za-z0-9_-])(?:${[...SECRET_ROWS.map((row) => row.pattern), ...SENT_SECRETS].join("|")})`,
);

/** Whether any text in the arguments looks like a secret, plain or percent-encoded. */
export function holdsSecret(value: Json): boolean {
  if (typeof value === "string") return SECRET.test(value) || (value.includes("%") && SECRET.test(decoded(value)));
  if (Array.isArray(value)) return value.some((item) => holdsSecret(item as Json));
  return isObject(value) && Object.entries(value).some(([key, item]) => holdsSecret(key) || holdsSecret(item as Json));
}

function decoded(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
