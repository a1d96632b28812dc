import { PRESETS, type PresetName } from "../policy.ts";
import { nearest } from "../values/nearest.ts";

export const HOOK_ACTIONS = ["confirm", "log", "silent"] as const;
export type HookAction = (typeof HOOK_ACTIONS)[number];

export type ResolvedPreset = { action: HookAction; overridden: boolean; reason: string; level: PresetName };

/** This list of names is used only by this matrix; everywhere else Leeway decides by class of effect. */
export const DANGEROUS_TOOLS: readonly string[] = [
  "file.edit",
  "file.patch",
  "file.write",
  "process.kill",
  "process.start",
  "shell.exec",
];

/**
 * What a hook's base action becomes under a preset, by Flynn's documented matrix. A preset can only make the action
 * stricter. A word that is not in the matrix is an error; the original accepted unknown levels.
 * @example
 * ```ts
 * resolvePreset({ tool: "shell.exec", base: "silent", preset: "standard" }).action; // "confirm"
 * ```
 */
export function resolvePreset(asked: { tool: string; base: HookAction; preset: PresetName }): ResolvedPreset {
  if (typeof asked?.tool !== "string") throw new RangeError("`tool` is missing; name the tool, such as `shell.exec`");
  const action = oneOf(HOOK_ACTIONS, asked.base, "base");
  const level = oneOf(PRESETS, asked.preset, "preset");
  const kept = { action, overridden: false, level };
  if (action === "confirm") return { ...kept, reason: `${asked.tool} already requires confirmation` };
  if (level === "autonomous") return { ...kept, reason: "autonomous keeps the base action" };
  if (!DANGEROUS_TOOLS.includes(dotted(asked.tool))) {
    return { ...kept, reason: `${asked.tool} is not among the dangerous tools` };
  }
  return {
    action: "confirm",
    overridden: true,
    reason: `${level} confirms ${asked.tool} whatever its base action`,
    level,
  };
}

/** One spelling for one tool: providers send `shell_exec` for `shell.exec`, and models add backticks. */
function dotted(tool: string): string {
  return tool
    .replace(/[\u200b-\u200d\u2060\ufeff`\s]/g, "")
    .toLowerCase()
    .replace(/[_-]/g, ".");
}

function oneOf<W extends string>(words: readonly W[], word: string, what: string): W {
  const found = words.find((candidate) => candidate === word);
  if (found !== undefined) return found;
  const all = `use one of ${words.join(", ")}`;
  if (typeof word !== "string") throw new RangeError(`\`${what}\` is missing; ${all}`);
  const near = nearest(word, words);
  throw new RangeError(`unknown ${what} \`${word}\`; ${near === undefined ? all : `did you mean \`${near}\`?`}`);
}
