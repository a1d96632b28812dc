import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parsePolicyText } from "../../src/config/policy/policy-text.ts";
import type { ToolCall } from "../../src/core/call.ts";
import { classify, namedPaths, namedSettings } from "../../src/core/classify/classify.ts";
import { type DeclaredTools, declaredTools } from "../../src/core/classify/known-tool.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import { plainSettings } from "../../src/core/classify/settings.ts";
import { decide } from "../../src/core/decide/decide.ts";
import { foundLayers, type Layers, namedLayers } from "../../src/core/decide/layers.ts";
import { type Fault, renderFault } from "../../src/core/policy/tree.ts";
import { rankOf } from "../../src/core/tier.ts";
import type { JsonObject } from "../../src/core/values/json.ts";
import { plainPaths } from "../../src/testing.ts";
import { KINDS, type Mutant, mutants } from "./mutants.ts";

const PROJECT = "/project";
const GROUND = { root: PROJECT, home: "/home/ana" };
const folder = new URL("../../policies/", import.meta.url);
const sources = readdirSync(folder).map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));
const PER_SOURCE = process.env.LEEWAY_PROVE === undefined ? 63 : 1500;

const AGENTS = ["coder", "release-bot", "intern-bot"];
const CALLS: readonly [tool: string, args: JsonObject][] = [
  ["read_file", { path: "src/a.ts" }],
  ["read_file", { path: ".env" }],
  ["read_file", { path: "/home/ana/.ssh/id_ed25519" }],
  ["write_file", { path: "src/a.ts", content: "x" }],
  ["write_file", { path: "package.json", content: "x" }],
  ["write_file", { path: "/srv/data/a", content: "x" }],
  ["write_file", { path: ".github/workflows/ci.yml", content: "x" }],
  ["delete_file", { path: "src/a.ts" }],
  ["delete_file", { path: "/srv/data/a" }],
  ["shell", { command: "git push --force origin main" }],
  ["shell", { command: "git push -f" }],
  ["shell", { command: "git push origin main" }],
  ["shell", { command: "npm publish" }],
  ["shell", { command: "mkfs /dev/sda1" }],
  ["refund", { amount: 900 }],
  ["refund", { amount: 5 }],
  ["lookup_order", { id: 1 }],
  ["mcp__github__create_issue", { title: "x" }],
  ["web_search", { query: "x" }],
  ["never_heard_of", {}],
];

function loose(layers: Layers): readonly number[] {
  const declared = declaredTools(layers.layers.map(({ policy }) => policy));
  return AGENTS.flatMap((agent) => CALLS.map(([tool, args]) => looseness({ agent, tool, args }, layers, declared)));
}

/** How much is allowed: a refusal that needs a person ranks with `suggest`. */
function looseness(
  of: Pick<ToolCall, "agent" | "tool" | "args">,
  { layers, version, noPolicy }: Layers,
  declared: DeclaredTools,
) {
  const call = { ...of, workspace: "default", callId: "c", traceId: "t", chain: [], claims: {}, cwd: PROJECT };
  const reading = readCall(call);
  const settings = plainSettings(namedSettings(reading, PROJECT));
  const facts = { ...plainPaths(namedPaths(reading), PROJECT), settings };
  const effect = classify(reading, { declared, project: PROJECT, facts });
  const standing = {
    layers,
    scopes: [],
    policyVersion: version,
    ...(noPolicy === undefined ? {} : { noPolicy }),
    pauses: [],
    pausesFresh: true,
    promotions: [],
    grants: [],
    used: () => 0,
    canAsk: true,
    quarantined: false,
  };
  const { tier, needsHuman } = decide(call, effect, standing, 0);
  return needsHuman ? Math.min(rankOf(tier), rankOf("suggest")) : rankOf(tier);
}

const load = (text: string) => parsePolicyText(text, "p.yaml", GROUND);

type Trial = { source: string; mutant: Mutant; faults: readonly Fault[]; alone?: boolean; beside?: boolean };

/** Every mistake in every policy: refused, or loaded and then looser somewhere, alone or beside the accepted one. */
function trials(): Trial[] {
  return sources.flatMap(({ name, text }) => {
    const original = load(text);
    if (!original.ok) throw new Error(`${name} does not load`);
    const before = loose(namedLayers(original.policy));
    const looserThanBefore = (layers: Layers) => loose(layers).some((rank, i) => rank > (before[i] ?? -1));
    return mutants(text, PER_SOURCE, SEED).map((mutant): Trial => {
      const found = load(mutant.text);
      if (!found.ok) return { source: name, mutant, faults: found.faults };
      const beside = foundLayers([{ path: name, found, accepted: original.policy }]);
      const alone = looserThanBefore(namedLayers(found.policy));
      return { source: name, mutant, faults: [], alone, beside: looserThanBefore(beside) };
    });
  });
}

const SEED = 7;
const tried = trials();
const shown = ({ source, mutant }: Trial) => `${source}:${mutant.line} ${mutant.kind}: ${mutant.was} => ${mutant.now}`;

test("the test has more than 500 mistakes, of every kind, and most of them do not load", () => {
  const kinds = new Set(tried.map(({ mutant }) => mutant.kind));
  expect([...kinds].sort()).toEqual([...KINDS].sort());
  expect(tried.length).toBeGreaterThan(500);
  expect(tried.filter(({ faults }) => faults.length > 0).length).toBeGreaterThan(tried.length * 0.7);
});

test("every refused mistake is reported with a position in the file and a fix", () => {
  const vague = tried.filter(({ mutant, faults }) =>
    faults
      .map((fault) => renderFault(fault))
      .some(({ file, line, column, message, hint }) => {
        const there = line >= 1 && column >= 1 && line <= mutant.text.split("\n").length;
        return file !== "p.yaml" || !there || message === "" || hint === undefined;
      }),
  );
  expect(vague.map(shown)).toEqual([]);
});

test("a changed file that loads beside the accepted one is never looser than the accepted one alone", () => {
  expect(tried.filter(({ beside }) => beside === true).map(shown)).toEqual([]);
});

test("the only mistakes that load as a looser policy are a deleted line and a misspelled agent name", () => {
  // Only the author knows which rows there should be and what the agents are called: here only acceptance protects.
  const misnamed = ({ was, now }: Mutant) => AGENTS.some((agent) => was.includes(agent) && !now.includes(agent));
  const looser = tried.filter(({ alone }) => alone === true);
  const misspelt = (mutant: Mutant) => (mutant.kind === "typo" || mutant.kind === "lost mark") && misnamed(mutant);
  const explained = ({ mutant }: Trial) => mutant.kind === "dropped line" || misspelt(mutant);
  expect(looser.filter((trial) => !explained(trial)).map(shown)).toEqual([]);
});
