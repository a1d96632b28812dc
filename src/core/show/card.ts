import type { ToolCall } from "../call.ts";
import type { CommandTarget, Effect, EffectClass, Target } from "../effect.ts";
import { understand } from "../shell/understand.ts";
import { canonical } from "../values/canonical.ts";
import { exactLines } from "../values/exact.ts";
import { hasHidden, mixedScripts, visible } from "../values/text.ts";
import { wordsText } from "../values/words-text.ts";
import { byGravity, type Doing, doingsOf, gravest, isGrave } from "./doings.ts";
import { factLines } from "./facts.ts";
import { fold } from "./fold.ts";
import { type Mark, shownExactly } from "./marks.ts";
import { maskText } from "./redact.ts";
import { doingText, sentenceOf, shortPath } from "./sentence.ts";

/** One program of a command that starts several. */
export type CardPart = { command: string; where: string; does: string; class: EffectClass; grave: boolean };

/** What a reviewer sees, on every channel, in this order. Everything in it is safe to show as it is, once it is escaped for where it is shown. */
export type Card = {
  title: string;
  /** What would happen, in one sentence made from the effect. */
  sentence: string;
  targets: readonly string[];
  /** Every program that a command starts, in their order, where it starts several. */
  parts: readonly CardPart[];
  /** The exact command, difference or arguments, line by line, nothing left out but secrets. */
  exact: readonly string[];
  /** What in the exact lines makes the call grave or doubtful. */
  marks: readonly Mark[];
  /** Size and digest of what would run: two cards that look alike can be told apart. */
  size: string;
  /** The files that would be run or changed, as they were when it was asked. If one of them changes, a yes is void. */
  holdsFor: readonly string[];
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

/** What a call would do: in one sentence, and program by program where a command starts several. */
export function saidOf(call: ToolCall, effect: Effect, project?: string): Pick<Card, "sentence" | "parts"> {
  return {
    sentence: safe(sentenceOf(call, effect, project)),
    parts: partsOf(doingsOf(effect), call, project),
  };
}

export function cardOf(input: CardInput): Card {
  const { call, effect, project } = input;
  const doings = doingsOf(effect);
  const { sentence, parts } = saidOf(call, effect, project);
  const names = { agent: nameText(call.agent), tool: nameText(call.tool) };
  const owner = input.owner === undefined ? "nobody's" : `${nameText(input.owner)}'s`;
  const long = Object.entries(names).flatMap(([of, name]) => (fold(name) === name ? [] : [`${of} in full: ${name}`]));
  const { lines, marks } = shownExactly(call, exactLines(call), doings);
  return {
    title: `${fold(names.agent)} (${fold(owner)} agent) asks to use ${fold(names.tool)}`,
    sentence,
    targets: targetsOf(effect, { besidesCommands: parts.length > 0 }, project),
    parts,
    exact: [...long, ...lines],
    marks: marks.map((mark) => ({ ...mark, line: mark.line + long.length })),
    size: `${new TextEncoder().encode(canonical(call.args)).length} bytes of arguments, ${input.digest}`,
    holdsFor: factLines(effect.facts ?? [], project).map(safe),
    why: input.why.map(safe),
    understanding: [UNDERSTOOD[effect.understood], ...effect.notes.map(safe), ...flagsOf(call, effect)],
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

/** Quoted where it is no plain word: a name cannot pass for the words around it. */
function nameText(name: string): string {
  return safe(wordsText([name]));
}

/** Several programs are told apart; one is what the sentence says. */
function partsOf(doings: readonly Doing[], call: ToolCall, project: string | undefined): readonly CardPart[] {
  const named = doings.filter(({ commands }) => commands.length > 0);
  return named.length < 2 ? [] : named.map((doing) => partOf(doing, call, project));
}

function partOf(doing: Doing, call: ToolCall, project: string | undefined): CardPart {
  const [first] = doing.commands as [CommandTarget];
  const folders = doing.commands.map(({ cwd }) =>
    cwd === undefined ? "a folder that is not known" : shortPath(cwd, project),
  );
  const elsewhere = folders.length > 1 || first.cwd !== (call.cwd ?? project);
  const does = doingText(doing, call, project);
  return {
    command: safe(wordsText(first.words)),
    where: safe(`${elsewhere ? ` in ${folders.join(" or ")}` : ""}${envText(first)}`),
    does: safe(does === "changes nothing" && startsOthers(first.words) ? "starts what follows" : does),
    class: gravest(doing),
    grave: isGrave(doing),
  };
}

function startsOthers(words: readonly string[]): boolean {
  return understand({ words }).lines.length > 1;
}

function envText({ env }: CommandTarget): string {
  return env.length === 0 ? "" : ` with ${env.join(", ")} set`;
}

/** What is touched, the gravest first: what folds away must be the rest. */
function targetsOf(
  effect: Effect,
  { besidesCommands }: { besidesCommands: boolean },
  project: string | undefined,
): readonly string[] {
  const parts = [...effect.parts].sort((a, b) => byGravity(a.class, b.class));
  const targets = parts
    .flatMap((part) => part.targets)
    .filter(
      (target) => !(besidesCommands && target.kind === "command") && !(target.kind === "tool" && target.tool === ""),
    );
  return [...new Set(targets.map((target) => targetText(target, project)))];
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
      const where = target.cwd === undefined ? "" : ` in ${shortPath(target.cwd, project)}`;
      return safe(`${wordsText(target.words)}${envText(target)}${where} (${target.level})`);
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
