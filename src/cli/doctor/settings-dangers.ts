import { join } from "node:path";
import type { JsonObject } from "../../core/values/json.ts";
import { geminiTrustDangers } from "../../hooks/install/gemini-trust.ts";
import { claudeDangers, type Danger, type HostFile, type Places, type Scope } from "../../hooks/install/host-files.ts";
import { parsedSettings } from "../../hooks/install/settings-json.ts";
import { settingsText } from "../terminal/files.ts";

/** Settings files in force besides the one with the hook. */
export function settingsDangers(
  host: string,
  at: Places,
  hooked: readonly { file: Pick<HostFile, "path">; scope?: Scope }[],
): readonly Danger[] {
  if (host === "claude-code") {
    const own = [at.home, at.project].map((folder) => join(folder, ".claude", "settings.json"));
    const local = join(at.project, ".claude", "settings.local.json");
    const others = [...own, local].filter((path) => !hooked.some(({ file }) => file.path === path));
    return [...MANAGED, ...others].flatMap((path) => claudeDangersIn(path));
  }
  // The file of a project says it itself.
  if (host === "gemini" && !hooked.some(({ scope }) => scope === "project")) return geminiTrustDangers(at);
  return [];
}

const MANAGED = [
  "/etc/claude-code/managed-settings.json",
  "/Library/Application Support/ClaudeCode/managed-settings.json",
];

function claudeDangersIn(path: string): readonly Danger[] {
  const found = claudeDangers(settingsAt(path) ?? {});
  return found.map((one) => (typeof one === "string" ? `${one} (${path})` : { off: `${one.off} (${path})` }));
}

function settingsAt(path: string): JsonObject | undefined {
  const text = settingsText(path);
  const parsed = text === undefined ? undefined : parsedSettings(text);
  return parsed?.ok ? parsed.value : undefined;
}
