import type { ToolCall } from "../call.ts";
import type { CommandTarget, Effect, EffectClass, Target } from "../effect.ts";
import { nameText } from "../letters/name-text.ts";
import { maskText } from "../masking/redact.ts";
import type { Language } from "../messages/text.ts";
import { sayIn } from "../say/languages.ts";
import type { Say } from "../say/say.ts";
import { understand } from "../shell/understand.ts";
import type { StepState } from "../standing/plan.ts";
import { canonical } from "../values/canonical.ts";
import { hasHidden, mixedScripts, visible, visibleLines } from "../values/text.ts";
import { wordsText } from "../values/words-text.ts";
import type { CardFile } from "./changes/changed-files.ts";
import { byGravity, type Doing, doingsOf, gravest, isGrave } from "./doings.ts";
import { type Changed, changesIn, exactLines } from "./exact.ts";
import { factLines } from "./facts.ts";
import { fold } from "./fold.ts";
import { leadOf } from "./lead.ts";
import { type Mark, shownExactly } from "./marks.ts";
import { doingText, isIdleDoing, type Speaking, sentenceOf, shortPath } from "./sentence.ts";

/** One program of a command that starts several. */
export type CardPart = { command: string; where: string; does: string; class: EffectClass; grave: boolean };

/** One call of a plan, and what becomes of it if the plan is approved. */
export type CardStep = {
  /** Counted from 1. */
  number: number;
  /** The command, or the tool and its main argument, in one line. */
  command: string;
  does: string;
  is: StepState;
  /** The same in words; or what an approval allows, if that is more than exactly this call. */
  becomes: string;
  class: EffectClass;
  grave: boolean;
};

/** What a reviewer sees, on every channel, in this order. All texts are safe to show after escaping for the channel. */
export type Card = {
  title: string;
  /** The command, or the tool and its main argument, in one line. */
  lead: string;
  /** What would happen, in one sentence made from the effect. */
  sentence: string;
  targets: readonly string[];
  /** Every program that a command starts, in their order, where it starts several. */
  parts: readonly CardPart[];
  /** Every call of a plan, in its order; left out if the question is about one call. */
  steps?: readonly CardStep[];
  /** The files that a command changed, the gravest first; left out if the question is about something else. */
  files?: readonly CardFile[];
  /** Why the question cannot be approved any more. */
  blocked?: string;
  /** What to do with such a question instead. */
  blockedDo?: string;
  /** The exact command, difference or arguments, line by line. Only secrets are left out. */
  exact: readonly string[];
  /** The parts of the exact lines that make the call dangerous or doubtful. */
  marks: readonly Mark[];
  /** Which of the exact lines are a change, and what each of them changes. */
  changes: readonly Changed[];
  /** Size and digest of what would run, so that two cards that look alike can be told apart. */
  size: string;
  /**
   * The files that would be run or changed, as they were when the question was asked. If one of them changes, an
   * approval is no longer valid.
   */
  holdsFor: readonly string[];
  why: readonly string[];
  understanding: readonly string[];
  /** This agent's record on this class. */
  record?: string;
  deadline: string;
  quorum: string;
  /** The agent's own words: a claim, not evidence. */
  says?: string;
};

export type CardInput = {
  call: ToolCall;
  digest: string;
  effect: Effect;
  owner?: string;
  /** The reasons of the decision: rule, file and line. */
  why: readonly string[];
  record?: string;
  deadline: string;
  quorum: { needed: number; approved: number };
  /** Folder that paths are shown relative to. */
  project?: string;
  language?: Language;
};

/** The maximum length of the agent's words; a cut is shown. */
export const SAYS_MAX = 2_000;

/** Describes a call: in one line, in one sentence, and program by program if a command starts several. */
export function saidOf(
  call: ToolCall,
  effect: Effect,
  project?: string,
  language: Language = "en",
): Pick<Card, "lead" | "sentence" | "parts"> {
  const speaking = { call, project, say: sayIn(language) };
  const sentence = safe(sentenceOf(effect, speaking));
  return { lead: leadOf(call), sentence, parts: partsOf(doingsOf(effect), speaking) };
}

export function cardOf(input: CardInput): Card {
  const { call, effect, project, language = "en" } = input;
  const say = sayIn(language);
  const doings = doingsOf(effect);
  const { lead, sentence, parts } = saidOf(call, effect, project, language);
  // A sub-agent is shown with the agents above it, root first, because they are responsible for it.
  const above = call.chain.map(shownName).join(" › ");
  const names = { agent: shownName(call.agent), above, tool: shownName(call.tool) };
  const long = (["agent", "above", "tool"] as const).filter((of) => fold(names[of], say) !== names[of]);
  const exact = exactLines(call, say);
  const { lines, marks } = shownExactly(call, exact, doings);
  return {
    title: say.title({
      agent: fold(names.agent, say),
      ...(above === "" ? {} : { above: fold(above, say) }),
      tool: fold(names.tool, say),
      ...(input.owner === undefined ? {} : { owner: fold(shownName(input.owner), say) }),
    }),
    lead,
    sentence,
    targets: targetsOf(effect, { besidesCommands: parts.length > 0 }, { project, say }),
    parts,
    exact: [...long.map((of) => say.inFull(of, names[of])), ...lines],
    marks: marks.map((mark) => ({ ...mark, line: mark.line + long.length })),
    changes: changesIn(exact, long.length),
    size: say.size(new TextEncoder().encode(canonical(call.args)).length, input.digest),
    holdsFor: factLines(effect.facts ?? [], project, say).map(safe),
    why: input.why.map(safe),
    understanding: [
      say.understood[runsCode(effect) ? "command" : effect.understood],
      ...effect.notes.map((note) => safe(say.note(note))),
      ...flagsOf(call, effect, say),
    ],
    ...(input.record === undefined ? {} : { record: safe(input.record) }),
    deadline: input.deadline,
    quorum: say.quorum(input.quorum.approved, input.quorum.needed),
    ...(call.says === undefined || call.says.trim() === "" ? {} : { says: saysOf(call.says, say) }),
  };
}

function safe(text: string): string {
  return visible(maskText(text));
}

function shownName(name: string): string {
  return safe(nameText(name));
}

/** Several programs are listed; for a single one the sentence is enough. */
function partsOf(doings: readonly Doing[], speaking: Speaking): readonly CardPart[] {
  const named = doings.filter(({ commands }) => commands.length > 0);
  return named.length < 2 ? [] : named.map((doing) => partOf(doing, speaking));
}

function partOf(doing: Doing, speaking: Speaking): CardPart {
  const { call, project, say } = speaking;
  const [first] = doing.commands as [CommandTarget];
  const folders = doing.commands.map(({ cwd }) =>
    cwd === undefined ? say.folderUnknown : nameText(shortPath(cwd, project)),
  );
  const elsewhere = folders.length > 1 || first.cwd !== (call.cwd ?? project);
  const startsOthers = isIdleDoing(doing) && understand({ words: first.words }).lines.length > 1;
  return {
    command: safe(wordsText(first.words)),
    where: safe(say.where(elsewhere ? folders : [], first.env)),
    does: safe(startsOthers ? say.starts : doingText(doing, speaking)),
    class: gravest(doing),
    grave: isGrave(doing),
  };
}

/** The targets, the most dangerous first, so that only less dangerous ones are folded. */
function targetsOf(effect: Effect, { besidesCommands }: { besidesCommands: boolean }, by: Naming): readonly string[] {
  const parts = [...effect.parts].sort((a, b) => byGravity(a.class, b.class));
  const targets = parts
    .flatMap((part) => part.targets)
    .filter(
      (target) => !(besidesCommands && target.kind === "command") && !(target.kind === "tool" && target.tool === ""),
    );
  return [...new Set(targets.map((target) => safe(targetText(target, by))))];
}

type Naming = Pick<Speaking, "project" | "say">;

function targetText(target: Target, { project, say }: Naming): string {
  const { level } = target;
  switch (target.kind) {
    case "path":
      return say.target(nameText(shortPath(target.path, project)), { below: target.recursive, level });
    case "domain":
      return say.target(`${target.domain}${target.port === undefined ? "" : `:${target.port}`}`, { level });
    case "command": {
      const folder = target.cwd === undefined ? {} : { folder: nameText(shortPath(target.cwd, project)) };
      return say.target(wordsText(target.words), { env: target.env, ...folder, level });
    }
    case "tool":
      return say.target(nameText(target.tool), { level });
  }
}

/** Warnings about text that looks different from what it is. */
function flagsOf(call: ToolCall, effect: Effect, say: Say): readonly string[] {
  const named = [
    ...call.chain,
    call.agent,
    call.tool,
    ...effect.parts.flatMap((part) => part.targets.flatMap(namesIn)),
  ];
  const flags = new Set<string>();
  for (const name of named) {
    if (hasHidden(name)) flags.add(say.holdsHidden(shownName(name)));
    const scripts = mixedScripts(name);
    if (scripts.length > 0) flags.add(say.mixes(shownName(name), scripts));
  }
  if (hasHidden(canonical(call.args))) flags.add(say.argumentsHide);
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

function saysOf(says: string, say: Say): string {
  // Cut after hidden characters are written out, because that makes the text longer.
  const letters = [...visibleLines(maskText(says)).join("\n")];
  const kept = letters.slice(0, SAYS_MAX).join("");
  const cut = letters.length - SAYS_MAX;
  return cut > 0 ? `${kept}\n${say.wordsCut(cut)}` : kept;
}

/** However clear the command is, what it runs is not read. */
function runsCode({ understood, parts }: Effect): boolean {
  return understood === "fully" && parts.some((part) => part.class === "process.exec");
}
