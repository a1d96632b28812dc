import type { ToolCall } from "../call.ts";
import { classify, namedSettings } from "../classify/classify.ts";
import type { Knowledge, PathFacts } from "../classify/knowledge.ts";
import { declaredTools } from "../classify/known-tool.ts";
import { normalise } from "../classify/path.ts";
import { readCall } from "../classify/reading.ts";
import { plainSettings } from "../classify/settings.ts";
import { type CompiledPolicy, compilePolicy } from "../decide/compile.ts";
import { decide } from "../decide/decide.ts";
import { indexRules } from "../decide/rule-index.ts";
import { bareStanding, type Standing } from "../decide/standing.ts";
import { newToolViews } from "../decide/tool-view.ts";
import { say } from "../messages/message.ts";
import { emptyPolicy, type Policy, type Rule, type RuleExample } from "../policy.ts";
import { collectFaults } from "./shape.ts";
import type { Fault } from "./tree.ts";

/** The policy file tests itself: every wrong example is an error of its rule. */
export function checkExamples(policy: Policy): readonly Fault[] {
  const faults = collectFaults();
  const stage = stageOf(policy);
  for (const rule of policy.rules) {
    const { match, miss } = rule.examples;
    if (match.length + miss.length === 0) continue;
    const standing = standingOf(rule, stage);
    for (const example of match) {
      if (matches(example, rule, standing, stage)) continue;
      faults.add(
        rule.at,
        say("policy.example_not_matched", { name: rule.name, example: printed(example) }),
        say("policy.widen_match"),
      );
    }
    for (const example of miss) {
      if (!matches(example, rule, standing, stage)) continue;
      faults.add(
        rule.at,
        say("policy.example_matched", { name: rule.name, example: printed(example) }),
        say("policy.narrow_match"),
      );
    }
  }
  return faults.all;
}

/** What all examples of a policy share: where they run, and a layer that allows everything. */
type Stage = { root: string; home: string; declared: Knowledge["declared"]; permissive: CompiledPolicy };

function stageOf(policy: Policy): Stage {
  const { root = "/project", home = "/home/somebody", source, version } = policy;
  const at = { file: source, line: 1, column: 1 };
  return {
    root,
    home,
    declared: declaredTools([policy]),
    permissive: compilePolicy({ ...emptyPolicy(source, version), tier: { tier: "auto", at }, root, home }),
  };
}

/**
 * The rule alone, as a denial. A rule that does not deny uses the next tier, because a denial also covers what a
 * command may be under other words. Only the indexes are built again: the rest of the layer is the same for every
 * rule.
 */
function standingOf(rule: Rule, { permissive }: Stage): Standing {
  const tier = rule.tier === "deny" ? "deny" : "shadow";
  const policy = { ...permissive.policy, rules: [{ ...rule, tier, human: false, firm: false } as const] };
  const rules = indexRules(policy);
  const layer = { ...permissive, policy, rules, tools: newToolViews(rules, permissive.rows, policy) };
  return bareStanding([layer], policy.version);
}

/**
 * Uses `decide` itself, so that an example shows what will really happen: the rule matches if it is the reason for
 * the denial.
 */
function matches(example: RuleExample, rule: Rule, standing: Standing, { root, home, declared }: Stage): boolean {
  const call = callOf(example, rule, root);
  const reading = readCall(call);
  const settings = plainSettings(namedSettings(reading, root), home);
  const facts = { real: UNLINKED, missing: [], home, foldsCase: false, settings };
  const effect = classify(reading, { declared, project: root, facts });
  return decide(call, effect, standing, 0).causes.some((cause) => cause.by === "rule");
}

/** A string is a command. An example without an agent uses one that the rule names. */
function callOf(example: RuleExample, rule: Rule, cwd: string): ToolCall {
  const given = typeof example === "string" ? { tool: "shell", args: { command: example } } : example;
  const agent = ("agent" in given ? given.agent : undefined) ?? rule.match.agent?.find((name) => !/[*?]/.test(name));
  return {
    workspace: "default",
    agent: agent ?? "agent",
    tool: given.tool,
    args: given.args,
    cwd,
    callId: "example",
    traceId: "example",
    chain: [],
    claims: {},
  };
}

/** There are no links: every path leads where it says. */
const UNLINKED: PathFacts["real"] = new Proxy<Record<string, string>>(
  {},
  {
    get: (_, path) => normalise(String(path)),
    getOwnPropertyDescriptor: (_, path) => ({ value: normalise(String(path)), configurable: true, enumerable: true }),
  },
);

function printed(example: RuleExample): string {
  return typeof example === "string" ? example : JSON.stringify(example);
}
