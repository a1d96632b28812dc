import type { Language } from "../../core/messages/text.ts";
import { jsonIn, textAt } from "../read-json.ts";

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
  const value = jsonIn(text);
  const [notice, secret] = [textAt(value, "notice"), textAt(value, "secret")];
  if (notice === undefined || secret === undefined) return undefined;
  return { notice, secret, language: textAt(value, "language") === "zh" ? "zh" : "en" };
}

export function readFormValue(text: string): FormValue | undefined {
  const [button, value] = [readButtonValue(text), jsonIn(text)];
  if (button === undefined) return undefined;
  return { ...button, message: textAt(value, "message") ?? "", responseUrl: textAt(value, "responseUrl") ?? "" };
}
