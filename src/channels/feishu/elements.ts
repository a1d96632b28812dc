import { type PlainId, say } from "../../core/messages/message.ts";
import { type Language, textOf } from "../../core/messages/text.ts";
import type { JsonObject } from "../../core/values/json.ts";

// The parts of a card (card JSON 2.0). Every text is a `plain_text`, which knows no markup: nothing that an agent wrote can
// look like a part of the card.

export type CardLabel = PlainId<"channel">;

export function plain(content: string): JsonObject {
  return { tag: "div", text: { tag: "plain_text", content } };
}

export function small(content: string): JsonObject {
  return { tag: "div", text: { tag: "plain_text", content, text_size: "notation", text_color: "grey" } };
}

export function boxed(content: string): JsonObject {
  const column = { tag: "column", width: "weighted", weight: 1, padding: "8px", elements: [plain(content)] };
  return { tag: "column_set", background_style: "grey", columns: [column] };
}

export function sideBySide(elements: readonly JsonObject[]): JsonObject {
  const columns = elements.map((element) => ({ tag: "column", width: "auto", elements: [element] }));
  return { tag: "column_set", flex_mode: "flow", horizontal_spacing: "8px", columns };
}

type Leading = { callback: JsonObject } | { url: string };

export function button(
  label: CardLabel,
  language: Language,
  type: "primary_filled" | "danger" | "default",
  leads: Leading,
): JsonObject {
  return {
    tag: "button",
    type,
    text: { tag: "plain_text", content: textOf(say(label), language) },
    behaviors: [
      "url" in leads ? { type: "open_url", default_url: leads.url } : { type: "callback", value: leads.callback },
    ],
  };
}

/** A button that sends all fields of the form that it is in. The name is used once in the card. */
export function submit(name: string, one: JsonObject): JsonObject {
  return { ...one, name, form_action_type: "submit" };
}

/** A field for words in a form. The name is used once in the card. */
export function wordsField(name: string, label: CardLabel, language: Language, lengthMax: number): JsonObject {
  return {
    tag: "input",
    name,
    input_type: "multiline_text",
    max_length: lengthMax,
    width: "fill",
    placeholder: { tag: "plain_text", content: textOf(say(label), language) },
  };
}
