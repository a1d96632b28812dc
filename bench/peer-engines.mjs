// Policy engines from npm with the workload, each used as its documentation suggests. An engine that returns the first rule is
// called twice, for rules that name the agent and for rules for all agents; an engine that returns every rule is called once.
import { combine, rowsOf, ruleMatches } from "./decide-plain.mjs";
import { AGENTS, TIERS } from "./decide-workload.mjs";

const rank = (rule) => TIERS.indexOf(rule.tier);
const strictFirst = (rules) => [...rules].sort((a, b) => rank(a) - rank(b));
const quoted = (text) => JSON.stringify(text);
const line = (call) => (call.words === undefined ? "" : call.words.join(" "));
const facts = (call) => ({
  agent: call.agent,
  tool: call.tool,
  action: call.class,
  path: call.path ?? "",
  command: line(call),
});
const rowMap = (workload) => new Map(rowsOf(workload).map((row) => [`${row.agent} ${row.class}`, row]));

/** @casl/ability: an ability for each agent and one for all. The last rule that matches wins, so the strictest come last. */
async function casl(workload) {
  const { Ability } = await import("@casl/ability");
  const options = { detectSubjectType: () => "call", conditionsMatcher: (holds) => holds };
  const ability = (rules) =>
    new Ability(
      strictFirst(rules)
        .reverse()
        .map((rule) => ({
          action: rule.class,
          subject: "call",
          conditions: (call) => ruleMatches(rule, call),
          reason: String(rank(rule)),
        })),
      options,
    );
  const named = new Map(AGENTS.map((agent) => [agent, ability(workload.rules.filter((rule) => rule.agent === agent))]));
  const forAll = ability(workload.rules.filter((rule) => rule.agent === undefined));
  const rows = rowMap(workload);
  const tierOf = (rule) => (rule === null ? undefined : Number(rule.reason));
  return {
    prepare: (call) => call,
    decide: (call) =>
      combine(
        tierOf(named.get(call.agent).relevantRuleFor(call.class, call)),
        rows.get(`${call.agent} ${call.class}`),
        tierOf(forAll.relevantRuleFor(call.class, call)),
      ),
  };
}

const CASBIN_MODEL = `
[request_definition]
r = agent, action, path, command
[policy_definition]
p = priority, agent, action, shape, first, second, tier, eft
[policy_effect]
e = priority(p.eft) || deny
[matchers]
m = (p.agent == "*" || p.agent == r.agent) && p.action == r.action && fits(p.shape, p.first, p.second, r.path, r.command)
`;

const CASBIN_SHAPES = {
  below: (first, _second, path) => path.startsWith(`${first}/`),
  file: (first, _second, path) => path.endsWith(`/${first}`),
  ending: (first, _second, path) => path.endsWith(first),
  middle: (first, second, path) => path.startsWith(`${first}/`) && path.includes(`/${second}/`, first.length),
  words: (first, _second, _path, command) => command === first || command.startsWith(`${first} `),
};

/** casbin: explicit priorities, the strictest first, and one function for the patterns. */
async function casbin(workload) {
  const { newEnforcer, newModelFromString, StringAdapter } = await import("casbin");
  const lineOf = (rule) =>
    [
      "p",
      rank(rule),
      rule.agent ?? "*",
      rule.class,
      rule.shape ?? "words",
      rule.prefix ?? rule.last ?? rule.words.join(" "),
      rule.middle ?? "-",
      rank(rule),
      "allow",
    ].join(", ");
  const enforcer = async (rules) => {
    const made = await newEnforcer(
      newModelFromString(CASBIN_MODEL),
      new StringAdapter(strictFirst(rules).map(lineOf).join("\n")),
    );
    await made.addFunction("fits", (shape, first, second, path, command) =>
      CASBIN_SHAPES[shape](first, second, path, command),
    );
    return made;
  };
  const named = await enforcer(workload.rules.filter((rule) => rule.agent !== undefined));
  const forAll = await enforcer(workload.rules.filter((rule) => rule.agent === undefined));
  const rows = rowMap(workload);
  const ask = (made, given) => {
    const [holds, policy] = made.enforceExSync(...given);
    return holds ? Number(policy[6]) : undefined;
  };
  return {
    prepare: (call) => ({
      given: [call.agent, call.class, call.path ?? "", line(call)],
      row: rows.get(`${call.agent} ${call.class}`),
    }),
    decide: ({ given, row }) => combine(ask(named, given), row, ask(forAll, given)),
  };
}

const EXPRESSIONS = {
  below: (rule) => `path.startsWith(${quoted(`${rule.prefix}/`)})`,
  file: (rule) => `path.endsWith(${quoted(`/${rule.last}`)})`,
  ending: (rule) => `path.endsWith(${quoted(rule.last)})`,
  middle: (rule) => `path.startsWith(${quoted(`${rule.prefix}/`)}) && path.contains(${quoted(`/${rule.middle}/`)})`,
  words: (rule) =>
    `(command == ${quoted(rule.words.join(" "))} || command.startsWith(${quoted(`${rule.words.join(" ")} `)}))`,
};

/** @marcbachmann/cel-js: one compiled expression for each rule, the strictest first; the first that is true decides. */
async function cel(workload) {
  const { Environment } = await import("@marcbachmann/cel-js");
  const environment = new Environment();
  for (const name of ["agent", "tool", "action", "path", "command"]) environment.registerVariable(name, "string");
  const compile = (rules) =>
    strictFirst(rules).map((rule) => {
      const who = rule.agent === undefined ? "" : `agent == ${quoted(rule.agent)} && `;
      return {
        tier: rank(rule),
        holds: environment.parse(
          `action == ${quoted(rule.class)} && ${who}${EXPRESSIONS[rule.shape ?? "words"](rule)}`,
        ),
      };
    });
  const named = compile(workload.rules.filter((rule) => rule.agent !== undefined));
  const forAll = compile(workload.rules.filter((rule) => rule.agent === undefined));
  const rows = rowMap(workload);
  const first = (compiled, given) => {
    for (const { holds, tier } of compiled) if (holds(given) === true) return tier;
    return undefined;
  };
  return {
    prepare: facts,
    decide: (given) => combine(first(named, given), rows.get(`${given.agent} ${given.action}`), first(forAll, given)),
  };
}

const OPERATORS = {
  below: (value, rule) => value.startsWith(`${rule.prefix}/`),
  file: (value, rule) => value.endsWith(`/${rule.last}`),
  ending: (value, rule) => value.endsWith(rule.last),
  middle: (value, rule) =>
    value.startsWith(`${rule.prefix}/`) && value.includes(`/${rule.middle}/`, rule.prefix.length),
  words: (value, rule) => value === rule.words.join(" ") || value.startsWith(`${rule.words.join(" ")} `),
};

/** json-rules-engine: one rule for each of ours; all of them run, and the strictest event counts. */
async function jsonRules(workload) {
  const { Engine } = await import("json-rules-engine");
  const engine = new Engine([], { allowUndefinedFacts: true });
  for (const [name, holds] of Object.entries(OPERATORS)) engine.addOperator(name, holds);
  for (const rule of workload.rules) {
    const shape = rule.shape ?? "words";
    engine.addRule({
      conditions: {
        all: [
          { fact: "action", operator: "equal", value: rule.class, priority: 3 },
          ...(rule.agent === undefined ? [] : [{ fact: "agent", operator: "equal", value: rule.agent, priority: 2 }]),
          { fact: shape === "words" ? "command" : "path", operator: shape, value: rule, priority: 1 },
        ],
      },
      event: { type: rule.agent === undefined ? "all" : "named", params: { tier: rank(rule) } },
    });
  }
  const rows = rowMap(workload);
  const strictest = (events, type) =>
    events.reduce(
      (held, event) => (event.type === type && !(held <= event.params.tier) ? event.params.tier : held),
      undefined,
    );
  return {
    prepare: facts,
    decide: async (given) => {
      const { events } = await engine.run(given);
      return combine(strictest(events, "named"), rows.get(`${given.agent} ${given.action}`), strictest(events, "all"));
    },
  };
}

const CEDAR_TESTS = {
  below: (rule) => `context.path like ${quoted(`${rule.prefix}/*`)}`,
  file: (rule) => `context.path like ${quoted(`*/${rule.last}`)}`,
  ending: (rule) => `context.path like ${quoted(`*${rule.last}`)}`,
  middle: (rule) =>
    `context.path like ${quoted(`${rule.prefix}/*`)} && context.path like ${quoted(`*/${rule.middle}/*`)}`,
  words: (rule) =>
    `context.command == ${quoted(rule.words.join(" "))} || context.command like ${quoted(`${rule.words.join(" ")} *`)}`,
};

/** Cedar: every rule is a permit; it returns the ids of those that apply, and the strictest of them counts. */
async function cedar(workload) {
  const { default: library } = await import("@cedar-policy/cedar-wasm/nodejs");
  const staticPolicies = { nothing: "permit(principal, action, resource);" };
  for (const rule of workload.rules) {
    const who = rule.agent === undefined ? "principal" : `principal == Agent::${quoted(rule.agent)}`;
    const id = `${rule.agent === undefined ? "all" : "named"} ${rank(rule)} ${rule.name}`;
    staticPolicies[id] =
      `permit(${who}, action == Action::${quoted(rule.class)}, resource) when { ${CEDAR_TESTS[rule.shape ?? "words"](rule)} };`;
  }
  const set = `rules-${workload.rules.length}`;
  const parsed = library.preparsePolicySet(set, { staticPolicies });
  if (parsed.type !== "success") throw new Error(JSON.stringify(parsed.errors));
  const rows = rowMap(workload);
  return {
    prepare: (call) => ({
      row: rows.get(`${call.agent} ${call.class}`),
      question: {
        principal: { type: "Agent", id: call.agent },
        action: { type: "Action", id: call.class },
        resource: { type: "Tool", id: call.tool },
        context: { path: call.path ?? "", command: line(call) },
        preparsedPolicySetId: set,
        entities: [],
      },
    }),
    decide: ({ row, question }) => {
      const answer = library.statefulIsAuthorized(question);
      if (answer.type !== "success") throw new Error(JSON.stringify(answer.errors));
      let named;
      let forAll;
      for (const id of answer.response.diagnostics.reason) {
        const [who, tier] = id.split(" ");
        if (who === "named" && !(named <= Number(tier))) named = Number(tier);
        if (who === "all" && !(forAll <= Number(tier))) forAll = Number(tier);
      }
      return combine(named, row, forAll);
    },
  };
}

export const PEERS = [
  { engine: "CASL", package: "@casl/ability", build: casl },
  { engine: "CEL", package: "@marcbachmann/cel-js", build: cel },
  { engine: "casbin", package: "casbin", build: casbin },
  { engine: "json-rules-engine", package: "json-rules-engine", build: jsonRules },
  { engine: "Cedar", package: "@cedar-policy/cedar-wasm", build: cedar },
];
