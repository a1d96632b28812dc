import type { ToolCall } from "../call.ts";
import { collect, readArguments } from "../classify/arguments.ts";
import { rowFor } from "../classify/known-tool.ts";
import { isRoot, isUnder, parentOf } from "../classify/path.ts";
import type { Effect, EffectClass, Part, PathTarget } from "../effect.ts";
import { nameText } from "../letters/name-text.ts";
import type { Say } from "../say/say.ts";
import { type Offer, offerIn, PIN_TOOL, pinAgent } from "../standing/pin.ts";
import { wordsText } from "../values/words-text.ts";
import { byGravity, commandsOf, type Doing } from "./doings.ts";

/** Programs that run another program as another user. */
const RIGHTS = /^(?:.*\/)?(sudo|doas|su|pkexec|runuser|gosu|su-exec|run0)$/;

/** Longer commands are cut in the sentence, with a visible mark; they are shown in full below. */
const COMMAND_MAX = 60;

/** The context of the sentence: which call, relative to which folder, in which language. */
export type Speaking = { call: ToolCall; project?: string | undefined; say: Say };

/**
 * "deletes 3 files under src/, cannot be undone": the most dangerous part first. Parts that only read are mentioned
 * only if nothing else happens.
 */
export function sentenceOf(effect: Effect, speaking: Speaking): string {
  const offer = offered(speaking.call);
  if (offer !== undefined) return speaking.say.accepts(offer);
  const spoken = [not(isIdle), not(isQuiet), () => true]
    .map((wanted) => effect.parts.filter((part) => wanted(part)))
    .find((parts) => parts.length > 0);
  const alike = new Map<string, Part[]>();
  for (const part of [...(spoken ?? [])].sort((a, b) => byGravity(a.class, b.class))) {
    const key = alikeKey(part);
    alike.set(key, [...(alike.get(key) ?? []), part]);
  }
  // Of what was not understood, nobody knows that it changes nothing.
  const isSure = effect.understood === "fully";
  return speaking.say.joined([...new Set([...alike.values()].map((parts) => clause(parts, isSure, speaking)))]);
}

/** What an MCP server asks a person to accept, if the call is such a question. */
function offered({ tool, agent, args }: ToolCall): Offer | undefined {
  const offer = tool === PIN_TOOL ? offerIn(args) : undefined;
  return offer !== undefined && agent === pinAgent(offer.upstream) ? offer : undefined;
}

/** What one of several programs does, without its words. */
export function doingText({ parts }: Doing, speaking: Speaking): string {
  const spoken = parts.filter(not(isIdle));
  const said = (spoken.length > 0 ? spoken : parts).map((part) => bareClause(part, speaking));
  return speaking.say.joined([...new Set(said)]);
}

/** Whether it does nothing noticeable, as far as is known. */
export function isIdleDoing({ parts }: Doing): boolean {
  return parts.every(isQuiet);
}

function not(is: (part: Part) => boolean): (part: Part) => boolean {
  return (part) => !is(part);
}

/** Reads only its input, or changes nothing at all. */
function isIdle(part: Part): boolean {
  return part.class === "none" || (part.class === "fs.read" && part.reach === "local" && !namesThings(part));
}

function isQuiet(part: Part): boolean {
  return part.class === "none";
}

function namesThings(part: Part): boolean {
  return part.targets.some((target) => target.kind === "path" || target.kind === "domain");
}

/** Parts that fit into one clause. Copies and moves are described separately. */
function alikeKey(part: Part): string {
  const apart = part.class === "fs.copy" || part.class === "fs.move" ? JSON.stringify(part.targets) : "";
  return [
    part.class,
    part.reversible,
    part.method,
    part.reach === "outside",
    namesThings(part),
    rights(part),
    isLink(part),
    apart,
  ].join();
}

function rights(part: Part): boolean {
  return part.class === "permissions.change" && commandsOf(part).some(({ words }) => RIGHTS.test(words[0] ?? ""));
}

/** What `ln` names is both a link and what it leads to, which says nothing to a reader; its words do. */
function isLink(part: Part): boolean {
  return part.class === "fs.write" && commandsOf(part).some(({ words }) => /^(?:.*\/)?ln$/.test(words[0] ?? ""));
}

/** A group of similar parts, with at least one part. */
function clause(parts: readonly Part[], isSure: boolean, speaking: Speaking): string {
  const { say } = speaking;
  const [part] = parts as [Part];
  if (namesThings(part) && !isLink(part))
    return bareClause({ ...part, targets: parts.flatMap(({ targets }) => targets) }, speaking);
  const commands = [...new Set(parts.flatMap(commandsOf).map(({ words }) => clipped(wordsText(words))))];
  if (commands.length === 0) return bareClause(part, speaking);
  const run = { run: several(commands, "commands", say), many: commands.length > 1 };
  if (rights(part)) return say.runs(run, "as another");
  if (part.class === "process.exec") return far(say.runs(run, "plainly"), part, say);
  if (part.class === "none") return say.runs(run, isSure ? "idly" : "plainly");
  if (part.class === "fs.read") return say.runs(run, isSure ? "reading" : "plainly");
  return ended(say.by(isLink(part) ? say.links : say.does[part.class].alone, run.run), part, speaking);
}

function bareClause(part: Part, speaking: Speaking): string {
  const { say, project } = speaking;
  if (rights(part)) return say.startsAsAnother;
  if (isLink(part)) return ended(say.links, part, speaking);
  const [paths, domains] = [pathsText(part, project, say), domainsText(part, say)];
  const [first, second] = [paths, domains].filter((text) => text !== "");
  const both = first === undefined || second === undefined ? first : say.and(first, second);
  // How far it reaches and whether it can be undone is assumed, so only what is known is said.
  const { tool } = speaking.call;
  if (part.class === "unknown" && rowFor(tool) === undefined) return say.calls(wordsText([tool]), both);
  const does = say.does[part.class];
  if (both === undefined) return ended(does.alone, part, speaking);
  if (paths !== "") return ended(does.to(both), part, speaking);
  if (part.class === "process.exec") return say.runsOn(domains);
  return ended(part.class === "git.write" ? say.withMethod(does.alone, domains) : does.to(both), part, speaking);
}

/** The amount, recipient, method, reach, and whether it can be undone. */
function ended(does: string, part: Part, { call, say }: Speaking): string {
  const what = DETAILS[part.class]?.(does, call, say) ?? does;
  const how = far(part.method === undefined ? what : say.withMethod(what, part.method), part, say);
  return part.reversible || UNSAID.has(part.class) ? how : say.lasting(how);
}

/** Nobody knows it of code that Leeway does not read, and reading undoes nothing. */
const UNSAID: ReadonlySet<EffectClass> = new Set<EffectClass>(["process.exec", "secrets.read"]);

function far(does: string, part: Part, say: Say): string {
  if (part.reach !== "outside" || FAR_ANYWAY.test(part.class)) return does;
  // A push changes the repository in a folder here and the one on the server.
  const isHereToo = part.class === "git.write" && part.targets.some(({ kind }) => kind === "path");
  return isHereToo ? say.outsideToo(does) : say.outside(does);
}

/** Effects that are always outside this machine, so it is not said again. */
const FAR_ANYWAY = /^(network|message|payments|schedule)\./;

/** Details from the arguments that people decide by. */
const DETAILS: Partial<Record<EffectClass, (does: string, call: ToolCall, say: Say) => string>> = {
  "payments.move": (does, { args }, say) => {
    const numbers = Object.keys(args).filter((key) => /amount|total|sum|value|price/i.test(key));
    const [currency] = collect(readArguments(args), "currency");
    const amounts = numbers.map((key) => String(args[key]).slice(0, 40));
    return amounts.length === 0 ? say.noAmount(does) : say.amount(does, amounts, currency?.slice(0, 8));
  },
  "message.send": (does, { args }, say) => {
    const to = [...new Set(collect(readArguments(args), "to recipient recipients channel"))].map((name) =>
      clipped(wordsText([name])),
    );
    return to.length === 0 ? does : say.sendsTo(does, several(to, "recipients", say));
  },
};

function pathsText(part: Part, project: string | undefined, say: Say): string {
  const paths = new Map<string, PathTarget>();
  for (const target of part.targets) {
    if (target.kind !== "path") continue;
    const path = target.path.replaceAll(/\/\.(?=\/|$)/g, "").replace(/\/+$/, "") || "/";
    paths.set(path, { ...target, path, recursive: target.recursive || paths.get(path)?.recursive === true });
  }
  const all = [...paths.values()];
  const noun = part.class === "fs.mkdir" ? "folders" : "files";
  const [from, to] = [all.filter((path) => isSource(part, path)), all.filter((path) => !isSource(part, path))];
  const places = (of: readonly PathTarget[]) => placesText(of, noun, project, say);
  return from.length === 0 || to.length === 0 ? places(all) : say.fromTo(places(from), places(to));
}

/** A copied file is only read; a moved folder moves with everything below it. */
function isSource(part: Part, path: PathTarget): boolean {
  if (part.class === "fs.copy") return path.level === "read";
  return part.class === "fs.move" && path.recursive;
}

function placesText(
  paths: readonly PathTarget[],
  noun: "files" | "folders",
  project: string | undefined,
  say: Say,
): string {
  const [first, second] = paths;
  if (first === undefined) return "";
  const named = (path: string) => (path === project ? say.projectFolder : nameText(shortPath(path, project)));
  const deep = (text: string) =>
    paths.some((target) => target.recursive) ? say.withBelow(text, paths.length > 1) : text;
  if (second === undefined) return deep(named(first.path));
  if (paths.length === 2) return deep(say.and(named(first.path), named(second.path)));
  const folder = paths.slice(1).reduce((held, { path }) => commonFolder(held, path), parentOf(first.path));
  const under =
    folder === project ? say.projectFolder : isRoot(folder) ? undefined : nameText(`${shortPath(folder, project)}/`);
  return deep(say.filesUnder(paths.length, noun, under));
}

function domainsText(part: Part, say: Say): string {
  const domains = part.targets.flatMap((target) => (target.kind === "domain" ? [target.domain] : []));
  return several([...new Set(domains)], "domains", say);
}

function commonFolder(folder: string, path: string): string {
  let held = folder;
  while (!isRoot(held) && !isUnder(path, held)) held = parentOf(held);
  // Two drives have no common parent folder.
  return isUnder(path, held) ? held : "/";
}

/** Relative to the project if the path is inside it. */
export function shortPath(path: string, project: string | undefined): string {
  if (project === undefined || project === "/" || !isUnder(path, project)) return path;
  return path === project ? "." : path.slice(project.length + 1);
}

function several(names: readonly string[], of: "commands" | "domains" | "recipients", say: Say): string {
  const [first = "", second] = names;
  if (second === undefined) return first;
  return names.length === 2 ? say.and(first, second) : say.andMore(first, names.length - 1, of);
}

function clipped(text: string): string {
  const letters = [...text];
  return letters.length <= COMMAND_MAX ? text : `${letters.slice(0, COMMAND_MAX).join("")}…`;
}
