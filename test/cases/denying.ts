import type { ToolCall } from "../../src/core/call.ts";
import { classify } from "../../src/core/classify/classify.ts";
import type { Knowledge } from "../../src/core/classify/knowledge.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import { compilePolicy } from "../../src/core/decide/compile.ts";
import { decide } from "../../src/core/decide/decide.ts";
import { bareStanding } from "../../src/core/decide/standing.ts";
import { emptyPolicy, type Policy, type Rule } from "../../src/core/policy.ts";
import { sha256 } from "../../src/core/values/hash.ts";
import { commandCall, knowing } from "./trying.ts";

export const at = { file: "leeway.yaml", line: 1, column: 1 };
const version = sha256("denied");
const PROJECT = "/home/ana/project";

/** A policy with a single rule that denies. */
export function policyOf(match: Rule["match"]): Partial<Policy> {
  const examples = { match: [], miss: [] };
  const rule = {
    name: "no",
    tier: "deny" as const,
    because: "never",
    examples,
    human: false,
    firm: false,
    reviewers: [],
  };
  return { rules: [{ ...rule, match, at }] };
}

export function isDenied(call: ToolCall, policy: Partial<Policy>, known: Knowledge = knowing(call)): boolean {
  const preset = { name: "autonomous" as const, at };
  const file = { ...emptyPolicy("leeway.yaml", version), preset, root: PROJECT, home: "/home/ana", ...policy };
  return decide(call, classify(readCall(call), known), bareStanding([compilePolicy(file)], version), 0).tier === "deny";
}

/** Those of the commands that a rule denies, in a project where `links` lead elsewhere within it. */
export function denied(
  commands: readonly string[],
  match: Rule["match"],
  links: Readonly<Record<string, string>> = {},
): readonly string[] {
  return commands.filter((command) => {
    const call = commandCall(command);
    return isDenied(call, policyOf(match), linking(knowing(call), links));
  });
}

function linking(known: Knowledge, links: Readonly<Record<string, string>>): Knowledge {
  if (known.facts === undefined) return known;
  const real = Object.entries(known.facts.real).map(([path, leads]) => {
    const link = Object.keys(links).find((name) => `${leads}/`.startsWith(`${PROJECT}/${name}/`));
    return [
      path,
      link === undefined ? leads : `${PROJECT}/${links[link]}${leads.slice(PROJECT.length + 1 + link.length)}`,
    ];
  });
  return { ...known, facts: { ...known.facts, real: Object.fromEntries(real) } };
}
