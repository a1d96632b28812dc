import type { JsonObject } from "../../core/values/json.ts";
import { objectAt, objectIn, objectsAt, textAt } from "../read-json.ts";
import { type FormValue, readButtonValue, readFormValue } from "./button-value.ts";
import { FORM, REASON } from "./form.ts";
import { APPROVE, DENY } from "./message.ts";

// What Slack sends, read. The signature was checked before; nothing else is taken for true.

export type Callback =
  /** Slack asks whether this address is ours. */
  | { is: "challenge"; challenge: string }
  /** Somebody pressed a button that answers. */
  | { is: "pressed"; verdict: "approve" | "deny"; account: string; trigger: string; on: FormValue }
  /** Somebody sent the form with the reason for a denial. */
  | { is: "submitted"; account: string; note: string; on: FormValue }
  /** `/leeway …`. */
  | { is: "command"; account: string; label: string; text: string; responseUrl: string }
  /** Somebody wrote to the app. */
  | { is: "message"; account: string; text: string; chat: string; event: string }
  /** Nothing that we have to do anything about: a button that opens a page, a message of ours. */
  | { is: "nothing" };

const NOTHING: Callback = { is: "nothing" };

/** What the request says, or nothing if Slack would not send such a request. */
export function callbackIn(body: Uint8Array, contentType: string): Callback | undefined {
  const text = Buffer.from(body).toString("utf8");
  if (/^application\/json\b/i.test(contentType)) return jsonCallback(objectIn(text));
  if (!/^application\/x-www-form-urlencoded\b/i.test(contentType)) return undefined;
  const form = new URLSearchParams(text);
  // Slack checks the certificate of the address from time to time.
  if (form.get("ssl_check") === "1") return NOTHING;
  const payload = form.get("payload");
  return payload === null ? commandCallback(Object.fromEntries(form)) : interactionCallback(objectIn(payload));
}

/** A slash command. */
function commandCallback(form: JsonObject): Callback | undefined {
  if (textAt(form, "command") === "") return undefined;
  const account = textAt(form, "user_id");
  if (account === "") return undefined;
  const label = textAt(form, "user_name") || account;
  return { is: "command", account, label, text: textAt(form, "text"), responseUrl: textAt(form, "response_url") };
}

/** Of the Events API. */
function jsonCallback(value: JsonObject | undefined): Callback | undefined {
  if (value === undefined) return undefined;
  if (value["type"] === "url_verification") return { is: "challenge", challenge: textAt(value, "challenge") };
  // Slack also sends notes about itself, for example that it holds events back.
  if (value["type"] !== "event_callback") return textAt(value, "type") === "" ? undefined : NOTHING;
  const event = objectAt(value, "event");
  const account = textAt(event, "user");
  // Edited and deleted messages have a subtype, and those of bots, also our own, a bot.
  const isWritten = event["subtype"] === undefined && event["bot_id"] === undefined && account !== "";
  if (event["type"] !== "message" || event["channel_type"] !== "im" || !isWritten) return NOTHING;
  const [text, chat, id] = [textAt(event, "text"), textAt(event, "channel"), textAt(value, "event_id")];
  return { is: "message", account, text, chat, event: id };
}

/** Something that somebody did with a message or a form. */
function interactionCallback(value: JsonObject | undefined): Callback | undefined {
  if (value === undefined) return undefined;
  const account = textAt(objectAt(value, "user"), "id");
  if (account === "") return undefined;
  if (value["type"] === "view_submission") return submittedIn(objectAt(value, "view"), account);
  return value["type"] === "block_actions" ? pressedIn(value, account) : NOTHING;
}

function submittedIn(view: JsonObject, account: string): Callback | undefined {
  if (view["callback_id"] !== FORM) return NOTHING;
  const on = readFormValue(textAt(view, "private_metadata"));
  const values = objectAt(objectAt(view, "state"), "values");
  const note = textAt(objectAt(objectAt(values, REASON), REASON), "value");
  return on === undefined ? undefined : { is: "submitted", account, note, on };
}

function pressedIn(value: JsonObject, account: string): Callback | undefined {
  const action = objectsAt(value, "actions").find((one) => one["action_id"] === APPROVE || one["action_id"] === DENY);
  if (action === undefined) return NOTHING;
  const button = readButtonValue(textAt(action, "value"));
  if (button === undefined) return undefined;
  const message = textAt(objectAt(value, "container"), "message_ts");
  const on = { ...button, message, responseUrl: textAt(value, "response_url") };
  const verdict = action["action_id"] === APPROVE ? "approve" : "deny";
  return { is: "pressed", verdict, account, trigger: textAt(value, "trigger_id"), on };
}
