import type { JsonObject } from "../../core/values/json.ts";
import { shortened } from "../sections.ts";

// The parts of a message in Slack. Texts that agents or people wrote are only put into elements in which Slack reads no
// markup: nothing in them can become a mention, a link, an emoji, or the end of a block of code.

/** Slack refuses longer texts. */
export const HEADER_MAX = 150;
const LABEL_MAX = 75;

export type Block = JsonObject;

/** The line in large letters at the top. */
export function header(text: string): Block {
  return { type: "header", text: plain(shortened(text, HEADER_MAX)) };
}

/** Paragraphs, code and quotes, one below the other. */
export function richText(...elements: readonly JsonObject[]): Block {
  return { type: "rich_text", elements };
}

/** A paragraph, with its label in bold. */
export function paragraph(text: string, { label }: { label?: string } = {}): JsonObject {
  const bold = label === undefined ? [] : [{ type: "text", text: `${label}: `, style: { bold: true } }];
  return { type: "rich_text_section", elements: [...bold, { type: "text", text }] };
}

export function boldParagraph(text: string): JsonObject {
  return { type: "rich_text_section", elements: [{ type: "text", text, style: { bold: true } }] };
}

/** Code, exactly as it is. Slack refuses an empty text. */
export function preformatted(lines: readonly string[]): JsonObject {
  return { type: "rich_text_preformatted", elements: [{ type: "text", text: lines.join("\n") || " " }] };
}

export function quote(text: string): JsonObject {
  return { type: "rich_text_quote", elements: [{ type: "text", text }] };
}

export function actions(buttons: readonly JsonObject[]): Block {
  return { type: "actions", elements: buttons };
}

export type ButtonOptions = { id: string; label: string; value?: string; url?: string; style?: "primary" | "danger" };

export function button({ id, label, ...rest }: ButtonOptions): JsonObject {
  return { type: "button", action_id: id, text: plain(shortened(label, LABEL_MAX)), ...rest };
}

/** Text of which Slack reads no emoji. */
export function plain(text: string): JsonObject {
  return { type: "plain_text", text, emoji: false };
}

/** The text of notifications, in which Slack reads markup: these three characters are how it begins and ends. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
