import type { Tree } from "../core/policy/tree.ts";
import { importAgentCore } from "./agent-core.ts";
import { importClaudeCode } from "./claude-code.ts";
import { importClawith } from "./clawith.ts";
import { importCodex } from "./codex.ts";
import { importFlynn } from "./flynn.ts";
import { importGemini } from "./gemini.ts";
import { importHarn } from "./harn.ts";
import type { Imported } from "./imported.ts";
import { importOpencode } from "./opencode.ts";

/** By the name used in `leeway import`. */
export const IMPORTERS: Readonly<Record<string, (tree: Tree) => Imported>> = {
  harn: importHarn,
  clawith: importClawith,
  flynn: importFlynn,
  "agent-core": importAgentCore,
  "claude-code": importClaudeCode,
  codex: importCodex,
  gemini: importGemini,
  opencode: importOpencode,
};
