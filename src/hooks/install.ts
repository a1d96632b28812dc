import { join } from "node:path";
import { isObject, type Json, type JsonObject } from "../core/values/json.ts";
import { changed, parsedSettings } from "./settings-json.ts";

// Puts the hook of Leeway into a host's settings, and takes it out again.

/** How the host starts the hook: a program with arguments, without a shell. */
export type HookCommand = { program: string; args: readonly string[] };

export type Scope = "project" | "user";

/** What is the same for every host whose hooks are in a JSON file, as data. */
type JsonHost = {
  name: string;
  /** The folder with the settings, in the project and in the home folder. */
  folder: string;
  /** The hook of each event, as the host wants it written. */
  events(command: HookCommand): { readonly [event: string]: JsonObject };
  /** Settings that switch hooks off or let calls through when a hook fails. */
  dangers(settings: JsonObject): readonly string[];
};

const claudeCode: JsonHost = {
  name: "claude-code",
  folder: ".claude",
  events: (command) => {
    const run = { type: "command", command: command.program, args: [...command.args] };
    const before = { matcher: "*", hooks: [{ ...run, timeout: 600, onFailure: "block" }] };
    const after = { matcher: "*", hooks: [{ ...run, timeout: 60 }] };
    const end = { hooks: [{ ...run, timeout: 60 }] };
    return { PreToolUse: before, PostToolUse: after, PostToolUseFailure: after, SessionEnd: end };
  },
  dangers: (settings) => [
    ...(settings["disableAllHooks"] === true ? ["`disableAllHooks` is true: no hook runs, so nothing is gated"] : []),
    ...(isObject(settings["permissions"]) && settings["permissions"]["defaultMode"] === "bypassPermissions"
      ? ["`permissions.defaultMode` is bypassPermissions: only hooks still decide"]
      : []),
  ],
};

const gemini: JsonHost = {
  name: "gemini",
  folder: ".gemini",
  events: ({ program, args }) => {
    const run = { type: "command", name: "leeway", command: [program, ...args].map(quoted).join(" ") };
    const before = { matcher: ".*", hooks: [{ ...run, timeout: 600_000 }] };
    const after = { matcher: ".*", hooks: [{ ...run, timeout: 60_000 }] };
    return { BeforeTool: before, AfterTool: after, SessionEnd: { hooks: [{ ...run, timeout: 60_000 }] } };
  },
  dangers: (settings) =>
    isObject(settings["tools"]) && settings["tools"]["enableHooks"] === false
      ? ["`tools.enableHooks` is false: no hook runs, so nothing is gated"]
      : [],
};

/** Gemini starts its hooks with a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

const JSON_HOSTS: readonly JsonHost[] = [claudeCode, gemini];
export const INSTALLABLE: readonly string[] = JSON_HOSTS.map(({ name }) => name);

export type Installed = { file: string; after: string; isNew: boolean; dangers: readonly string[] };

export function settingsFile(host: string, scope: Scope, at: { home: string; project: string }): string {
  return join(scope === "user" ? at.home : at.project, hostNamed(host).folder, "settings.json");
}

/** The settings with the hook in them. `isNew` is false if nothing had to be changed. */
export function withHook(
  host: string,
  before: string,
  command: HookCommand,
): ({ ok: true } & Omit<Installed, "file">) | { ok: false; why: string } {
  const { events, dangers } = hostNamed(host);
  const bare = withoutHook(host, before);
  if (!bare.ok) return bare;
  let after = bare.after.trim() === "" ? "{}\n" : bare.after;
  for (const [event, entry] of Object.entries(events(command))) {
    const parsed = parsedSettings(after);
    if (!parsed.ok) return parsed;
    const hooks = parsed.value["hooks"];
    if (hooks !== undefined && !isObject(hooks)) return { ok: false, why: "`hooks` is not an object" };
    const held = hooks?.[event];
    if (held !== undefined && !Array.isArray(held)) return { ok: false, why: `\`hooks.${event}\` is not a list` };
    after = changed(
      after,
      ["hooks", event, ...(held === undefined ? [] : [held.length])],
      held === undefined ? [entry] : entry,
    );
  }
  const found = parsedSettings(after);
  if (!found.ok) return found;
  const isSame = JSON.stringify(parsedSettings(before)) === JSON.stringify(found);
  return { ok: true, after: isSame ? before : after, isNew: !isSame, dangers: dangers(found.value) };
}

/** The settings without the hook; everything that others wrote stays. */
export function withoutHook(host: string, before: string): { ok: true; after: string } | { ok: false; why: string } {
  if (before.trim() === "") return { ok: true, after: before };
  const parsed = parsedSettings(before);
  if (!parsed.ok) return parsed;
  const { hooks } = parsed.value;
  if (!isObject(hooks)) return { ok: true, after: before };
  let after = before;
  for (const [event, list] of Object.entries(hooks)) {
    if (!Array.isArray(list)) continue;
    const kept = list.filter((entry) => !isOurs(host, entry));
    if (kept.length === list.length) continue;
    // From the last to the first, so that places stay right.
    for (let at = list.length - 1; at >= 0; at--) {
      if (isOurs(host, list[at] ?? null)) after = changed(after, ["hooks", event, at], undefined);
    }
    if (kept.length === 0) after = changed(after, ["hooks", event], undefined);
  }
  const left = parsedSettings(after);
  const isEmpty = left.ok && isObject(left.value["hooks"]) && Object.keys(left.value["hooks"]).length === 0;
  return { ok: true, after: isEmpty ? changed(after, ["hooks"], undefined) : after };
}

/** An entry whose hooks all start `leeway hook HOST`. */
function isOurs(host: string, entry: Json): boolean {
  if (!isObject(entry) || !Array.isArray(entry["hooks"]) || entry["hooks"].length === 0) return false;
  return entry["hooks"].every((hook) => {
    if (!isObject(hook)) return false;
    const args = Array.isArray(hook["args"]) ? hook["args"] : [];
    const words = [hook["command"], ...args].filter((word) => typeof word === "string").join(" ");
    return words.includes("leeway") && words.endsWith(`hook ${host}`);
  });
}

function hostNamed(name: string): JsonHost {
  const found = JSON_HOSTS.find((host) => host.name === name);
  if (found === undefined) throw new Error(`${name} has no settings to change (this is a bug)`);
  return found;
}
