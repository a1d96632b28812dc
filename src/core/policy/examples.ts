import type { ToolCall } from "../call.ts";
import { classify, namedPaths } from "../classify.ts";
import { compilePolicy } from "../compile.ts";
import { decide } from "../decide.ts";
import { emptyPolicy, type Policy, type Rule, type RuleExample } from "../policy.ts";
import type { Standing } from "../standing.ts";
import { collectFaults } from "./shape.ts";
import type { Fault } from "./tree.ts";

/** The policy file is its own test: every example that does not hold is a fault of the rule it stands in. */
export function checkExamples(policy: Policy): readonly Fault[] {
  const faults = collectFaults();
  for (const rule of policy.rules) {
    const { match, miss } = rule.examples;
    if (match.length + miss.length === 0) continue;
    const matches = matcherOf(rule, policy);
    for (const example of match.filter((given) => !matches(given))) {
      faults.add(
        rule.at,
        `the rule \`${rule.name}\` does not match its example ${printed(example)}`,
        "widen `match`, or move the example to `miss`",
      );
    }
    for (const example of miss.filter(matches)) {
      faults.add(
        rule.at,
        `the rule \`${rule.name}\` matches ${printed(example)}, which it should miss`,
        "narrow `match`, or move the example to `match`",
      );
    }
  }
  return faults.all;
}

/**
 * Does the rule match a call? Asked of `decide` itself, so that an example says what will really happen: the rule alone,
 * as a denial, in a policy that would let everything else run. It matched if it is why the call is denied.
 */
function matcherOf(rule: Rule, policy: Policy): (example: RuleExample) => boolean {
  const { root = "/project", home = "/home/somebody" } = policy;
  const alone: Policy = {
    ...emptyPolicy(policy.source, policy.version),
    tier: { tier: "auto", at: rule.at },
    rules: [{ ...rule, tier: "deny", human: false, firm: false }],
    root,
    home,
  };
  const standing: Standing = { ...NOTHING_ELSE, layers: [compilePolicy(alone)], policyVersion: policy.version };
  const declared = new Map(policy.tools.map((tool) => [tool.name, tool]));
  return (example) => {
    const call = callOf(example, rule, root);
    // Nothing is linked anywhere: every path leads where it says.
    const real = Object.fromEntries(
      namedPaths(call)
        .map((path) => absolute(path, root, home))
        .map((path) => [path, path]),
    );
    const effect = classify(call, { declared, project: root, facts: { real, home, foldsCase: false } });
    return decide(call, effect, standing, 0).causes.some((cause) => cause.by === "rule");
  };
}

const NOTHING_ELSE: Omit<Standing, "layers" | "policyVersion"> = {
  scopes: [],
  pauses: [],
  pausesFresh: true,
  promotions: [],
  grants: [],
  used: () => 0,
  canAsk: true,
  quarantined: false,
};

/** A string is a command. An example that names no agent is made by one that the rule names. */
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

function absolute(path: string, root: string, home: string): string {
  if (path === "~" || path.startsWith("~/")) return home + path.slice(1);
  return path.startsWith("/") ? path : `${root}/${path}`;
}

function printed(example: RuleExample): string {
  return `\`${typeof example === "string" ? example : JSON.stringify(example)}\``;
}
