import type { Json } from "../../core/values/json.ts";
import type { HeardReply, Listener, SignedRequest, ToldBack } from "../../ports.ts";
import { cardOf, REASON_FIELD } from "./card.ts";
import { fieldAt, parsed, textAt } from "./json-fields.ts";
import { type ReplayGuard, replayGuard } from "./replay-guard.ts";
import { type CallbackKeys, readRequest } from "./signed-request.ts";

// What Feishu sends to POST /channels/feishu: the test of the address, pressed buttons, and messages to the bot.

export type Hearing = {
  keys(): CallbackKeys;
  /** Answers in the chat where a message was written, once for each event. */
  reply(to: { message: string; event: string }, text: string): Promise<void>;
};

export function hearing(how: Hearing): (request: SignedRequest, listener: Listener) => Promise<HeardReply> {
  const guard = replayGuard();
  return (request, listener) => hear(how, guard, request, listener);
}

const NOTHING: HeardReply = { status: 200, json: {} };

async function hear(how: Hearing, guard: ReplayGuard, request: SignedRequest, listener: Listener): Promise<HeardReply> {
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
  return (await guard.once(id, request.nowMs, work)) ?? NOTHING;
}

const NOTE_MAX = 1000;

/** A button of another card of the same app, or of an older form, says nothing that we know. */
async function pressed(event: unknown, listener: Listener): Promise<HeardReply> {
  const account = textAt(event, "operator", "open_id");
  const message = textAt(event, "context", "open_message_id");
  const [notice, secret, verdict] = ["notice", "secret", "verdict"].map((key) => textAt(event, "action", "value", key));
  if (account === undefined || message === undefined || notice === undefined || secret === undefined) return NOTHING;
  if (verdict !== "approve" && verdict !== "deny") return NOTHING;
  const reason = verdict === "deny" ? textAt(event, "action", "form_value", REASON_FIELD) : undefined;
  const note = (reason ?? "").trim().slice(0, NOTE_MAX);
  const told = await listener.answer({ account, notice, secret, message, verdict, note });
  return { status: 200, json: backTo(told) };
}

/** A short sentence over the chat, and the card as the question is now. */
function backTo({ ok, text, shown }: ToldBack): Json {
  const toast = { type: ok ? "success" : "warning", content: text };
  return shown === undefined ? { toast } : { toast, card: { type: "raw", data: cardOf(shown) } };
}

type Reply = (message: string, text: string) => Promise<void>;

/** Messages to the bot link an account, and do nothing else: words never answer a question. */
async function written(event: unknown, listener: Listener, reply: Reply): Promise<HeardReply> {
  const account = textAt(event, "sender", "sender_id", "open_id");
  const message = textAt(event, "message", "message_id");
  // Another bot is not answered: the two would go on for ever.
  if (textAt(event, "sender", "sender_type") !== "user" || account === undefined || message === undefined)
    return NOTHING;
  if (!isForTheBot(event)) return NOTHING;
  const userId = textAt(event, "sender", "sender_id", "user_id");
  const code = codeIn(event);
  const told =
    code === undefined
      ? await listener.wrote(account)
      : await listener.link({ account, label: userId ?? account, code, ...(userId === undefined ? {} : { userId }) });
  // Nothing depends on it: who linked an account is told by a notice too, and who wrote words can write them again.
  await reply(message, told.text).catch(() => undefined);
  return NOTHING;
}

/** In a group, only what mentions somebody: an app that may read all messages hears those of others to each other too. */
function isForTheBot(event: unknown): boolean {
  const mentions = fieldAt(event, "message", "mentions");
  return textAt(event, "message", "chat_type") === "p2p" || (Array.isArray(mentions) && mentions.length > 0);
}

/** `link CODE`, with or without the mention of the bot before it. */
function codeIn(event: unknown): string | undefined {
  if (textAt(event, "message", "message_type") !== "text") return undefined;
  const text = textAt(parsed(textAt(event, "message", "content") ?? ""), "text") ?? "";
  return /^link\s+([a-z0-9]{4,32})$/i.exec(text.replace(/@_user_\d+/g, " ").trim())?.[1];
}
