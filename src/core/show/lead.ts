import type { ToolCall } from "../call.ts";
import { argumentsOf, commandsIn } from "../classify/arguments.ts";
import { rowFor } from "../classify/known-tool.ts";
import type { Entry } from "../ledger.ts";
import { maskArgs, maskText } from "../masking/redact.ts";
import type { ToolRow } from "../tables/tools.ts";
import { flat } from "../tool-name.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";
import { visibleOnOneLine } from "../values/text.ts";
import { wordsText } from "../values/words-text.ts";

/**
 * A call in one line, as an engineer would note it: the command, or the tool and its main argument. It helps to
 * recognise a call; what is approved are the exact lines below.
 */
export function leadOf(call: ToolCall): string {
  const args = maskArgs(call.args);
  const row = rowFor(call.tool)?.row;
  const [command] = row?.command === undefined ? [] : commandsIn(argumentsOf(args), row.command);
  if (command !== undefined) return oneLine("line" in command ? command.line : wordsText(command.words));
  const money = row === undefined || row.class === "payments.move" ? moneyIn(args) : undefined;
  const main = money === undefined ? mainArgument(args, row) : mainArgument(withoutMoney(args), row);
  return oneLine([wordsText([call.tool]), money, main].filter((word) => word !== undefined).join(" "));
}

const AMOUNTS: ReadonlySet<string> = new Set(["amount", "total", "sum", "price"]);

/** How much is paid comes first, because nothing else matters as much; with its currency, if it has one. */
function moneyIn(args: JsonObject): string | undefined {
  const amount = Object.entries(args).find(([key, value]) => AMOUNTS.has(flat(key)) && /^[\d.,]+$/.test(String(value)));
  const currency = args["currency"];
  if (amount === undefined) return undefined;
  return typeof currency === "string" ? `${amount[1]} ${currency.slice(0, 8)}` : String(amount[1]);
}

function withoutMoney(args: JsonObject): JsonObject {
  const left = Object.entries(args).filter(([key]) => !AMOUNTS.has(flat(key)) && key !== "currency");
  return Object.fromEntries(left);
}

/** The target of a known tool, the most dangerous first. */
const ROLES = ["deletes", "writes", "sql", "code", "urls", "reads"] as const satisfies readonly (keyof ToolRow)[];

/** Usual names of the main argument of an unknown tool, the most informative first. */
const NAMES =
  "command cmd sql statement path file_path file url uri query to recipient channel amount target table repo id name title subject key";

function mainArgument(args: JsonObject, row: ToolRow | undefined): string | undefined {
  const known = ROLES.flatMap((role) => row?.[role]?.split(" ") ?? []).concat(NAMES.split(" "));
  return telling(args, known.map(flat)) ?? firstSwitch(args);
}

/** The text or number under the most informative name, else under any; nested values come last. */
function telling(object: JsonObject, names: readonly string[]): string | undefined {
  const keys = Object.keys(object);
  const named = names.flatMap((name) => keys.filter((key) => flat(key) === name));
  for (const key of [...named, ...keys]) {
    const text = scalarText(object[key]);
    if (text !== undefined) return text;
  }
  for (const key of keys) {
    const value = object[key];
    const text = value !== undefined && isObject(value) ? telling(value, names) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

function firstSwitch(args: JsonObject): string | undefined {
  const key = Object.keys(args).find((name) => typeof args[name] === "boolean");
  return key === undefined ? undefined : `${key}=${args[key]}`;
}

/** A text or a number; of a list of texts, the first and how many more. */
function scalarText(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (typeof value === "number") return String(value);
  if (!Array.isArray(value) || typeof value[0] !== "string") return undefined;
  return value.length === 1 ? value[0] : `${value[0]} +${value.length - 1}`;
}

/** What an entry about a decision says of the call: its commands, else what it touches. Undefined if its content was erased. */
export function leadOfEntry({ body }: Pick<Entry, "body">): string | undefined {
  const effect = body?.json["effect"];
  const here = `${body?.json["cwd"]}/`;
  const parts = isObject(effect ?? null) ? (effect as JsonObject)["parts"] : undefined;
  const targets = (Array.isArray(parts) ? parts : []).flatMap((part) =>
    isObject(part) && Array.isArray(part["targets"]) ? part["targets"].filter(isObject) : [],
  );
  const commands = targets.flatMap(({ words }) =>
    Array.isArray(words) ? [wordsText(words.map((word) => String(word)))] : [],
  );
  const others = targets.flatMap(({ path, domain }) =>
    [path, domain].flatMap((one) =>
      typeof one === "string" ? [one.startsWith(here) ? one.slice(here.length) : one] : [],
    ),
  );
  const named = [...new Set(commands.length > 0 ? commands : others)];
  return named.length === 0 ? undefined : oneLine(named.join("; "));
}

function oneLine(text: string): string {
  return visibleOnOneLine(maskText(text));
}
