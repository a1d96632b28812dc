import { say } from "../core/messages/message.ts";
import { type Language, textOf } from "../core/messages/text.ts";
import type { Card } from "../core/show/card.ts";
import type { Outgoing } from "../ports.ts";

// The same card as in the inbox, in the order of the inbox, as texts that each channel puts in its own form. All texts
// are masked and have no hidden characters; each channel only has to escape its own markup.

export type Sections = {
  title: string;
  /** What would happen, in one sentence. */
  sentence: string;
  /** Exactly what would run, as far as the channel can show it. */
  exact: readonly string[];
  /** Set if not all of it, or not all of the facts, is shown. Then there is no button to approve. */
  cut?: string;
  /** Labels and texts: where it runs and which files an approval is valid for, why it is asked, what was understood, the record, the deadline, the approvals so far. */
  facts: readonly { label: string; text: string }[];
  /** The agent's own words, with the label that says so. */
  says?: { label: string; text: string };
  /** The state of the question, once somebody has answered. */
  outcome?: string;
  /** Why there is no button to approve, if there is a reason that a person should know. */
  noApproval?: string;
  /** Which buttons the message has now. */
  buttons: { approve: boolean; deny: boolean; remember: boolean; triage: boolean };
};

/** How much a channel can show. */
export type Limits = {
  /** The maximum length of the exact command or arguments. */
  charactersMax: number;
  titleMax?: number;
  /** The maximum length of the sentence, of the outcome and of each fact. */
  textMax?: number;
  /** The maximum length of the agent's own words. */
  saysMax?: number;
  /** Neither facts nor the agent's words are shown. */
  brief?: boolean;
};

/** If anything is cut but the agent's words and the outcome, the message says so and there is no button to approve. */
export function sectionsOf(outgoing: Outgoing, limits: Limits): Sections | undefined {
  const { question, language, secret } = outgoing;
  if (question === undefined) return undefined;
  const { charactersMax, titleMax = Infinity, textMax = Infinity, saysMax = Infinity, brief = false } = limits;
  const { card, state, outcome, needsHuman } = question;
  const title = card.title === "" ? outgoing.title : card.title;
  const { shown, left } = fitting(card.exact, charactersMax);
  const facts = factsOf(card, language);
  const isCut =
    brief || title.length > titleMax || [card.sentence, ...facts.map(({ text }) => text)].some(longerThan(textMax));
  const cut = left > 0 ? say("channel.cut", { count: left }) : isCut ? say("channel.facts_cut") : undefined;
  const isOpen = state === "pending" && secret !== undefined;
  const mayApprove = isOpen && cut === undefined && !needsHuman && card.blocked === undefined;
  const capped = (text: string, max = textMax) => cappedText(text, max, language);
  return {
    title: shortened(title, titleMax),
    sentence: capped(card.sentence),
    exact: shown,
    ...(cut === undefined ? {} : { cut: textOf(cut, language) }),
    facts: brief ? [] : facts.map(({ label, text }) => ({ label, text: capped(text) })),
    ...(card.says === undefined || brief
      ? {}
      : { says: { label: textOf(say("channel.agent_says"), language), text: capped(card.says, saysMax) } }),
    ...(outcome === undefined ? {} : { outcome: capped(outcome) }),
    ...(needsHuman && state === "pending" ? { noApproval: textOf(say("channel.needs_sign_in"), language) } : {}),
    // Nothing of a plan is remembered.
    buttons: { approve: mayApprove, deny: isOpen, remember: mayApprove && card.steps === undefined, triage: isOpen },
  };
}

/** The folder and the files come first: the same command does something else in another folder. */
function factsOf(card: Card, language: Language): Sections["facts"] {
  const facts = [
    { label: say("channel.holds_for"), text: card.holdsFor.join("\n") },
    { label: say("channel.why"), text: card.why.join("\n") },
    { label: say("channel.understood"), text: card.understanding.join("\n") },
    { label: say("channel.record"), text: card.record ?? "" },
    { label: say("channel.until"), text: card.deadline },
    { label: say("channel.approvals"), text: card.quorum },
  ];
  return facts.filter(({ text }) => text !== "").map(({ label, text }) => ({ label: textOf(label, language), text }));
}

function longerThan(charactersMax: number): (text: string) => boolean {
  return (text) => text.length > charactersMax;
}

function cappedText(text: string, charactersMax: number, language: Language): string {
  if (text.length <= charactersMax) return text;
  return `${shortened(text, charactersMax)} ${textOf(say("channel.shortened"), language)}`;
}

/** No character is cut in half, and it is shown that something is missing. */
export function shortened(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1).toWellFormed()}…`;
}

/** Whole lines from the top, as many as fit. A line that does not fit is never cut in the middle. */
function fitting(lines: readonly string[], charactersMax: number): { shown: readonly string[]; left: number } {
  let used = 0;
  for (const [at, line] of lines.entries()) {
    used += line.length + 1;
    if (used > charactersMax) return { shown: lines.slice(0, at), left: lines.length - at };
  }
  return { shown: lines, left: 0 };
}
