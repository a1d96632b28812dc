import { resolve } from "node:path";
import { readYaml } from "../../src/config/parse/yaml.ts";
import { parsePolicyText } from "../../src/config/policy/policy-text.ts";
import { classify, namedPaths, namedSettings } from "../../src/core/classify/classify.ts";
import { declaredTools } from "../../src/core/classify/known-tool.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import { plainSettings } from "../../src/core/classify/settings.ts";
import { compilePolicy } from "../../src/core/decide/compile.ts";
import { decide } from "../../src/core/decide/decide.ts";
import { describeFault, type Tree } from "../../src/core/policy/tree.ts";
import type { Policy } from "../../src/core/policy.ts";
import type { JsonObject } from "../../src/core/values/json.ts";
import type { Imported } from "../../src/importers/imported.ts";
import { IMPORTERS } from "../../src/importers/importers.ts";

export function imported(from: string, given: unknown) {
  const read = readYaml(typeof given === "string" ? given : JSON.stringify(given), "given.json");
  const importer = IMPORTERS[from];
  if (!read.ok || importer === undefined) throw new Error(`no importer ${from}, or ${JSON.stringify(read)}`);
  return importer(read.tree);
}

export function faultsOf(from: string, given: unknown): readonly string[] {
  const made = imported(from, given);
  return made.ok ? [] : made.faults.map((fault) => describeFault(fault));
}

/** What the imported file decides, with our own parser, classifier and decision. */
export function deciding(from: string, given: unknown) {
  return decisionsOf(imported(from, given));
}

/** The same for a file that is neither YAML nor JSON, as its own reader read it. */
export function decidingTree(from: string, tree: Tree) {
  const importer = IMPORTERS[from];
  if (importer === undefined) throw new Error(`no importer ${from}`);
  return decisionsOf(importer(tree));
}

function decisionsOf(made: Imported) {
  if (!made.ok) throw new Error(made.faults.map((fault) => describeFault(fault)).join("\n"));
  const loaded = parsePolicyText(made.yaml, "imported.yaml", { root: "/project", home: "/home/ana" });
  if (!loaded.ok) throw new Error(`${loaded.faults.map((fault) => describeFault(fault)).join("\n")}\n${made.yaml}`);
  return (tool: string, args: JsonObject = {}, agent = "coder") => tierOf(loaded.policy, tool, args, agent);
}

function tierOf(policy: Policy, tool: string, args: JsonObject, agent: string): string {
  const call = {
    workspace: "default",
    agent,
    tool,
    args,
    callId: "c1",
    traceId: "trace_1",
    chain: [],
    claims: {},
    cwd: "/project",
  };
  const declared = declaredTools([policy]);
  // There are no links: every path leads where it says.
  const real = Object.fromEntries(
    namedPaths(readCall(call)).map((path) => [resolve("/project", path), resolve("/project", path)]),
  );
  const settings = plainSettings(namedSettings(readCall(call), "/project"));
  const effect = classify(readCall(call), {
    declared,
    project: "/project",
    facts: { real, missing: [], foldsCase: false, settings },
  });
  const standing = {
    layers: [compilePolicy(policy)],
    scopes: [],
    policyVersion: policy.version,
    pauses: [],
    pausesFresh: true,
    promotions: [],
    grants: [],
    used: () => 0,
    canAsk: true,
    quarantined: false,
  };
  const decision = decide(call, effect, standing, 0);
  return decision.needsHuman ? `${decision.tier} + human` : decision.tier;
}
