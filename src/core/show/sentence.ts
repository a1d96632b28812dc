import type { ToolCall } from "../call.ts";
import { collect } from "../classify/arguments.ts";
import { isUnder, parentOf } from "../classify/path.ts";
import type { Effect, EffectClass, Part, Target } from "../effect.ts";

/** What a part of each class does, in the words of whoever answers for it. */
const DOES: Record<EffectClass, string> = {
  none: "changes nothing",
  "fs.read": "reads",
  "fs.write": "writes",
  "fs.mkdir": "makes",
  "fs.copy": "copies",
  "fs.move": "moves",
  "fs.delete": "deletes",
  "process.exec": "runs",
  "host.call": "calls a function of the host",
  "store.write": "changes the agent's store",
  "metadata.write": "changes metadata",
  "checkpoint.write": "changes checkpoints",
  "agent_state.write": "changes what the agent remembers",
  "mcp.release": "releases an MCP server",
  "network.read": "fetches from",
  "network.write": "sends data to",
  "network.sse.write": "sends events to whoever listens",
  "git.write": "changes the git repository",
  "message.send": "sends a message",
  "db.read": "reads from the database",
  "db.write": "changes the database",
  "browser.read": "looks at a page",
  "browser.act": "acts in the browser",
  "agent.spawn": "starts another agent",
  "schedule.write": "changes what happens later",
  "deploy.write": "changes what is built and shipped",
  "payments.move": "moves money",
  "secrets.read": "reads keys or credentials",
  "permissions.change": "changes what agents or programs may do",
  unknown: "does something that is not known",
};

/** What joins a class to its targets, where they are not simply its object. */
const JOINED: Partial<Record<EffectClass, string>> = {
  "browser.act": "at",
  "browser.read": "at",
  "db.read": "at",
  "db.write": "at",
  "deploy.write": "in",
  "git.write": "in",
  "message.send": "through",
  "payments.move": "through",
  "permissions.change": "with",
  "secrets.read": "in",
  unknown: "with",
};

/** "deletes 3 files under src/, cannot be undone" */
export function sentenceOf(call: ToolCall, effect: Effect, project?: string): string {
  const parts = effect.parts.map((part) => partText(part, call, project));
  return [...new Set(parts)].join("; ");
}

function partText(part: Part, call: ToolCall, project: string | undefined): string {
  const said = targetsText(part.targets, project);
  const on = said === "" ? "" : ` ${[JOINED[part.class] ?? [], said].flat().join(" ")}`;
  const amount = part.class === "payments.move" ? amountText(call) : "";
  const method = part.method === undefined ? "" : ` (${part.method})`;
  const far = part.reach === "outside" && !part.class.startsWith("network.") ? ", outside this machine" : "";
  return `${DOES[part.class]}${on}${amount}${method}${far}${part.reversible ? "" : ", cannot be undone"}`;
}

function targetsText(targets: readonly Target[], project: string | undefined): string {
  const paths = targets.flatMap((target) => (target.kind === "path" ? [target] : []));
  const said = [
    pathsText(paths, project),
    several(
      targets.flatMap((target) => (target.kind === "domain" ? [target.domain] : [])),
      "domains",
    ),
    several(
      targets.flatMap((target) => (target.kind === "command" ? [target.words.join(" ")] : [])),
      "commands",
    ),
  ].filter((text) => text !== "");
  return said.join(" and ");
}

function pathsText(paths: readonly { path: string; recursive: boolean }[], project: string | undefined): string {
  const [first] = paths;
  if (first === undefined) return "";
  const deep = paths.some((target) => target.recursive) ? ", with everything below" : "";
  if (paths.length === 1) return shortPath(first.path, project) + deep;
  const folder = paths.slice(1).reduce((held, { path }) => commonFolder(held, path), parentOf(first.path));
  return `${paths.length} files under ${shortPath(folder, project)}/${deep}`.replace("//", "/");
}

function commonFolder(folder: string, path: string): string {
  let held = folder;
  while (held !== "/" && !isUnder(path, held)) held = parentOf(held);
  return held;
}

/** Relative to the project where it lies inside. */
export function shortPath(path: string, project: string | undefined): string {
  if (project === undefined || project === "/" || !isUnder(path, project)) return path;
  return path === project ? "." : path.slice(project.length + 1);
}

function several(names: readonly string[], noun: string): string {
  const [first] = names;
  if (first === undefined) return "";
  return names.length === 1 ? first : `${first} and ${names.length - 1} more ${noun}`;
}

function amountText(call: ToolCall): string {
  const numbers = Object.keys(call.args).filter((key) => /amount|total|sum|value|price/i.test(key));
  const amounts = numbers.map((key) => String(call.args[key]).slice(0, 40));
  const [currency] = collect(call.args, "currency");
  if (amounts.length === 0) return ", no amount named";
  return `: ${amounts.join(", ")}${currency === undefined ? "" : ` ${currency.slice(0, 8)}`}`;
}
