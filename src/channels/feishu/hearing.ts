import type { Json } from "../../core/values/json.ts";
import type { HeardReply, Listener, SignedRequest, ToldBack, UsedMessage } from "../../ports.ts";
import { type HeardOnce, heardOnce } from "../heard-once.ts";
import { fieldAt, jsonIn, textAt } from "../read-json.ts";
import { WORDS_MAX } from "../triage.ts";
import { cardOf, REASON_FIELD } from "./card.ts";
import { type CallbackKeys, readRequest } from "./signed-request.ts";
import { triagedBy } from "./triage-form.ts";

// What Feishu sends to POST /channels/feishu: the test of the address, pressed buttons, and messages to the bot.

export type Hearing = {
  keys(): CallbackKeys;
  /** Answers in the chat where a message was written, once for each event. */
  reply(to: { message: string; event: string }, text: string): Promise<void>;
};

export function hearing(how: Hearing): (request: SignedRequest, listener: Listener) => Promise<HeardReply> {
  // Feishu's last attempt comes about seven hours after the first.
  const heard = heardOnce({ keptMs: 8 * 60 * 60_000, keptMax: 10_000 });
  return (request, listener) => hear(how, heard, request, listener);
}

const NOTHING: HeardReply = { status: 200, json: {} };

async function hear(how: Hearing, heard: HeardOnce, request: SignedRequest, listener: Listener): Promise<HeardReply> {
  const incoming = readRequest(request, how.keys());
  if (incoming.is === "refused") return { status: incoming.status, json: { refused: incoming.why } };
  if (incoming.is === "challenge") return { status: 200, json: { challenge: incoming.challenge } };
  const { id, type, event } = incoming;
  const work = () => {
    if (type === "card.action.trigger") return pressed(event, listener);
    if (type === "im.message.receive_v1")
      return written(event, listener, (to, text) => how.reply({ message: to, event: id }, text));
    return Promise.resolve(NOTHING);
  };
  return (await heard.once([id], request.nowMs, work)) ?? NOTHING;
}

/** A button of another card of the same app, or of an older form, says nothing that we know. */
async function pressed(event: unknown, listener: Listener): Promise<HeardReply> {
  const account = textAt(event, "operator", "open_id");
  const message = textAt(event, "context", "open_message_id");
  const action = fieldAt(event, "action");
  const [notice, secret] = [textAt(action, "value", "notice"), textAt(action, "value", "secret")];
  if (account === undefined || message === undefined || notice === undefined || secret === undefined) return NOTHING;
  const used = { account, notice, secret, message };
  const told = await (answeredBy(action, used, listener) ?? triagedBy(action, used, listener));
  return told === undefined ? NOTHING : { status: 200, json: backTo(told) };
}

/** Nothing if the button answers no question. */
function answeredBy(action: unknown, used: UsedMessage, listener: Listener): Promise<ToldBack> | undefined {
  const verdict = textAt(action, "value", "verdict");
  if (verdict !== "approve" && verdict !== "deny") return undefined;
  const reason = verdict === "deny" ? textAt(action, "form_value", REASON_FIELD) : undefined;
  return listener.answer({ ...used, verdict, note: (reason ?? "").trim().slice(0, WORDS_MAX) });
}

/** A short message that Feishu shows above the chat, and the card with the question as it is now. */
function backTo({ ok, text, shown }: ToldBack): Json {
  const toast = { type: ok ? "success" : "warning", content: text };
  return shown === undefined ? { toast } : { toast, card: { type: "raw", data: cardOf(shown) } };
}

type Reply = (message: string, text: string) => Promise<void>;

/** Messages to the bot link an account, and do nothing else: words never answer a question. */
async function written(event: unknown, listener: Listener, reply: Reply): Promise<HeardReply> {
  const account = textAt(event, "sender", "sender_id", "open_id");
  const message = textAt(event, "message", "message_id");
  // Another bot is not answered, because the two bots could answer each other for ever.
  if (textAt(event, "sender", "sender_type") !== "user" || account === undefined || message === undefined)
    return NOTHING;
  if (!isForTheBot(event)) return NOTHING;
  const userId = textAt(event, "sender", "sender_id", "user_id");
  const code = codeIn(event);
  const told =
    code === undefined
      ? await listener.wrote(account)
      : await listener.link({ account, label: userId ?? account, code, ...(userId === undefined ? {} : { userId }) });
  // A lost reply does no harm: a person who linked an account also gets a notice, and any other message can be sent again.
  await reply(message, told.text).catch(() => undefined);
  return NOTHING;
}

/** In a group, only messages that mention somebody: an app that may read all messages also gets those between other people. */
function isForTheBot(event: unknown): boolean {
  const mentions = fieldAt(event, "message", "mentions");
  return textAt(event, "message", "chat_type") === "p2p" || (Array.isArray(mentions) && mentions.length > 0);
}

/** `link CODE`, with or without the mention of the bot before it. */
function codeIn(event: unknown): string | undefined {
  if (textAt(event, "message", "message_type") !== "text") return undefined;
  const text = textAt(jsonIn(textAt(event, "message", "content") ?? ""), "text") ?? "";
  return /^link\s+([a-z0-9]{4,32})$/i.exec(text.replace(/@_user_\d+/g, " ").trim())?.[1];
}
