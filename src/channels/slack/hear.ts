import { say } from "../../core/messages/message.ts";
import { type Language, textOf } from "../../core/messages/text.ts";
import type { Json } from "../../core/values/json.ts";
import {
  ChannelFailure,
  type HeardReply,
  type Listener,
  type SignedRequest,
  type ToldBack,
  type UsedMessage,
} from "../../ports.ts";
import type { HeardOnce } from "../heard-once.ts";
import { textAt } from "../read-json.ts";
import { userOf } from "./account.ts";
import type { SlackApi } from "./api.ts";
import type { FormValue } from "./button-value.ts";
import { type Callback, callbackIn, callbackInEnvelope } from "./callback.ts";
import { type Filled, type FormAct, formOf, outcomeView } from "./form.ts";
import { plainMessage } from "./message.ts";
import { whyNotSigned } from "./signature.ts";

// Handles what people did in Slack. Slack waits three seconds for an answer and then tells the person that it failed. So if
// something takes longer, the person gets the result in a later message.

const IN_TIME_MS = 2_000;

export type Hearing = {
  api: SlackApi;
  heard: HeardOnce;
  /** The language of messages to people of whom nothing is known. */
  language: Language;
  /** Continues with this work after Slack has got its answer. */
  beside(work: Promise<unknown>): void;
};

/** A request to the address of this channel. Without a valid signature nothing in it is read. */
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

/** A message of the connection (socket mode): whoever has the app's token knows that Slack sent it. */
export async function hearEnvelope(
  hearing: Hearing,
  envelope: unknown,
  nowMs: number,
  listener: Listener,
): Promise<Json> {
  const callback = callbackInEnvelope(envelope);
  if (callback === undefined) throw new ChannelFailure("refused", "this is no message that Slack sends");
  return hearOnce(hearing, callback, { once: textAt(envelope, "envelope_id") ?? "", nowMs, listener });
}

type Heard = { once: string; nowMs: number; listener: Listener };

/** What comes again does nothing again. What failed may come again. */
async function hearOnce(hearing: Hearing, callback: Callback, { once, nowMs, listener }: Heard): Promise<Json> {
  const keys = callback.is === "message" ? [once, `event ${callback.event}`] : [once];
  const work = () => replyTo(hearing, callback, listener);
  return callback.is === "challenge" ? work() : ((await hearing.heard.once(keys, nowMs, work)) ?? {});
}

async function replyTo(hearing: Hearing, callback: Callback, listener: Listener) {
  switch (callback.is) {
    case "challenge":
      return { challenge: callback.challenge };
    case "nothing":
      return {};
    case "pressed":
      return callback.act === "approve"
        ? approve(hearing, callback, listener)
        : askMore(hearing, callback, callback.act, listener);
    case "submitted":
      return submitted(hearing, callback, listener);
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

/** Tells the person the result. Everybody else sees it in the message, which the gate updates. */
async function tellOutcome({ api }: Hearing, answered: Promise<ToldBack>, { responseUrl, language }: FormValue) {
  const text = await answered.then(
    (told) => told.text,
    () => textOf(say("channel.slack_failed"), language),
  );
  await api.respond(responseUrl, plainMessage(text));
}

/** Slack lets a form be opened for three seconds after the button was pressed. */
async function askMore({ api, beside }: Hearing, { account, trigger, on }: Of<"pressed">, act: FormAct, to: Listener) {
  const told = opened(api, { account, trigger, on }, act, to).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    return api.respond(on.responseUrl, plainMessage(textOf(say("channel.slack_no_form", { why }), on.language)));
  });
  beside(told);
  await inTime(told);
  return {};
}

type Press = Pick<Of<"pressed">, "account" | "trigger" | "on">;

/** The form to hand a question over lists people, so it is opened only for somebody who may. */
async function opened(api: SlackApi, { account, trigger, on }: Press, act: FormAct, listener: Listener): Promise<void> {
  const { notice, secret, message } = on;
  const who = act === "handover" ? await listener.handTo({ account, notice, secret, message }) : undefined;
  if (who?.ok === false) return api.respond(on.responseUrl, plainMessage(who.text));
  const view = formOf(act, on, who?.names);
  await api.call("views.open", { trigger_id: trigger, view }, { timeoutMs: IN_TIME_MS });
}

/** The person is whoever sent the form, and the question is that of the message whose button opened it. */
async function submitted(hearing: Hearing, { account, filled, on }: Of<"submitted">, listener: Listener) {
  const { notice, secret, message } = on;
  const heard = hand(listener, { account, notice, secret, message }, filled);
  const told = await inTime(heard);
  if (told !== undefined) return { response_action: "update", view: outcomeView(filled.act, told.text, told.language) };
  hearing.beside(tellOutcome(hearing, heard, on));
  return { response_action: "clear" };
}

function hand(listener: Listener, used: UsedMessage, filled: Filled): Promise<ToldBack> {
  switch (filled.act) {
    case "deny":
      return listener.answer({ ...used, verdict: "deny", note: filled.note });
    case "reply":
      return listener.reply({ ...used, text: filled.text });
    case "snooze":
      return listener.snooze({ ...used, until: filled.until });
    case "handover":
      return listener.handover({ ...used, to: filled.to, note: filled.note });
  }
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
    const { value } = await api.look("users.info", { user: userOf(account) });
    return textAt(value, "user", "name") ?? userOf(account);
  } catch {
    return userOf(account);
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
