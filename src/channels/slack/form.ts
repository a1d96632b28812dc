import { type PlainId, say } from "../../core/messages/message.ts";
import { type Language, textOf } from "../../core/messages/text.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { textAt } from "../read-json.ts";
import { shortened } from "../sections.ts";
import { LISTED_MAX, SNOOZES, WORDS_MAX } from "../triage.ts";
import { paragraph, plain, richText } from "./blocks.ts";
import { type FormValue, formValue } from "./button-value.ts";

// The windows that ask for what a button alone cannot say: the reason of a denial, words to the agent, until when, to whom.

/** Buttons that open a window, and the names of the windows. */
export const FORMS = {
  deny: "leeway_deny_form",
  reply: "leeway_reply_form",
  snooze: "leeway_snooze_form",
  handover: "leeway_handover_form",
} as const;
export type FormAct = keyof typeof FORMS;

/** What somebody filled in and sent. */
export type Filled =
  | { act: "deny"; note: string }
  | { act: "reply"; text: string }
  | { act: "snooze"; until: string }
  | { act: "handover"; to: string; note: string };

type Label = PlainId<"channel">;

const LABELS: { readonly [Act in FormAct]: { title: Label; submit: Label } } = {
  deny: { title: "channel.deny", submit: "channel.deny" },
  reply: { title: "channel.reply", submit: "channel.reply_send" },
  snooze: { title: "channel.snooze", submit: "channel.snooze_send" },
  handover: { title: "channel.handover", submit: "channel.handover_send" },
};

const [REASON, WORDS, UNTIL, TO, NOTE] = [
  "leeway_reason",
  "leeway_words",
  "leeway_until",
  "leeway_to",
  "leeway_note",
] as const;

const TOLD_MAX = 3000;
/** Slack refuses longer titles and labels of a window, and longer texts of an option. */
const [TITLE_MAX, OPTION_MAX] = [24, 75];

/** `names`: who can be asked to answer, for a handover. */
export function formOf(act: FormAct, on: FormValue, names: readonly string[] = []): JsonObject {
  const { language } = on;
  return {
    ...frame(act, language),
    callback_id: FORMS[act],
    private_metadata: formValue(on),
    submit: label(LABELS[act].submit, language),
    close: label("channel.slack_cancel", language),
    blocks: fieldsOf(act, language, names),
  };
}

function fieldsOf(act: FormAct, language: Language, names: readonly string[]): readonly JsonObject[] {
  const said = (id: Label) => textOf(say(id), language);
  switch (act) {
    case "deny":
      return [field(REASON, said("channel.deny_reason"), words({ first: true }), { optional: true })];
    case "reply":
      return [field(WORDS, said("channel.reply_text"), words({ first: true }))];
    case "snooze":
      return [
        field(UNTIL, said("channel.snooze_when"), {
          type: "radio_buttons",
          options: [
            option(said("channel.snooze_hour"), SNOOZES.hour),
            option(said("channel.snooze_tomorrow"), SNOOZES.tomorrow),
          ],
        }),
      ];
    case "handover":
      return [
        field(TO, said("channel.handover_to"), people(names)),
        field(NOTE, said("channel.handover_note"), words(), { optional: true }),
      ];
  }
}

function people(names: readonly string[]): JsonObject {
  if (names.length > LISTED_MAX || names.some((name) => name.length > OPTION_MAX))
    return { type: "plain_text_input", max_length: 200 };
  return { type: "static_select", options: names.map((name) => option(name, name)) };
}

function option(text: string, value: string): JsonObject {
  return { text: plain(text), value };
}

function words({ first = false }: { first?: boolean } = {}): JsonObject {
  return {
    type: "plain_text_input",
    multiline: true,
    max_length: WORDS_MAX,
    ...(first ? { focus_on_load: true } : {}),
  };
}

function field(
  id: string,
  text: string,
  element: JsonObject,
  { optional = false }: { optional?: boolean } = {},
): JsonObject {
  return { type: "input", block_id: id, optional, label: plain(text), element: { ...element, action_id: id } };
}

/** What the form says that Slack sent; nothing if it is none of ours. */
export function filledIn(view: unknown): Filled | undefined {
  const given = (id: string) => {
    const at = ["state", "values", id, id];
    return textAt(view, ...at, "value") ?? textAt(view, ...at, "selected_option", "value") ?? "";
  };
  switch (textAt(view, "callback_id")) {
    case FORMS.deny:
      return { act: "deny", note: given(REASON) };
    case FORMS.reply:
      return { act: "reply", text: given(WORDS) };
    case FORMS.snooze:
      return { act: "snooze", until: given(UNTIL) };
    case FORMS.handover:
      return { act: "handover", to: given(TO), note: given(NOTE) };
    default:
      return undefined;
  }
}

/** The same window, saying what became of it. */
export function outcomeView(act: FormAct, text: string, language: Language): JsonObject {
  return {
    ...frame(act, language),
    close: label("channel.slack_close", language),
    blocks: [richText(paragraph(shortened(text, TOLD_MAX)))],
  };
}

function frame(act: FormAct, language: Language): JsonObject {
  return { type: "modal", title: label(LABELS[act].title, language) };
}

function label(id: Label, language: Language): JsonObject {
  return plain(shortened(textOf(say(id), language), TITLE_MAX));
}
