import { say } from "../../core/messages/message.ts";
import { type Language, textOf } from "../../core/messages/text.ts";
import type { JsonObject } from "../../core/values/json.ts";
import type { Outgoing } from "../../ports.ts";
import { type Limits, type Sections, sectionsOf } from "../sections.ts";
import { WORDS_MAX } from "../triage.ts";
import { boxed, button, plain, sideBySide, small, submit, wordsField } from "./elements.ts";
import { triageForm } from "./triage-form.ts";

// A notice as an interactive card.

/** Feishu refuses messages over 30 KB; what surrounds the card needs some of it. */
const CARD_BYTES_MAX = 28_000;
/** Limits to try until the card fits: first less of the exact command or arguments, and only then less of the other texts. */
const LIMITS_TRIED: readonly Limits[] = [
  ...[12_000, 6_000, 2_500, 800, 0].map((charactersMax) => ({ charactersMax })),
  ...[800, 0].map((charactersMax) => ({ charactersMax, titleMax: 300, textMax: 300, saysMax: 300 })),
];

/** The name under which Feishu sends back the reason that was typed. */
export const REASON_FIELD = "reason";

export function cardOf(outgoing: Outgoing): JsonObject {
  for (const limits of LIMITS_TRIED) {
    const sections = sectionsOf(outgoing, limits);
    if (sections === undefined) return noticeCard(outgoing);
    const card = questionCard(outgoing, sections);
    // What would run is more important than what can be done besides answering.
    const whole = withTriage(card, outgoing, sections);
    if (sizeOf(whole) <= CARD_BYTES_MAX) return whole;
    if (sizeOf(card) <= CARD_BYTES_MAX) return card;
  }
  return noticeCard(outgoing);
}

/** The card is a text inside the request's JSON, so its quotes and line ends count twice. */
function sizeOf(card: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(card)));
}

/** A message that asks nothing. */
function noticeCard({ title, text, link, language }: Outgoing): JsonObject {
  const elements = [...(text === "" ? [] : [plain(text)]), ...(link === undefined ? [] : [openButton(link, language)])];
  return whole(title, "blue", elements);
}

type Card = JsonObject & { body: { elements: readonly JsonObject[] } };

function withTriage(card: Card, outgoing: Outgoing, { buttons }: Sections): Card {
  return buttons.triage ? { ...card, body: { elements: [...card.body.elements, triageForm(outgoing)] } } : card;
}

function questionCard(outgoing: Outgoing, sections: Sections): Card {
  const { language, question } = outgoing;
  const { sentence, exact, cut, facts, says, outcome, noApproval } = sections;
  const elements = [
    ...(outcome === undefined ? [] : [plain(outcome), { tag: "hr" }]),
    plain(sentence),
    ...(exact.length === 0 ? [] : [small(textOf(say("channel.would_run"), language)), boxed(exact.join("\n"))]),
    ...(cut === undefined ? [] : [plain(cut)]),
    ...facts.flatMap(({ label, text }) => [small(label), plain(text)]),
    ...(says === undefined ? [] : [small(says.label), boxed(says.text)]),
    ...(noApproval === undefined ? [] : [plain(noApproval)]),
    ...answering(outgoing, sections),
  ];
  return whole(sections.title, COLOURS[question?.state ?? "pending"] ?? "grey", elements);
}

const COLOURS: Readonly<Record<string, string>> = { pending: "orange", approved: "green", denied: "red" };

function whole(title: string, template: string, elements: readonly JsonObject[]): Card {
  return {
    schema: "2.0",
    // Without `update_multi` a card cannot be changed later.
    config: { update_multi: true, summary: { content: title } },
    header: { title: { tag: "plain_text", content: title }, template },
    body: { elements },
  };
}

/** The buttons that answer, as far as the message has any, and the links to the inbox. */
function answering(outgoing: Outgoing, { buttons }: Sections): readonly JsonObject[] {
  const { link, language, question, id, secret } = outgoing;
  const value = (verdict: "approve" | "deny") => ({ notice: id, secret: secret ?? "", verdict });
  const isOpen = question?.state === "pending";
  const row = [
    ...(buttons.approve ? [button("channel.approve", language, "primary_filled", { callback: value("approve") })] : []),
    ...(link !== undefined && isOpen && buttons.remember
      ? [button("channel.remember", language, "default", { url: `${link}#remember` })]
      : []),
    ...(link === undefined ? [] : [openButton(link, language)]),
  ];
  return [
    ...(row.length === 0 ? [] : [{ tag: "hr" }, sideBySide(row)]),
    ...(buttons.deny ? [denyForm(value("deny"), language)] : []),
  ];
}

/** The reason is sent together with the button: a form sends all of its fields when it is submitted. */
function denyForm(value: JsonObject, language: Language): JsonObject {
  return {
    tag: "form",
    name: "deny",
    elements: [
      wordsField(REASON_FIELD, "channel.deny_reason", language, WORDS_MAX),
      submit("deny_button", button("channel.deny", language, "danger", { callback: value })),
    ],
  };
}

function openButton(link: string, language: Language): JsonObject {
  return button("channel.open", language, "default", { url: link });
}
