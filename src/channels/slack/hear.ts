import { say } from "../../core/messages/message.ts";
import { type Language, textOf } from "../../core/messages/text.ts";
import type { HeardReply, Listener, SignedRequest, ToldBack } from "../../ports.ts";
import { objectAt, textAt } from "../read-json.ts";
import type { SlackApi } from "./api.ts";
import type { FormValue } from "./button-value.ts";
import { type Callback, callbackIn } from "./callback.ts";
import { outcomeView, reasonForm } from "./form.ts";
import { plainMessage } from "./message.ts";
import type { Repeats } from "./repeats.ts";
import { whyNotSigned } from "./signature.ts";

// What Slack tells us that people did. Slack waits three seconds for an answer and then tells the person that it failed, so
// whatever takes longer is told afterwards.

const IN_TIME_MS = 2_000;

export type Hearing = {
  api: SlackApi;
  repeats: Repeats;
  /** The language of messages to people of whom nothing is known. */
  language: Language;
  /** Something that goes on after Slack has its answer. */
  beside(work: Promise<unknown>): void;
};

/** A request to the address of this channel. Without a right signature nothing in it is read. */
export async function hearRequest(
  hearing: Hearing,
  request: SignedRequest,
  signingSecret: string,
  listener: Listener,
): Promise<HeardReply> {
  const why = whyNotSigned(request, signingSecret);
  if (why !== undefined) return { status: 401, json: { error: why } };
  const callback = callbackIn(request.body, request.headers["content-type"] ?? "");
  if (callback === undefined) return { status: 400, json: { error: "this is no request that Slack sends" } };
  const once = request.headers["x-slack-signature"] ?? "";
  return { status: 200, json: await hearOnce(hearing, callback, { once, nowMs: request.nowMs, listener }) };
}

type Heard = { once: string; nowMs: number; listener: Listener };

/** What comes again does nothing again. What failed may come again. */
async function hearOnce(
  hearing: Hearing,
  callback: Callback,
  { once, nowMs, listener }: Heard,
): Promise<NonNullable<HeardReply["json"]>> {
  const keys = callback.is === "message" ? [once, `event ${callback.event}`] : [once];
  if (callback.is !== "challenge" && hearing.repeats.heardBefore(keys, nowMs)) return {};
  try {
    return await replyTo(hearing, callback, listener);
  } catch (error) {
    hearing.repeats.forget(keys);
    throw error;
  }
}

async function replyTo(hearing: Hearing, callback: Callback, listener: Listener) {
  switch (callback.is) {
    case "challenge":
      return { challenge: callback.challenge };
    case "nothing":
      return {};
    case "pressed":
      return callback.verdict === "deny" ? askReason(hearing, callback) : approve(hearing, callback, listener);
    case "submitted":
      return deny(hearing, callback, listener);
    case "command":
      return command(hearing, callback, listener);
    case "message":
      return written(hearing, callback, listener);
  }
}

type Of<Is extends Callback["is"]> = Extract<Callback, { is: Is }>;

async function approve(hearing: Hearing, { account, on }: Of<"pressed">, listener: Listener) {
  const { notice, secret, message } = on;
  const answered = listener.answer({ account, notice, secret, message, verdict: "approve", note: "" });
  hearing.beside(tellOutcome(hearing, answered, on));
  await inTime(answered);
  return {};
}

/** The person is told; everybody else sees it in the message, which the gate has shown anew. */
async function tellOutcome({ api }: Hearing, answered: Promise<ToldBack>, { responseUrl, language }: FormValue) {
  const text = await answered.then(
    (told) => told.text,
    () => textOf(say("channel.slack_failed"), language),
  );
  await api.respond(responseUrl, plainMessage(text));
}

/** Slack lets a form be opened for three seconds after the button was pressed. */
async function askReason({ api, beside }: Hearing, { trigger, on }: Of<"pressed">) {
  const opened = api.call("views.open", { trigger_id: trigger, view: reasonForm(on) }, { timeoutMs: IN_TIME_MS });
  const told = opened.catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    return api.respond(on.responseUrl, plainMessage(textOf(say("channel.slack_no_form", { why }), on.language)));
  });
  beside(told);
  await inTime(told);
  return {};
}

async function deny(hearing: Hearing, { account, note, on }: Of<"submitted">, listener: Listener) {
  const { notice, secret, message } = on;
  const answered = listener.answer({ account, notice, secret, message, verdict: "deny", note });
  const told = await inTime(answered);
  if (told !== undefined) return { response_action: "update", view: outcomeView(told.text, told.language) };
  hearing.beside(tellOutcome(hearing, answered, on));
  return { response_action: "clear" };
}

async function command(hearing: Hearing, { account, label, text, responseUrl }: Of<"command">, listener: Listener) {
  const { language, api, beside } = hearing;
  const code = codeIn(text);
  const ephemeral = (said: string) => ({ response_type: "ephemeral", ...plainMessage(said) });
  const heard = code === undefined ? listener.wrote(account) : listener.link({ account, label, code });
  const told = await inTime(heard);
  if (told !== undefined) return ephemeral(told.text);
  beside(heard.then((late) => api.respond(responseUrl, plainMessage(late.text))));
  return ephemeral(textOf(say("channel.slack_later"), language));
}

/** A message to the app links an account or does nothing. It never answers a question. */
async function written(hearing: Hearing, { account, text, chat }: Of<"message">, listener: Listener) {
  const { api, beside } = hearing;
  const code = codeIn(text);
  const heard =
    code === undefined
      ? listener.wrote(account)
      : nameOf(api, account).then((label) => listener.link({ account, label, code }));
  beside(heard.then((told) => api.call("chat.postMessage", { channel: chat, ...plainMessage(told.text) })));
  await inTime(heard);
  return {};
}

/** The name of the account in Slack; its id, if the app may not see the name. */
async function nameOf(api: SlackApi, account: string): Promise<string> {
  try {
    const { value } = await api.look("users.info", { user: account });
    return textAt(objectAt(value, "user"), "name") || account;
  } catch {
    return account;
  }
}

/** `link CODE`, also as Slack passes on what somebody wrote in bold or as code. */
function codeIn(text: string): string | undefined {
  return /^\s*link\s+[`*_]*([a-z0-9]{4,32})[`*_]*\s*$/i.exec(text)?.[1];
}

/** The result, if it comes within the time that Slack waits. A failure within this time is thrown. */
async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), IN_TIME_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
