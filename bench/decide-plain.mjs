// The plainest implementation of the workload: every rule is tried, one after the other. It is slow and obvious, so that the
// answers of every engine can be compared with it.
import { AGENTS, CLASSES, TIERS } from "./decide-workload.mjs";

/** The tier of an agent and a class if no rule matches. `own`: set for this agent, so rules for all agents can only make it stricter. */
export function rowsOf(workload) {
  return AGENTS.flatMap((agent) =>
    CLASSES.map((name) => {
      const classTier = workload.classTiers.get(name);
      const own =
        workload.agentClassTiers.get(`${agent} ${name}`) ??
        (classTier === "deny" ? undefined : workload.agentTiers.get(agent));
      return { agent, class: name, tier: TIERS.indexOf(own ?? classTier ?? workload.tier), own: own !== undefined };
    }),
  );
}

export function ruleMatches(rule, call) {
  if (rule.class !== call.class) return false;
  if (rule.kind === "command") return rule.words.every((word, i) => call.words[i] === word);
  switch (rule.shape) {
    case "below":
      return call.path.startsWith(`${rule.prefix}/`);
    case "file":
      return call.path.endsWith(`/${rule.last}`);
    case "ending":
      return call.path.endsWith(rule.last);
    default:
      return call.path.startsWith(`${rule.prefix}/`) && call.path.includes(`/${rule.middle}/`, rule.prefix.length);
  }
}

/**
 * The strictest rule that names the agent comes before the agent's row. The strictest rule for all agents can make either
 * stricter, and replaces a row that is not the agent's own.
 */
export function combine(named, row, forAll) {
  if (named === undefined && !row.own) return forAll ?? row.tier;
  return Math.min(named ?? row.tier, forAll ?? TIERS.length);
}

export function plainAnswers(workload) {
  const rows = new Map(rowsOf(workload).map((row) => [`${row.agent} ${row.class}`, row]));
  const strictest = (rules) =>
    rules.length === 0 ? undefined : Math.min(...rules.map((rule) => TIERS.indexOf(rule.tier)));
  return (call) => {
    const hits = workload.rules.filter((rule) => ruleMatches(rule, call));
    const named = strictest(hits.filter((rule) => rule.agent === call.agent));
    const forAll = strictest(hits.filter((rule) => rule.agent === undefined));
    return combine(named, rows.get(`${call.agent} ${call.class}`), forAll);
  };
}
