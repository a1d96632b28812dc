import type { Tree } from "../core/policy/tree.ts";
import { importAgentCore } from "./agent-core.ts";
import { importClawith } from "./clawith.ts";
import { importFlynn } from "./flynn.ts";
import { importHarn } from "./harn.ts";
import type { Imported } from "./imported.ts";

/** By the name used in `leeway import`. */
export const IMPORTERS: Readonly<Record<string, (tree: Tree) => Imported>> = {
  harn: importHarn,
  clawith: importClawith,
  flynn: importFlynn,
  "agent-core": importAgentCore,
};
