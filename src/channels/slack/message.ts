import { say } from "../../core/messages/message.ts";
import { type Language, textOf } from "../../core/messages/text.ts";
import type { JsonObject } from "../../core/values/json.ts";
import type { Outgoing } from "../../ports.ts";
import { type Limits, type Sections, sectionsOf, shortened } from "../sections.ts";
import {
  actions,
  type Block,
  boldParagraph,
  button,
  escaped,
  HEADER_MAX,
  header,
  paragraph,
  preformatted,
  quote,
  richText,
} from "./blocks.ts";
import { buttonValue } from "./button-value.ts";

/** What chat.postMessage, chat.update and response URLs take. */
export type SlackMessage = { text: string; blocks: readonly Block[] };

const IDS = {
  approve: "leeway_approve",
  deny: "leeway_deny",
  reply: "leeway_reply",
  snooze: "leeway_snooze",
  handover: "leeway_handover",
} as const;
type Act = keyof typeof IDS;

/** What a button with this id does; other buttons only open a page. */
export const BUTTONS: ReadonlyMap<string, Act> = new Map(
  (["approve", "deny", "reply", "snooze", "handover"] as const).map((act) => [IDS[act], act]),
);
const [OPEN, REMEMBER] = ["leeway_open", "leeway_remember"];

/** Slack shows 3,000 characters in a text. It also limits all texts of a message together, without saying to how many. */
const EXACT_MAX = 3000;
const LIMITS: Limits = { charactersMax: EXACT_MAX, titleMax: HEADER_MAX, textMax: 600, saysMax: 1000 };

/** `brief`: for a message that Slack found too long. It shows nothing of what would run, so it cannot be approved there. */
export function messageOf(outgoing: Outgoing, { brief = false }: { brief?: boolean } = {}): SlackMessage {
  const sections = sectionsOf(outgoing, brief ? { ...LIMITS, charactersMax: 0, brief } : LIMITS);
  if (sections === undefined) return noticeMessage(outgoing);
  const { title, sentence, outcome } = sections;
  const text = [title, outcome ?? sentence].filter((line) => line !== "").join("\n");
  return {
    text: shortened(escaped(text), EXACT_MAX),
    blocks: [header(title), richText(...body(sections, outgoing.language)), ...buttons(outgoing, sections)],
  };
}

/** A message to one person that is not a question: the result of their answer, or how to link their account. */
export function plainMessage(text: string): SlackMessage {
  const short = shortened(text, EXACT_MAX);
  return { text: shortened(escaped(short), EXACT_MAX), blocks: [richText(paragraph(short))] };
}

function noticeMessage({ title, text, link, language }: Outgoing): SlackMessage {
  const lines = [title, text].filter((line) => line !== "").join("\n");
  const below = text === "" ? [] : [richText(paragraph(shortened(text, EXACT_MAX)))];
  const open = link === undefined ? [] : [actions([openButton(link, language)])];
  return { text: shortened(escaped(lines), EXACT_MAX), blocks: [header(title), ...below, ...open] };
}

function body(sections: Sections, language: Language): readonly JsonObject[] {
  const { sentence, outcome, exact, cut, noApproval, says } = sections;
  const facts = sections.facts.map(({ label, text }) => paragraph(text, { label }));
  const words = says === undefined ? [] : [boldParagraph(says.label), quote(says.text)];
  const code =
    exact.length === 0 ? [] : [boldParagraph(textOf(say("channel.would_run"), language)), preformatted(exact)];
  const told = [cut, noApproval].filter((text) => text !== undefined);
  return [
    ...(outcome === undefined ? [] : [boldParagraph(outcome)]),
    ...(sentence === "" ? [] : [paragraph(sentence)]),
    ...code,
    ...told.map(boldParagraph),
    ...facts,
    ...words,
  ];
}

/** A row that answers or opens the inbox, and below it what can be done instead of answering. */
function buttons(outgoing: Outgoing, { buttons: has }: Sections): readonly Block[] {
  const { link, language, handTo = [] } = outgoing;
  const remember = { id: REMEMBER, label: textOf(say("channel.remember"), language), url: `${link}#remember` };
  const answering = [
    ...(has.approve ? [actButton(outgoing, "approve", "primary")] : []),
    ...(has.deny ? [actButton(outgoing, "deny", "danger")] : []),
    ...(link === undefined ? [] : [openButton(link, language)]),
    ...(has.remember && link !== undefined ? [button(remember)] : []),
  ];
  const triage = has.triage
    ? [
        actButton(outgoing, "reply"),
        actButton(outgoing, "snooze"),
        ...(handTo.length === 0 ? [] : [actButton(outgoing, "handover")]),
      ]
    : [];
  return [answering, triage].filter((row) => row.length > 0).map(actions);
}

/** A button that carries the secret of its message. */
function actButton({ id, secret = "", language }: Outgoing, act: Act, style?: "primary" | "danger"): JsonObject {
  const value = buttonValue({ notice: id, secret, language });
  const label = textOf(say(`channel.${act}`), language);
  return button({ id: IDS[act], label, value, ...(style === undefined ? {} : { style }) });
}

function openButton(link: string, language: Language): JsonObject {
  return button({ id: OPEN, label: textOf(say("channel.open"), language), url: link });
}
