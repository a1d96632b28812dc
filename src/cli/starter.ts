import { readFileSync } from "node:fs";
import type { PresetName } from "../core/policy.ts";

/** A policy to start from: the package's own starter, with the preset that was asked for. */
export function starterPolicy(preset: PresetName): string {
  const text = readFileSync(new URL("../../policies/starter.yaml", import.meta.url), "utf8");
  return text.replace("\npreset: standard\n", `\npreset: ${preset}\n`);
}
