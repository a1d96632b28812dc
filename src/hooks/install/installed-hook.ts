import { isObject, type JsonObject } from "../../core/values/json.ts";
import { isWithoutVariables, startsHook } from "./command.ts";
import { hooksOf, wordsOf } from "./hook-lists.ts";
import { parsedSettings } from "./settings-json.ts";

// Finds in the text of a host's settings how it starts Leeway's hook before a call, and what would let calls through.

/** How a host starts the hook: a program with its arguments, or a line for a shell. */
export type HookStart = { words: readonly string[] } | { line: string };

export type InstalledHook = {
  start: HookStart;
  /** Settings of the hook with which a call could run unchecked. */
  dangers: readonly string[];
};

/** Where each host keeps the hooks that it starts before a call. opencode has a plugin instead. */
const BEFORE: { readonly [host: string]: string } = {
  "claude-code": "PreToolUse",
  codex: "PreToolUse",
  gemini: "BeforeTool",
  copilot: "preToolUse",
  vscode: "PreToolUse",
};

export function installedHook(host: string, text: string): InstalledHook | undefined {
  if (host === "opencode") return pluginHook(text);
  const hook = hooksBefore(host, text).find((one) => startsHook(wordsOf(one), host));
  if (hook === undefined) return undefined;
  const start: HookStart = Array.isArray(hook["args"])
    ? { words: [hook["command"], ...hook["args"]].map(String) }
    : { line: wordsOf(hook) };
  const dangers = [...lateDangers(host, hook), ...openDangers(host, hook), ...oldDangers(host, JSON.stringify(start))];
  return { start, dangers };
}

/** Hooks of others before a call: they see the call too, and some hosts let them change it. */
export function otherHooks(host: string, text: string): readonly string[] {
  return hooksBefore(host, text)
    .map(wordsOf)
    .filter((line) => !startsHook(line, host));
}

/** Every hook before a call. Some hosts have groups with a matcher around them. */
function hooksBefore(host: string, text: string): readonly JsonObject[] {
  const parsed = parsedSettings(text);
  const hooks = parsed.ok ? parsed.value["hooks"] : undefined;
  const list = isObject(hooks) ? hooks[BEFORE[host] ?? ""] : undefined;
  return (Array.isArray(list) ? list : []).flatMap(hooksOf).filter(isObject);
}

/** The host must wait at least as long as the hook was told. */
function lateDangers(host: string, hook: JsonObject): readonly string[] {
  const told = Number(/--timeout (\d+)/.exec(wordsOf(hook))?.[1] ?? 600);
  const given = hook["timeout"] ?? hook["timeoutSec"];
  const waits = typeof given !== "number" ? undefined : host === "gemini" ? given / 1000 : given;
  if (waits !== undefined && waits >= told) return [];
  return [
    waits === undefined
      ? "the hook has no `timeout`: the host may end it before somebody has answered"
      : `the host ends the hook after ${waits} seconds, but the hook was told that it waits ${told}`,
  ];
}

function openDangers(host: string, hook: JsonObject): readonly string[] {
  if (host !== "claude-code" || hook["onFailure"] === "block") return [];
  return ["the hook has no `onFailure: block`: a call runs if the hook cannot be started"];
}

function pluginHook(text: string): InstalledHook | undefined {
  const words = /^const BEFORE = (\[.*\]);$/m.exec(text)?.[1];
  if (words === undefined) return undefined;
  return { start: { words: JSON.parse(words) as string[] }, dangers: oldDangers("opencode", text) };
}

/** `leeway init` of earlier versions wrote hooks that start with the variables of the host. */
function oldDangers(host: string, text: string): readonly string[] {
  if (isWithoutVariables(text)) return [];
  return [
    `the hook starts with the variables of ${host}, by which files of a project can have code answer in its place; run \`leeway init ${host}\` again`,
  ];
}

/** The server that an installed hook asks, and the file with its token. */
export type HookServer = { url: string; tokenFile: string };

/** Undefined if the hook uses the database of this machine. */
export function serverOf(start: HookStart): HookServer | undefined {
  const [url, tokenFile] = ["LEEWAY_URL", "LEEWAY_TOKEN_FILE"].map((name) => settingOf(start, name));
  return url === undefined || tokenFile === undefined ? undefined : { url, tokenFile };
}

/** A variable that the hook carries. In a line for a shell, a word with unusual letters stands in quotes. */
export function settingOf(start: HookStart, name: string): string | undefined {
  if ("words" in start) return start.words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  const found = new RegExp(`(?:'${name}=([^']*)'|(?:^|\\s)${name}=(\\S*))`).exec(start.line);
  return found?.[1] ?? found?.[2];
}
