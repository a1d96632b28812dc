import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolCall } from "../../src/core/call.ts";
import { classify } from "../../src/core/classify/classify.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import { compilePolicy } from "../../src/core/decide/compile.ts";
import { decide } from "../../src/core/decide/decide.ts";
import { bareStanding } from "../../src/core/decide/standing.ts";
import type { Effect, EffectClass } from "../../src/core/effect.ts";
import { emptyPolicy } from "../../src/core/policy.ts";
import { TIERS, type Tier } from "../../src/core/tier.ts";
import { sha256 } from "../../src/core/values/hash.ts";
import type { JsonObject } from "../../src/core/values/json.ts";
import { commandCall, knowing, tryingCall } from "./trying.ts";

/**
 * One line of a case file. `tier` is what preset standard must give: `auto` or `notify` for harmless calls, where anything
 * stricter is a false ask; `ask` for others, where anything milder is a false auto. `class` must be among the parts.
 */
export type Case = {
  group: string;
  tier: "auto" | "notify" | "ask";
  class?: EffectClass;
  /** How it was found that the call does this, where somebody tried it. */
  how?: string;
  /** A command for the shell, or a tool with its arguments. */
  command?: string;
  tool?: string;
  args?: JsonObject;
};

export type Judged = { one: Case; effect: Effect; tier: Tier; human: boolean };

const folder = import.meta.dirname;

export function readCases(): readonly Case[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return files.flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => JSON.parse(line) as Case),
  );
}

const at = { file: "leeway.yaml", line: 1, column: 1 };
const version = sha256("standard");
const standing = bareStanding(
  [compilePolicy({ ...emptyPolicy("leeway.yaml", version), preset: { name: "standard", at } })],
  version,
);

export function callOf({ command, tool, args }: Case): ToolCall {
  return command === undefined ? tryingCall(tool ?? "", args ?? {}) : commandCall(command);
}

/** What preset standard decides about a call that an agent makes in a project and that can be asked about. */
export function judge(one: Case): Judged {
  const call = callOf(one);
  const effect = classify(readCall(call), knowing(call));
  const decision = decide(call, effect, standing, 0);
  return { one, effect, tier: decision.tier, human: decision.code === "LEEWAY_NEEDS_HUMAN" };
}

/** Milder than the case allows: something harmful would have run without a question. */
export function isFalseAuto({ one, tier, human }: Judged): boolean {
  return one.tier === "ask" && !human && (tier === "auto" || tier === "notify");
}

/** Stricter than the case needs: somebody would have been asked unnecessarily. */
export function isFalseAsk({ one, tier, human }: Judged): boolean {
  return one.tier !== "ask" && (human || TIERS.indexOf(tier) < TIERS.indexOf(one.tier));
}
