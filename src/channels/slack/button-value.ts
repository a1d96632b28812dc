import type { Language } from "../../core/messages/text.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { objectIn, textAt } from "../read-json.ts";

// What Slack keeps for us and sends back: with a button, and with the form for a reason. The
// signature of the request proves that Slack sent it; the gate decides what the secret proves.

export type ButtonValue = { notice: string; secret: string; language: Language };

/**
 * The form is bound to the message whose button opened it. If counting the answer takes longer than Slack waits, the person is
 * told the outcome at `responseUrl`.
 */
export type FormValue = ButtonValue & { message: string; responseUrl: string };

export function buttonValue({ notice, secret, language }: ButtonValue): string {
  return JSON.stringify({ notice, secret, language });
}

export function formValue({ notice, secret, language, message, responseUrl }: FormValue): string {
  return JSON.stringify({ notice, secret, language, message, responseUrl });
}

export function readButtonValue(text: string): ButtonValue | undefined {
  const value = objectIn(text);
  if (value === undefined) return undefined;
  const [notice, secret] = [textAt(value, "notice"), textAt(value, "secret")];
  return notice === "" || secret === "" ? undefined : { notice, secret, language: languageIn(value) };
}

export function readFormValue(text: string): FormValue | undefined {
  const [button, value] = [readButtonValue(text), objectIn(text)];
  if (button === undefined || value === undefined) return undefined;
  return { ...button, message: textAt(value, "message"), responseUrl: textAt(value, "responseUrl") };
}

function languageIn(value: JsonObject): Language {
  return value["language"] === "zh" ? "zh" : "en";
}
