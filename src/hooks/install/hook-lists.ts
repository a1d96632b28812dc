import { isObject, type Json, type JsonObject } from "../../core/values/json.ts";
import { type HookCommand, startsHook } from "./command.ts";
import { type Changed, changed, parsedSettings } from "./settings-json.ts";

// Hooks in a JSON file, as Claude Code, Codex, Gemini CLI and Copilot CLI keep them: `hooks` has a list for each event, and an
// entry of the list has a matcher and hooks, or is a hook.

/** What differs between these hosts, as data. */
export type HookLists = {
  host: string;
  /** The entry of each event, as the host wants it written. */
  events(command: HookCommand): { readonly [event: string]: JsonObject };
};

/** The settings with the hook in them. */
export function withHookLists({ host, events }: HookLists, before: string, command: HookCommand): Changed<string> {
  const bare = withoutHookLists(host, before);
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
  return { ok: true, after: isSame ? before : after };
}

/** The settings without the hook; everything that others wrote stays. */
export function withoutHookLists(host: string, before: string): Changed<string> {
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
export function isOurs(host: string, entry: Json): boolean {
  const hooks = hooksOf(entry);
  return hooks.length > 0 && hooks.every((hook) => isObject(hook) && startsHook(wordsOf(hook), host));
}

/** Some hosts have groups of hooks with a matcher around them; in others each entry is a hook. */
export function hooksOf(entry: Json): readonly Json[] {
  return isObject(entry) && Array.isArray(entry["hooks"]) ? entry["hooks"] : [entry];
}

/** What a hook starts, as words. Copilot CLI has the line for a shell under the name of the shell. */
export function wordsOf(hook: JsonObject): string {
  const args = Array.isArray(hook["args"]) ? hook["args"] : [];
  return [hook["bash"] ?? hook["command"], ...args].filter((word) => typeof word === "string").join(" ");
}
