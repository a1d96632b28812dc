import { say } from "../../core/messages/message.ts";
import { type Language, textOf } from "../../core/messages/text.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { shortened } from "../sections.ts";
import { paragraph, plain, richText } from "./blocks.ts";
import { type FormValue, formValue } from "./button-value.ts";

// The window that asks for the reason of a denial.

export const FORM = "leeway_deny_form";
export const REASON = "leeway_reason";

/** A reason is a few sentences; it is stored and shown with the question. */
const REASON_MAX = 1000;
const TOLD_MAX = 3000;
/** Slack refuses longer titles and labels of a window. */
const TITLE_MAX = 24;

export function reasonForm(on: FormValue): JsonObject {
  const { language } = on;
  const input = {
    type: "plain_text_input",
    action_id: REASON,
    multiline: true,
    max_length: REASON_MAX,
    focus_on_load: true,
  };
  return {
    ...frame(language),
    callback_id: FORM,
    private_metadata: formValue(on),
    submit: label("channel.deny", language),
    close: label("channel.slack_cancel", language),
    blocks: [
      {
        type: "input",
        block_id: REASON,
        optional: true,
        label: plain(textOf(say("channel.deny_reason"), language)),
        element: input,
      },
    ],
  };
}

/** The same window, saying what became of the denial. */
export function outcomeView(text: string, language: Language): JsonObject {
  return {
    ...frame(language),
    close: label("channel.slack_close", language),
    blocks: [richText(paragraph(shortened(text, TOLD_MAX)))],
  };
}

function frame(language: Language): JsonObject {
  return { type: "modal", title: label("channel.deny", language) };
}

function label(id: "channel.deny" | "channel.slack_cancel" | "channel.slack_close", language: Language): JsonObject {
  return plain(shortened(textOf(say(id), language), TITLE_MAX));
}
