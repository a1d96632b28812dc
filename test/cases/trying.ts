import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolCall } from "../../src/core/call.ts";
import { namedPaths, namedSettings } from "../../src/core/classify/classify.ts";
import type { Knowledge } from "../../src/core/classify/knowledge.ts";
import { NOTHING_DECLARED } from "../../src/core/classify/known-tool.ts";
import { normalise, spellOut } from "../../src/core/classify/path.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import { type SettingsAsked, type SettingsFound, settingsKey } from "../../src/core/classify/settings.ts";
import type { AgentName, WorkspaceId } from "../../src/core/ids.ts";
import type { Obeying } from "../../src/core/tables/obeyed.ts";
import type { JsonObject } from "../../src/core/values/json.ts";

const HOME = "/home/ana";
const PROJECT = "/home/ana/project";

/** A call as an agent in a project folder makes it. */
export function tryingCall(tool: string, args: JsonObject): ToolCall {
  return {
    workspace: "default" as WorkspaceId,
    agent: "coder" as AgentName,
    tool,
    args,
    cwd: PROJECT,
    callId: "1",
    traceId: "t",
    chain: [],
    claims: {},
  };
}

export function commandCall(command: string): ToolCall {
  return tryingCall("Bash", { command });
}

/** What a door would know that resolved every path, and found no link and no missing file. */
export function knowing(call: ToolCall): Knowledge {
  const real: Record<string, string> = {};
  const reading = readCall(call);
  for (const path of namedPaths(reading)) {
    const spelled = spellOut(path, { base: PROJECT, home: HOME });
    if (!spelled.ok) continue;
    for (const text of [spelled.raw, normalise(spelled.raw)]) real[text] = normalise(spelled.raw);
  }
  const settings = Object.fromEntries(namedSettings(reading, PROJECT).flatMap(foundOf));
  return {
    declared: NOTHING_DECLARED,
    project: PROJECT,
    facts: { real, missing: [], home: HOME, foldsCase: false, settings },
  };
}

/**
 * What was checked in an ordinary project, also for the bench: whose settings are known (`known`), in its own repository
 * and packages (`own`), or in every folder of it (`anywhere`). Unknown: the project with its repository, and folders that others fill (`filled`).
 */
const ORDINARY = JSON.parse(readFileSync(join(import.meta.dirname, "ordinary-project.json"), "utf8"));
const KNOWN: ReadonlySet<Obeying> = new Set<Obeying>(ORDINARY.known);
const ANYWHERE: ReadonlySet<Obeying> = new Set<Obeying>(ORDINARY.anywhere);
const OWN = new RegExp(ORDINARY.own);
const FILLED = new RegExp(ORDINARY.filled);

function foundOf({ by, folder, base }: SettingsAsked): [string, SettingsFound][] {
  const spelled = spellOut(folder, { base, home: HOME });
  if (!spelled.ok || (!KNOWN.has(by) && !ANYWHERE.has(by))) return [];
  const path = normalise(spelled.raw);
  const inside = path.startsWith(PROJECT) ? path.slice(PROJECT.length) : undefined;
  const isKnown =
    inside !== undefined && (ANYWHERE.has(by) || (by === "content" ? !FILLED.test(inside) : OWN.test(inside)));
  return isKnown ? [[settingsKey(by, path), { starts: [], leads: [], hooks: [], own: true, facts: [] }]] : [];
}
