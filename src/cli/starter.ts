import { readFileSync } from "node:fs";
import type { PresetName } from "../core/policy.ts";

/** The starter policy of the package, with the requested preset. */
export function starterPolicy(preset: PresetName): string {
  const text = readFileSync(new URL("../../policies/starter.yaml", import.meta.url), "utf8");
  return text.replace("\npreset: standard\n", `\npreset: ${preset}\n`);
}
