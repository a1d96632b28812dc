import { readFileSync } from "node:fs";
import type { PresetName } from "../core/policy.ts";

/** The starter policy of the package, with the requested preset. */
export function starterPolicy(preset: PresetName, { isForWorkspace = false } = {}): string {
  const project = readFileSync(new URL("../../policies/starter.yaml", import.meta.url), "utf8");
  const text = isForWorkspace ? project.replace(PROJECT_HEAD, WORKSPACE_HEAD) : project;
  return text.replace("\npreset: standard\n", `\npreset: ${preset}\n`);
}

const PROJECT_HEAD = /^(#.*\n)+/;
/** The folder of a workspace is closed to agents, so its policy needs no acceptance. */
const WORKSPACE_HEAD = `# Written by \`leeway workspaces add\`: what agents may do in this workspace. docs/policy.md explains every key.
# If several rules match, the strictest one applies. A change of this file applies at once.
`;
