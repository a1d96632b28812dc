import type { ToolCall } from "../call.ts";
import type { Level, Target } from "../effect.ts";
import { collect } from "./arguments.ts";
import type { Knowledge } from "./classify.ts";
import { addGraver, doubt, type EffectDraft, levelOf } from "./effect-draft.ts";
import { baseOf, locate, type PathUse } from "./located.ts";
import { addPath } from "./parts-path.ts";
import { graver } from "./protect.ts";
import { flat } from "./tool-name.ts";
import { type Address, parseAddress } from "./url.ts";

const READING = new Set(["GET", "HEAD", "OPTIONS"]);
const WEB = new Set(["http", "https", "ws", "wss", "ftp"]);
const BODIES = new Set(["body", "data", "json", "form", "payload", "formdata"]);

/** Every address that the arguments name, and whether the request reads or writes there. */
export function addAddresses(draft: EffectDraft, call: ToolCall, knowledge: Knowledge): void {
  const { row } = draft;
  if (row.urls === undefined) return;
  const method = (collect(call.args, "method http_method verb")[0] ?? "").trim().toUpperCase();
  if (method !== "") draft.method = method;
  // A request with a body and no method is sent as POST by most programs.
  const writes = method === "" ? hasBody(call) : !READING.has(method);
  if (writes && row.class !== "unknown") {
    draft.class = graver(draft.class, "network.write");
    draft.reversible = false;
  }
  const found = collect(call.args, row.urls).flatMap(addressesIn);
  if (found.length === 0 && row.class !== "unknown") doubt(draft, "no address was found in the arguments");
  const level = methodLevel(method, levelOf(draft));
  for (const text of found) {
    if (/^\s*file:/i.test(text)) addFile(draft, text, call, knowledge);
    else addAddress(draft, text, level);
  }
}

function hasBody({ args }: ToolCall): boolean {
  return Object.keys(args).some((key) => BODIES.has(flat(key)) && args[key] !== null);
}

/** An address by itself, or every address in a sentence. */
function addressesIn(text: string): readonly string[] {
  return /\s/.test(text.trim()) ? (text.match(/[a-z]{2,12}:\/\/[^\s<>"')\]]+/gi) ?? []) : [text];
}

function addFile(draft: EffectDraft, text: string, call: ToolCall, knowledge: Knowledge): void {
  const use: PathUse = { act: "read", level: "read", deep: false };
  addPath(draft, locate(text, use, baseOf(call.cwd, knowledge), knowledge), use);
}

function addAddress(draft: EffectDraft, text: string, level: Level): void {
  const parsed = parseAddress(text);
  if (!parsed.ok) {
    doubt(draft, parsed.why);
    return;
  }
  const { address } = parsed;
  for (const note of address.notes) draft.notes.add(note);
  if (!WEB.has(address.scheme)) doubt(draft, `what an address of kind ${address.scheme} does is not known`);
  if (address.metadata) {
    draft.notes.add(`${address.host} hands out credentials`);
    addGraver(draft, "secrets.read", [targetOf(address, "admin")], "host");
    return;
  }
  draft.targets.push(targetOf(address, level));
  draft.reaches.push(address.reach);
}

function targetOf({ host, port }: Address, level: Level): Target {
  return { kind: "domain", domain: host, ...(port === undefined ? {} : { port }), level };
}

function methodLevel(method: string, level: Level): Level {
  if (method === "" || READING.has(method)) return level;
  return ["POST", "PUT", "PATCH"].includes(method) ? "write" : "execute";
}
