import type { ToolCall } from "../call.ts";
import { collect } from "../classify/arguments.ts";
import { isUnder, parentOf } from "../classify/path.ts";
import type { Effect, EffectClass, Part, PathTarget } from "../effect.ts";
import { wordsText } from "../values/words-text.ts";
import { byGravity, commandsOf, type Doing } from "./doings.ts";

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

/** The same where nothing is named that it is done to. */
const DOES_ALONE: Partial<Record<EffectClass, string>> = {
  "fs.read": "only reads",
  "fs.write": "writes files",
  "fs.mkdir": "makes folders",
  "fs.copy": "copies files",
  "fs.move": "moves files",
  "fs.delete": "deletes files",
  "process.exec": "runs code that is not examined",
  "network.read": "fetches from elsewhere",
  "network.write": "sends data elsewhere",
};

/** What joins a class to its targets, where they are not simply its object. */
const JOINED: Partial<Record<EffectClass, string>> = {
  "agent.spawn": "with",
  "browser.act": "at",
  "browser.read": "at",
  "db.read": "at",
  "db.write": "at",
  "deploy.write": "in",
  "git.write": "in",
  "message.send": "through",
  "payments.move": "through",
  "permissions.change": "with",
  "schedule.write": "in",
  "secrets.read": "in",
  unknown: "with",
};

/** Programs that run another with the rights of somebody else. */
const RIGHTS = /^(?:.*\/)?(sudo|doas|su|pkexec|runuser|gosu|su-exec|run0)$/;

/** Longer commands are cut in the sentence, and the cut shows; they stand in full below it. */
const COMMAND_MAX = 60;

/** "deletes 3 files under src/, cannot be undone": the gravest first, and what only looks on only where nothing else happens. */
export function sentenceOf(call: ToolCall, effect: Effect, project?: string): string {
  const spoken = [not(isIdle), not(isQuiet), () => true]
    .map((wanted) => effect.parts.filter((part) => wanted(part)))
    .find((parts) => parts.length > 0);
  const alike = new Map<string, Part[]>();
  for (const part of [...(spoken ?? [])].sort((a, b) => byGravity(a.class, b.class))) {
    const key = alikeKey(part);
    alike.set(key, [...(alike.get(key) ?? []), part]);
  }
  return [...new Set([...alike.values()].map((parts) => clause(parts, call, project)))].join("; ");
}

/** What one program of several does, without its words. */
export function doingText({ parts }: Doing, call: ToolCall, project?: string): string {
  const spoken = parts.filter(not(isIdle));
  const said = (spoken.length > 0 ? spoken : parts).map((part) => bareClause(part, call, project));
  return [...new Set(said)].join("; ");
}

function not(is: (part: Part) => boolean): (part: Part) => boolean {
  return (part) => !is(part);
}

/** Looks at nothing but what it is handed, or changes nothing at all. */
function isIdle(part: Part): boolean {
  return part.class === "none" || (part.class === "fs.read" && part.reach === "local" && !namesThings(part));
}

function isQuiet(part: Part): boolean {
  return part.class === "none";
}

function namesThings(part: Part): boolean {
  return part.targets.some((target) => target.kind === "path" || target.kind === "domain");
}

/** Parts that one clause can speak of together. What goes from one place to another is told apart. */
function alikeKey(part: Part): string {
  const apart = part.class === "fs.copy" || part.class === "fs.move" ? JSON.stringify(part.targets) : "";
  return [
    part.class,
    part.reversible,
    part.method,
    part.reach === "outside",
    namesThings(part),
    rights(part),
    apart,
  ].join();
}

function rights(part: Part): boolean {
  return part.class === "permissions.change" && commandsOf(part).some(({ words }) => RIGHTS.test(words[0] ?? ""));
}

/** Parts that are alike, of which there is at least one. */
function clause(parts: readonly Part[], call: ToolCall, project: string | undefined): string {
  const [part] = parts as [Part];
  if (namesThings(part))
    return bareClause({ ...part, targets: parts.flatMap(({ targets }) => targets) }, call, project);
  const commands = [...new Set(parts.flatMap(commandsOf).map(({ words }) => clipped(wordsText(words))))];
  if (commands.length === 0) return bareClause(part, call, project);
  const many = commands.length > 1;
  const run = several(commands, "commands");
  if (rights(part)) return `runs ${run}, with another's rights`;
  if (part.class === "process.exec") return `runs ${run}${far(part)}`;
  if (part.class === "none") return `runs ${run}, which ${many ? "change" : "changes"} nothing`;
  if (part.class === "fs.read") return `runs ${run}, which only ${many ? "read" : "reads"}`;
  const amount = part.class === "payments.move" ? amountText(call) : "";
  return `${DOES_ALONE[part.class] ?? DOES[part.class]} with ${run}${amount}${ending(part)}`;
}

function bareClause(part: Part, call: ToolCall, project: string | undefined): string {
  if (rights(part)) return "starts what follows, with another's rights";
  const said = [pathsText(part, project), domainsText(part)].filter((text) => text !== "").join(" and ");
  const does =
    said === ""
      ? (DOES_ALONE[part.class] ?? DOES[part.class])
      : [DOES[part.class], JOINED[part.class] ?? [], said].flat().join(" ");
  const amount = part.class === "payments.move" ? amountText(call) : "";
  return `${does}${amount}${ending(part)}`;
}

function ending(part: Part): string {
  const method = part.method === undefined ? "" : ` (${part.method})`;
  // Of a program that is not examined nobody knows; to say it of every one would wear the words out.
  const lasting = part.reversible || part.class === "process.exec" ? "" : ", cannot be undone";
  return `${method}${far(part)}${lasting}`;
}

function far(part: Part): string {
  return part.reach === "outside" && !part.class.startsWith("network.") ? ", outside this machine" : "";
}

function pathsText(part: Part, project: string | undefined): string {
  const paths = new Map<string, PathTarget>();
  for (const target of part.targets) {
    if (target.kind !== "path") continue;
    const path = target.path.replaceAll(/\/\.(?=\/|$)/g, "") || "/";
    paths.set(path, { ...target, path, recursive: target.recursive || paths.get(path)?.recursive === true });
  }
  const all = [...paths.values()];
  const noun = part.class === "fs.mkdir" ? "folders" : "files";
  const [from, to] = [all.filter((path) => isSource(part, path)), all.filter((path) => !isSource(part, path))];
  if (from.length === 0 || to.length === 0) return placesText(all, noun, project);
  return `${placesText(from, noun, project)} to ${placesText(to, noun, project)}`;
}

/** A copy is read, and what is moved goes with everything below it. */
function isSource(part: Part, path: PathTarget): boolean {
  if (part.class === "fs.copy") return path.level === "read";
  return part.class === "fs.move" && path.recursive;
}

function placesText(paths: readonly PathTarget[], noun: string, project: string | undefined): string {
  const [first] = paths;
  if (first === undefined) return "";
  const deep = paths.some((target) => target.recursive) ? " and everything below" : "";
  if (paths.length <= 2) return paths.map(({ path }) => shortPath(path, project)).join(" and ") + deep;
  const folder = paths.slice(1).reduce((held, { path }) => commonFolder(held, path), parentOf(first.path));
  return `${paths.length} ${noun} under ${shortPath(folder, project)}/${deep}`.replace("//", "/");
}

function domainsText(part: Part): string {
  const domains = part.targets.flatMap((target) => (target.kind === "domain" ? [target.domain] : []));
  return several([...new Set(domains)], "domains");
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
  const [first = "", second] = names;
  if (second === undefined) return first;
  return names.length === 2 ? `${first} and ${second}` : `${first} and ${names.length - 1} more ${noun}`;
}

function clipped(text: string): string {
  const letters = [...text];
  return letters.length <= COMMAND_MAX ? text : `${letters.slice(0, COMMAND_MAX).join("")}…`;
}

function amountText(call: ToolCall): string {
  const numbers = Object.keys(call.args).filter((key) => /amount|total|sum|value|price/i.test(key));
  const amounts = numbers.map((key) => String(call.args[key]).slice(0, 40));
  const [currency] = collect(call.args, "currency");
  if (amounts.length === 0) return ", no amount named";
  return `: ${amounts.join(", ")}${currency === undefined ? "" : ` ${currency.slice(0, 8)}`}`;
}
