import type { ToolCall } from "../../call.ts";
import { graver, type Level, type Target } from "../../effect.ts";
import { say } from "../../messages/message.ts";
import { CLASS_DEFAULTS } from "../../tables/tools.ts";
import { toolName } from "../../tool-name.ts";
import { type Arguments, collect, guess, NAMED_MAX, readArguments } from "../arguments.ts";
import { readCommand } from "../commands/command-places.ts";
import { partsOfCommand } from "../commands/parts-command.ts";
import { addGraver, doubt, type EffectDraft, levelOf, TOO_LARGE } from "../effect-draft.ts";
import type { Knowledge } from "../knowledge.ts";
import { addPath } from "../parts-path.ts";
import { normalise } from "../path.ts";
import { baseOf, locate, type PathUse } from "../path-places.ts";
import { protectedNote } from "../protect.ts";
import type { CallReading } from "../reading.ts";
import { addAddress } from "./address.ts";
import { commandsOf, isPlainSending, isReadingMethod, methodLevel, sendingOf, strayValues } from "./sending.ts";
import { parseAddress } from "./url.ts";

/** Adds every address that the arguments name, and whether the request reads or writes there. */
export function addAddresses(draft: EffectDraft, reading: CallReading, knowledge: Knowledge): void {
  const { row } = draft;
  const { call, args } = reading;
  if (row.urls === undefined) {
    addUnnamed(draft, reading, knowledge);
    return;
  }
  const { methods, doubts } = sendingOf(args, row);
  for (const why of doubts) doubt(draft, why);
  const [gravest, ...others] = methods;
  if (gravest !== undefined) draft.method = gravest;
  const writes = gravest !== undefined && !isReadingMethod(gravest);
  if (writes && row.class !== "unknown") {
    draft.class = graver(draft.class, "network.write");
    draft.reversible = false;
  }
  if (row.sends === true) {
    if (!isPlainSending(args, { writes })) doubt(draft, say("note.request_argument_unknown"));
    addRest(draft, reading, knowledge);
  }
  const found = addressesOf(draft, args, row.urls);
  if (found.length === 0 && row.class !== "unknown") doubt(draft, say("note.no_address_found"));
  const level = methodLevel(gravest ?? "GET", levelOf(draft));
  for (const text of found) addEither(draft, text, level, call, knowledge);
  for (const method of others) addMethod(draft, method, call.tool);
}

/** A tool that only reads may still be sent to an address in an argument that the table does not name. */
function addUnnamed(draft: EffectDraft, { call, args }: CallReading, knowledge: Knowledge): void {
  const { row } = draft;
  if (row.class !== "browser.read" && row.class !== "network.read") return;
  for (const text of collect(args, "uri"))
    if (SECRET_KIND.test(text.trim()))
      addGraver(draft, "secrets.read", [{ kind: "tool", tool: call.tool, level: "admin" }], "host");
  const urls = guess(args).urls.filter((text) => row.class === "browser.read" || /^(https?|wss?|ftp):/i.test(text));
  if (urls.length > 0) doubt(draft, say("note.argument_may_be_address"));
  for (const text of urls) addEither(draft, text, levelOf(draft), call, knowledge);
}

/** An address of such a kind names a secret, on every server. */
const SECRET_KIND =
  /^[\w+.-]*(?:secret|vault|credential|password|keychain|keyring|token|(?<![a-z])(?:env|environment|op|bw|pass|ssm|kms)(?![a-z]))[\w+.-]*:/i;

/** A tool for any kind of request may run a program with options, and write the answer to a file. */
function addRest(draft: EffectDraft, { call, args }: CallReading, knowledge: Knowledge): void {
  const cwd = baseOf(call.cwd, knowledge);
  const where = { cwd: cwd === undefined ? undefined : normalise(cwd), env: [] };
  for (const command of commandsOf(args, toolName(call.tool).canonical)) {
    draft.graver.push(...partsOfCommand(draft, readCommand(command), where, knowledge));
  }
  const use: PathUse = { act: "write", level: "write", deep: false };
  const saved = collect(args, SAVED);
  if (saved.length > NAMED_MAX) draft.refused = TOO_LARGE;
  for (const text of saved.slice(0, NAMED_MAX)) {
    const { protection, targets, reach } = locate(text, use, cwd, knowledge);
    if (protection !== undefined) draft.notes.add(protectedNote(protection));
    addGraver(draft, protection?.class ?? "fs.write", targets, reach);
  }
}

/** Arguments that name the file for the answer. */
const SAVED =
  "output output_file output_path out outfile save_as save_to save_path destination dest download_path filename file_name path file_path";

/** If a call names several methods, rules must see each of them. */
function addMethod(draft: EffectDraft, method: string, tool: string): void {
  const { capability, level, reach } = CLASS_DEFAULTS[draft.class];
  const targets: Target[] = draft.targets.length > 0 ? [...draft.targets] : [{ kind: "tool", tool, level }];
  draft.graver.push({ class: draft.class, capability, level, targets, reversible: draft.reversible, reach, method });
}

function addressesOf(draft: EffectDraft, args: Arguments, names: string): string[] {
  const strays = strayValues(args, names);
  if (strays.length > 0) doubt(draft, say("note.address_not_text"));
  const found: string[] = [];
  for (const text of collect(args, withoutPrompt(names))) {
    const given = addressesIn(text);
    if (given.length === 0) doubt(draft, say("note.address_unreadable"));
    for (const one of given) found.push(one);
  }
  // A prompt is a sentence. Only complete addresses in it count.
  if (PROMPT.test(names))
    for (const text of collect(args, "prompt")) for (const one of spelledIn(text)) found.push(one);
  for (const value of strays.slice(0, ADDRESSES_MAX)) found.push(...guess(readArguments({ url: value })).urls);
  if (found.length > ADDRESSES_MAX) draft.refused = TOO_LARGE;
  return found.slice(0, ADDRESSES_MAX);
}

/** A call with more addresses than this is refused as too large. */
const ADDRESSES_MAX = 500;

const PROMPT = /(?<!\S)prompt(?!\S)/;

/** Computed once per text. The texts come from the tables, so there are few. */
const unprompted = new Map<string, string>();

function withoutPrompt(names: string): string {
  const known = unprompted.get(names);
  if (known !== undefined) return known;
  const found = names
    .split(" ")
    .filter((name) => name !== "prompt")
    .join(" ");
  unprompted.set(names, found);
  return found;
}

const START = "[a-z][a-z0-9+.-]{1,11}:[/\\\\]{2}";

const STARTS = new RegExp(START, "gi");

const OPENING = new RegExp(`^\\s*${START}`, "i");

const SPELLED = new RegExp(`${START}(?:(?![,;|]?${START})\\S)+`, "gi");

/** The text itself if it is one address, or every address in a sentence or a list. */
function addressesIn(text: string): readonly string[] {
  // Nearly every text is a single address, and this check is cheap.
  if (text.lastIndexOf("://") === text.indexOf("://") && !/[\s\\]/.test(text)) return [text];
  const starts = few(text, STARTS, 2).length;
  if (!/\s/.test(text.trim()) && starts <= 1) return [text];
  // Programs remove line breaks and tabs from an address, so the text after them may belong to the host.
  const joined = OPENING.test(text) && (starts === 1 || /[\t\r\n]/.test(text.trim()));
  return joined ? [text, ...spelledIn(text)] : spelledIn(text);
}

function spelledIn(text: string): string[] {
  return few(text, SPELLED, ADDRESSES_MAX + 1).flatMap((whole) => {
    const plain = whole.replace(/[<>"')\],;|].*$/s, "");
    const rest = whole.slice(plain.length);
    // Text after a closing sign belongs to the sentence, unless it may belong to the host.
    const open = rest.includes("@") || (/\w/.test(rest) && !/:[/\\]{2}[^/?#]+[/?#]/.test(plain));
    return open ? [plain, whole] : [plain];
  });
}

/** Every address contains this sign, and searching for it is cheap. */
const MARK = /:[/\\]{2}/;

/** At most `max` matches. */
function few(text: string, pattern: RegExp, max: number): readonly string[] {
  const found: string[] = [];
  if (!MARK.test(text)) return found;
  for (const [whole] of text.matchAll(pattern)) {
    found.push(whole);
    if (found.length === max) break;
  }
  return found;
}

function addEither(draft: EffectDraft, text: string, level: Level, call: ToolCall, knowledge: Knowledge): void {
  if (/^\s*file:/i.test(text)) addFile(draft, text, call, knowledge);
  else addAddress(draft, text, level);
  // Some programs read a backslash as an ordinary letter. Then the host is another one.
  const other = text.replaceAll("\\", "%5C");
  if (other !== text && parseAddress(other).ok) addAddress(draft, other, level);
}

function addFile(draft: EffectDraft, text: string, call: ToolCall, knowledge: Knowledge): void {
  const use: PathUse = { act: "read", level: "read", deep: false };
  addPath(draft, locate(text, use, baseOf(call.cwd, knowledge), knowledge), use);
}
