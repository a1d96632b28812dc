import { say } from "../../core/messages/message.ts";
import { type Language, textOf } from "../../core/messages/text.ts";
import type { JsonObject } from "../../core/values/json.ts";
import type { Listener, Outgoing, ToldBack, UsedMessage } from "../../ports.ts";
import { textAt } from "../read-json.ts";
import { LISTED_MAX, SNOOZES, WORDS_MAX } from "../triage.ts";
import { button, small, submit, wordsField } from "./elements.ts";

// What somebody can do with a question instead of answering it: one form, folded up, below the buttons that answer.

/** The names under which Feishu sends back what was typed and chosen. */
const [WORDS, TO, NOTE] = ["words", "hand_to", "hand_note"] as const;

/** Each button of the form sends all fields; which of them count depends on the button. */
export function triageForm({ id, secret = "", language, handTo = [] }: Outgoing): JsonObject {
  const value = (act: string, more: JsonObject = {}) => ({ callback: { notice: id, secret, act, ...more } });
  const aside = (name: "hour" | "tomorrow") =>
    submit(
      `aside_${name}`,
      button(`channel.aside_${name}`, language, "default", value("snooze", { until: SNOOZES[name] })),
    );
  const handover = [
    peopleField(handTo, language),
    wordsField(NOTE, "channel.handover_note", language, WORDS_MAX),
    submit("hand_button", button("channel.handover_send", language, "default", value("handover"))),
  ];
  const elements = [
    wordsField(WORDS, "channel.reply_text", language, WORDS_MAX),
    submit("words_button", button("channel.reply_send", language, "default", value("reply"))),
    { tag: "hr" },
    small(textOf(say("channel.snooze_when"), language)),
    aside("hour"),
    aside("tomorrow"),
    ...(handTo.length === 0 ? [] : [{ tag: "hr" }, ...handover]),
  ];
  const title = { tag: "plain_text", content: textOf(say("channel.triage"), language) };
  return {
    tag: "form",
    name: "triage",
    elements: [{ tag: "collapsible_panel", expanded: false, header: { title }, elements }],
  };
}

function peopleField(names: readonly string[], language: Language): JsonObject {
  if (names.length > LISTED_MAX) return wordsField(TO, "channel.handover_to", language, WORDS_MAX);
  return {
    tag: "select_static",
    name: TO,
    width: "fill",
    placeholder: { tag: "plain_text", content: textOf(say("channel.handover_to"), language) },
    options: names.map((name) => ({ text: { tag: "plain_text", content: name }, value: name })),
  };
}

/** Does what a button of the form says; nothing if it is no button of the form. */
export function triagedBy(action: unknown, used: UsedMessage, listener: Listener): Promise<ToldBack> | undefined {
  const typed = (name: string) => (textAt(action, "form_value", name) ?? "").trim();
  switch (textAt(action, "value", "act")) {
    case "reply":
      return listener.reply({ ...used, text: typed(WORDS) });
    case "snooze":
      return listener.snooze({ ...used, until: textAt(action, "value", "until") ?? "" });
    case "handover":
      return listener.handover({ ...used, to: typed(TO), note: typed(NOTE) });
    default:
      return undefined;
  }
}
