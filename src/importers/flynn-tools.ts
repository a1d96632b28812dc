import { DANGEROUS_TOOLS } from "../core/decide/resolve-preset.ts";
import type { EffectClass } from "../core/effect.ts";
import { type Message, say } from "../core/messages/message.ts";
import { didYouMean, refine, text } from "../core/policy/shape.ts";
import { canonicalTool, toolGlobMatches } from "../core/tool-name.ts";
import { isGlob } from "../core/values/glob.ts";
import { nearest, stepsBetween } from "../core/values/nearest.ts";
import { GRAVER_READS, GRAVER_WRITES } from "./imported.ts";

/** Flynn's tools that run commands; every other tool that does so is treated like the first. */
export const COMMANDS = ["shell.exec", "shell.run", "process.start"];
const WRITING = ["file.write", "file.edit", "file.patch"];
const WEB = ["web.fetch", "web.search"];

/** Flynn's tools as far as we know them: a name that is almost one of them is a typing mistake. */
export const TOOLS: readonly string[] = [
  ...new Set([...DANGEROUS_TOOLS, ...COMMANDS, ...WRITING, ...WEB, "file.read"]),
  ...["browser.click", "browser.eval", "browser.type", "cron.create", "cron.delete", "media.send", "memory.write"],
  ...["agent.delegate", "message.send", "sessions.delete"],
];

/** Tools that together are all that Flynn had for a task: a file that names all of them means the task. */
export const FAMILIES: readonly { name: string; tools: readonly string[]; classes: readonly EffectClass[] }[] = [
  {
    name: "writes",
    tools: WRITING,
    classes: ["fs.write", "fs.mkdir", "fs.copy", "fs.move", "fs.delete", ...GRAVER_WRITES],
  },
  { name: "files", tools: ["file.read", ...WRITING], classes: ["fs.read", ...GRAVER_READS] },
  { name: "web", tools: WEB, classes: ["network.read", "network.write"] },
];

export function namesTool(pattern: string, tool: string): boolean {
  return isGlob(pattern) ? toolGlobMatches(pattern, tool) : canonicalTool(pattern) === canonicalTool(tool);
}

/** Whether a pattern matches a known tool, or is about servers. */
export function isKnown(pattern: string): boolean {
  return /^mcp[:_]/i.test(pattern) || TOOLS.some((tool) => namesTool(pattern, tool));
}

/** Groups were lists inside Flynn; a file that uses one does not say what it contains. */
export const toolPattern = refine(text("thing.tool_pattern"), (given, tree, faults) => {
  if (given.startsWith("group:")) {
    faults.add(tree.at, say("import.unknown_group", { name: given }), say("import.list_tools"));
    return undefined;
  }
  const [, forced] = /^tool:(.*\S.*)$/s.exec(given) ?? [];
  if (forced !== undefined) return forced;
  const name = onServer(given);
  const fault = name === undefined ? serverFault(given) : slipFault(name);
  if (fault === undefined) return name;
  faults.add(tree.at, fault.problem, fault.hint);
  return undefined;
});

type Slip = { problem: Message; hint: Message };

/** `mcp:server:tool` and `mcp:server.tool` in our spelling, `mcp:server/tool`. */
function onServer(given: string): string | undefined {
  if (!/^mcp:/i.test(given)) return given;
  const [, server, tool] = /^mcp:([^:./*?]+)[:./](.+)$/i.exec(given) ?? [];
  if (server !== undefined && tool !== undefined) return `mcp:${server}/${tool}`;
  return isGlob(given) ? given : undefined;
}

function serverFault(given: string): Slip {
  return {
    problem: say("import.server_without_tool", { name: given }),
    hint: say("import.write_server_tool", { name: given.replace(/[:./]+$/, "") }),
  };
}

/** A name or pattern that is almost a known one protects nothing. */
function slipFault(name: string): Slip | undefined {
  if (/[[\]{}!]/.test(name)) {
    return { problem: say("policy.no_such_tool_pattern", { name }), hint: say("policy.tool_pattern_signs") };
  }
  if (isKnown(name)) return undefined;
  const meant = isGlob(name) ? meantPattern(name) : meantTool(name);
  if (meant === undefined) return undefined;
  const problem = isGlob(name) ? say("import.pattern_without_tool", { name }) : say("import.unknown_tool", { name });
  return { problem, hint: didYouMean(meant, say("policy.exact_tool_name", { name })) };
}

/** One letter, or two in a long name: `process.list` is not a misspelling of `process.kill`. */
function meantTool(name: string): string | undefined {
  const slips = name.length < 8 ? 1 : 2;
  return TOOLS.find((tool) => {
    const [family, own] = tool.split(".");
    const [first, second] = name.split(".");
    if (first === family && (own?.length ?? 0) < 6) return stepsBetween(second ?? "", own ?? "", 1) <= 1;
    return stepsBetween(name.toLowerCase(), tool, slips) <= slips;
  });
}

/** The pattern with the unknown word corrected: `shel.*` is `shell.*`. */
function meantPattern(pattern: string): string | undefined {
  const words = [...new Set(TOOLS.flatMap((tool) => tool.split(".")))];
  return pattern.split(/[^A-Za-z]+/).flatMap((word) => {
    const near = word.length < 3 || words.includes(word) ? undefined : nearest(word, words);
    const meant = near === undefined ? undefined : pattern.replace(word, near);
    return meant !== undefined && isKnown(meant) ? [meant] : [];
  })[0];
}
