import { fieldAt, jsonIn, listAt, textAt } from "../read-json.ts";
import { accountOf, userOf } from "./account.ts";
import { type FormValue, readButtonValue, readFormValue } from "./button-value.ts";
import { type Filled, type FormAct, filledIn } from "./form.ts";
import { BUTTONS } from "./message.ts";

// What Slack sends, read. That Slack sent it was proved before, by the signature of the request or by the connection;
// nothing else is taken for true.

export type Callback =
  /** Slack asks whether this address is ours. */
  | { is: "challenge"; challenge: string }
  /** Somebody pressed a button of a question. */
  | { is: "pressed"; act: "approve" | FormAct; account: string; trigger: string; on: FormValue }
  /** Somebody sent the form that a button opened. */
  | { is: "submitted"; account: string; filled: Filled; on: FormValue }
  /** `/leeway …`. */
  | { is: "command"; account: string; label: string; text: string; responseUrl: string }
  /** Somebody wrote to the app. */
  | { is: "message"; account: string; text: string; chat: string; event: string }
  /** Nothing that needs an action: a button that opens a page, or a message of this app. */
  | { is: "nothing" };

const NOTHING: Callback = { is: "nothing" };

/** The content of the request; undefined if Slack would not send such a request. */
export function callbackIn(body: Uint8Array, contentType: string): Callback | undefined {
  const text = Buffer.from(body).toString("utf8");
  if (/^application\/json\b/i.test(contentType)) return eventCallback(jsonIn(text));
  if (!/^application\/x-www-form-urlencoded\b/i.test(contentType)) return undefined;
  const form = new URLSearchParams(text);
  // Slack checks the certificate of the address from time to time.
  if (form.get("ssl_check") === "1") return NOTHING;
  const payload = form.get("payload");
  return payload === null ? commandCallback(Object.fromEntries(form)) : interactionCallback(jsonIn(payload));
}

/** What a message of the connection says (socket mode): the same contents, with their kind beside them. */
export function callbackInEnvelope(envelope: unknown): Callback | undefined {
  const payload = fieldAt(envelope, "payload");
  switch (textAt(envelope, "type")) {
    case "interactive":
      return interactionCallback(payload);
    case "slash_commands":
      return commandCallback(payload);
    case "events_api":
      return eventCallback(payload);
    default:
      return NOTHING;
  }
}

/** A slash command. */
function commandCallback(form: unknown): Callback | undefined {
  const [user, text = "", responseUrl = ""] = ["user_id", "text", "response_url"].map((key) => textAt(form, key));
  const account = accountOf(textAt(form, "team_id"), user);
  if (textAt(form, "command") === undefined || account === undefined) return undefined;
  return { is: "command", account, label: textAt(form, "user_name") ?? userOf(account), text, responseUrl };
}

/** Of the Events API. */
function eventCallback(value: unknown): Callback | undefined {
  const type = textAt(value, "type");
  if (type === "url_verification") return { is: "challenge", challenge: textAt(value, "challenge") ?? "" };
  // Slack also sends notes about itself, for example that it holds events back.
  if (type !== "event_callback") return type === undefined ? undefined : NOTHING;
  const event = fieldAt(value, "event");
  // The outer workspace is that of the app; where it is not that of the sender, the event names the sender's.
  const team = textAt(event, "user_team") ?? textAt(event, "team") ?? textAt(value, "team_id");
  const account = accountOf(team, textAt(event, "user"));
  // Edited and deleted messages have a subtype, and those of bots, also our own, a bot.
  const isWritten = fieldAt(event, "subtype") === undefined && fieldAt(event, "bot_id") === undefined;
  const isToTheApp = textAt(event, "type") === "message" && textAt(event, "channel_type") === "im";
  if (!isWritten || !isToTheApp || account === undefined) return NOTHING;
  const [text = "", chat = ""] = [textAt(event, "text"), textAt(event, "channel")];
  return { is: "message", account, text, chat, event: textAt(value, "event_id") ?? "" };
}

/** Something that somebody did with a message or a form. */
function interactionCallback(value: unknown): Callback | undefined {
  const team = textAt(value, "user", "team_id") ?? textAt(value, "team", "id");
  const account = accountOf(team, textAt(value, "user", "id"));
  if (account === undefined) return undefined;
  const type = textAt(value, "type");
  if (type === "view_submission") return submittedIn(fieldAt(value, "view"), account);
  return type === "block_actions" ? pressedIn(value, account) : NOTHING;
}

function submittedIn(view: unknown, account: string): Callback | undefined {
  const filled = filledIn(view);
  if (filled === undefined) return NOTHING;
  const on = readFormValue(textAt(view, "private_metadata") ?? "");
  return on === undefined ? undefined : { is: "submitted", account, filled, on };
}

function pressedIn(value: unknown, account: string): Callback | undefined {
  for (const action of listAt(value, "actions")) {
    const act = BUTTONS.get(textAt(action, "action_id") ?? "");
    if (act === undefined) continue;
    const button = readButtonValue(textAt(action, "value") ?? "");
    if (button === undefined) return undefined;
    const message = textAt(value, "container", "message_ts") ?? "";
    const on = { ...button, message, responseUrl: textAt(value, "response_url") ?? "" };
    return { is: "pressed", act, account, trigger: textAt(value, "trigger_id") ?? "", on };
  }
  return NOTHING;
}
