import { say } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import type { Outgoing } from "../ports.ts";

// The same card as in the inbox, in the order of the inbox, as texts that each channel puts in its own form. All texts
// are masked and have no hidden characters; each channel only has to escape its own markup.

export type Sections = {
  title: string;
  /** What would happen, in one sentence. */
  sentence: string;
  /** Exactly what would run, as far as the channel can show it. */
  exact: readonly string[];
  /** Said if not all of it is shown. Then there is no button to approve. */
  cut?: string;
  /** Labels and texts: why it is asked, what was understood, the record, the deadline, the approvals so far. */
  facts: readonly { label: string; text: string }[];
  /** The agent's own words, with the label that says so. */
  says?: { label: string; text: string };
  /** How the question stands, once somebody has answered. */
  outcome?: string;
  /** Why there is no button to approve, if there is a reason that a person should know. */
  noApproval?: string;
  /** Which buttons the message has now. */
  buttons: { approve: boolean; deny: boolean };
};

/** `charactersMax`: how much of the exact command or arguments the channel can show. */
export function sectionsOf(outgoing: Outgoing, { charactersMax }: { charactersMax: number }): Sections | undefined {
  const { question, language, secret, title } = outgoing;
  if (question === undefined) return undefined;
  const label = (id: "channel.why" | "channel.understood" | "channel.record" | "channel.until" | "channel.approvals") =>
    textOf(say(id), language);
  const { card, state, outcome, needsHuman } = question;
  const { shown, left } = fitting(card.exact, charactersMax);
  const isOpen = state === "pending" && secret !== undefined;
  const facts = [
    { label: label("channel.why"), text: card.why.join("\n") },
    { label: label("channel.understood"), text: card.understanding.join("\n") },
    ...(card.record === undefined ? [] : [{ label: label("channel.record"), text: card.record }]),
    { label: label("channel.until"), text: card.deadline },
    { label: label("channel.approvals"), text: card.quorum },
  ];
  return {
    title: card.title === "" ? title : card.title,
    sentence: card.sentence,
    exact: shown,
    ...(left === 0 ? {} : { cut: textOf(say("channel.cut", { count: left }), language) }),
    facts: facts.filter(({ text }) => text !== ""),
    ...(card.says === undefined
      ? {}
      : { says: { label: textOf(say("channel.agent_says"), language), text: card.says } }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(needsHuman && state === "pending" ? { noApproval: textOf(say("channel.needs_sign_in"), language) } : {}),
    buttons: { approve: isOpen && left === 0 && !needsHuman, deny: isOpen },
  };
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
