import type { ToolCall } from "../call.ts";
import type { Effect, Target } from "../effect.ts";
import { canonical } from "../values/canonical.ts";
import { exactLines } from "../values/exact.ts";
import { hasHidden, mixedScripts, visible, visibleLines, wrap } from "../values/text.ts";
import { maskText } from "./redact.ts";
import { sentenceOf, shortPath } from "./sentence.ts";

/** What a reviewer sees, on every channel, in this order. Everything in it is safe to show as it is. */
export type Card = {
  title: string;
  /** What would happen, in one sentence made from the effect. */
  sentence: string;
  targets: readonly string[];
  /** The exact command, difference or arguments, line by line, nothing left out but secrets. */
  exact: readonly string[];
  /** Size and digest of what would run: two cards that look alike can be told apart. */
  size: string;
  why: readonly string[];
  understanding: readonly string[];
  /** This agent's record on this class. */
  record?: string;
  deadline: string;
  quorum: string;
  /** The agent's own words: its claim, never evidence. */
  says?: string;
};

export type CardInput = {
  call: ToolCall;
  digest: string;
  effect: Effect;
  owner?: string;
  /** Sentences of the decision: rule, file and line. */
  why: readonly string[];
  record?: string;
  deadline: string;
  quorum: { needed: number; approved: number };
  /** Folder that paths are shown relative to. */
  project?: string;
};

/** The agent's words are cut here, and the cut says so. */
export const SAYS_MAX = 2_000;
/** Longer names are folded on the first screen and stand in full below. */
const NAME_MAX = 100;
const TARGETS_SHOWN = 6;

export function cardOf(input: CardInput): Card {
  const { call, effect, project } = input;
  const owner = input.owner === undefined ? "nobody's" : `${safe(input.owner)}'s`;
  const targets = effect.parts.flatMap((part) => part.targets.map((target) => targetText(target, project)));
  const names = { agent: safe(call.agent), tool: safe(call.tool) };
  const folded = Object.entries(names).flatMap(([of, name]) => (fold(name) === name ? [] : [`${of} in full: ${name}`]));
  const exact = [...folded, ...exactLines(call).map(visible)];
  const flags = flagsOf(call, effect);
  return {
    title: `${fold(names.agent)} (${fold(owner)} agent) asks to use ${fold(names.tool)}`,
    sentence: safe(sentenceOf(call, effect, project)),
    targets: [...new Set(targets)],
    exact,
    size: `${new TextEncoder().encode(canonical(call.args)).length} bytes of arguments, ${input.digest}`,
    why: input.why.map(safe),
    understanding: [`${UNDERSTOOD[effect.understood]}`, ...effect.notes.map(safe), ...flags],
    ...(input.record === undefined ? {} : { record: safe(input.record) }),
    deadline: input.deadline,
    quorum: `${input.quorum.approved} of ${input.quorum.needed} ${input.quorum.needed === 1 ? "approval" : "approvals"} so far`,
    ...(call.says === undefined || call.says.trim() === "" ? {} : { says: saysOf(call.says) }),
  };
}

const UNDERSTOOD = { fully: "fully understood", partly: "only partly understood", not: "not understood" } as const;

function safe(text: string): string {
  return visible(maskText(text));
}

function targetText(target: Target, project: string | undefined): string {
  switch (target.kind) {
    case "path":
      return safe(
        `${shortPath(target.path, project)}${target.recursive ? " and everything below" : ""} (${target.level})`,
      );
    case "domain":
      return safe(`${target.domain}${target.port === undefined ? "" : `:${target.port}`} (${target.level})`);
    case "command": {
      const env = target.env.length === 0 ? "" : ` with ${target.env.join(", ")} set`;
      const where = target.cwd === undefined ? "" : ` in ${shortPath(target.cwd, project)}`;
      return safe(`${target.words.join(" ")}${env}${where} (${target.level})`);
    }
    case "tool":
      return safe(`${target.tool} (${target.level})`);
  }
}

/** What the eye would be fooled by. */
function flagsOf(call: ToolCall, effect: Effect): readonly string[] {
  const named = [call.agent, call.tool, ...effect.parts.flatMap((part) => part.targets.flatMap(namesIn))];
  const flags = new Set<string>();
  for (const name of named) {
    if (hasHidden(name)) flags.add(`mind: ${safe(name)} holds invisible characters`);
    const scripts = mixedScripts(name);
    if (scripts.length > 0) flags.add(`mind: ${safe(name)} mixes ${scripts.join(" and ")}`);
  }
  if (hasHidden(canonical(call.args))) flags.add("mind: the arguments hold invisible characters");
  return [...flags];
}

function namesIn(target: Target): readonly string[] {
  switch (target.kind) {
    case "path":
      return [target.path];
    case "domain":
      return [target.domain];
    case "command":
      return target.words;
    case "tool":
      return [target.tool];
  }
}

function saysOf(says: string): string {
  const letters = [...maskText(says)];
  const kept = letters.slice(0, SAYS_MAX).join("");
  const cut = letters.length - SAYS_MAX;
  return cut > 0 ? `${kept}\n(${cut} more characters of the agent's words are not shown)` : kept;
}

/** The card as lines of text. Who, what and where stand first, whatever the agent wrote; nothing is left out in silence. */
export function renderText(card: Card, width: number): readonly string[] {
  const folded =
    card.targets.length > TARGETS_SHOWN || [card.sentence, ...card.targets].some((text) => fold(text) !== text);
  const shown = card.targets.slice(0, TARGETS_SHOWN);
  const more = card.targets.length - shown.length;
  return [
    ...wrap(card.title, width),
    ...wrap(fold(card.sentence), width),
    ...section("targets", [...shown.map(fold), ...(more > 0 ? [`and ${more} more, in full below`] : [])], width),
    ...section("exactly", [...card.exact, card.size], width),
    ...section("why it is asked", card.why, width),
    ...section("understood", card.understanding, width),
    ...(card.record === undefined ? [] : section("record", [card.record], width)),
    ...section("answer by", [card.deadline, card.quorum], width),
    ...(folded ? section("in full", [card.sentence, ...card.targets], width) : []),
    ...(card.says === undefined ? [] : quoted(card.says, width)),
  ];
}

function section(title: string, lines: readonly string[], width: number): readonly string[] {
  return [`${title}:`, ...lines.flatMap((line) => wrap(line, width, "  "))];
}

/** The agent's words come last, every line marked as a quotation, so that none can pass for the gate's. */
function quoted(says: string, width: number): readonly string[] {
  return [
    "the agent's own words, not checked by anybody:",
    ...visibleLines(says).flatMap((line) => wrap(line, width, "  > ")),
  ];
}

function fold(text: string): string {
  const letters = [...text];
  if (letters.length <= NAME_MAX) return text;
  return `${letters.slice(0, NAME_MAX).join("")}… (${letters.length - NAME_MAX} more characters, in full below)`;
}
