import { constants, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject } from "../../core/values/json.ts";
import { parsedSettings } from "./settings-json.ts";

type Places = { home: string; project: string };

/** Gemini CLI uses hooks only in folders that its user has trusted. Empty if it trusts this one. */
export function geminiTrustDangers(at: Places): readonly string[] {
  if (isTrustedFolder(at)) return [];
  return [
    `Gemini CLI uses the hooks of ${at.project} only after you have trusted this folder. Start \`gemini\` there once and say yes`,
  ];
}

function isTrustedFolder({ home, project }: Places): boolean {
  const settings = settingsAt(join(home, ".gemini", "settings.json"));
  const security = isObject(settings["security"]) ? settings["security"]["folderTrust"] : undefined;
  if (isObject(security) && security["enabled"] === false) return true;
  const trusted = settingsAt(join(home, ".gemini", "trustedFolders.json"));
  return Object.entries(trusted).some(
    ([folder, says]) => says !== "DO_NOT_TRUST" && (project === folder || project.startsWith(`${folder}/`)),
  );
}

function settingsAt(path: string): JsonObject {
  // A pipe without a writer would be waited for.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return {};
  const flag = (constants.O_RDONLY | constants.O_NONBLOCK) as unknown as string;
  const parsed = parsedSettings(readFileSync(path, { encoding: "utf8", flag }));
  return parsed.ok ? parsed.value : {};
}
