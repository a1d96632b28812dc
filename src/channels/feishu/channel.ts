import type { FeishuSettings } from "../../core/channel.ts";
import { sha256Hex } from "../../core/values/hash.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { type Channel, ChannelFailure, type Delivered, type Outgoing } from "../../ports.ts";
import { fieldAt, numberAt, textAt } from "../read-json.ts";
import { ServiceFailure } from "../service-failure.ts";
import type { ChannelTools } from "../tools.ts";
import { type FeishuApi, feishuApi } from "./api.ts";
import { cardOf } from "./card.ts";
import { SCOPE_CODE } from "./failures.ts";
import { hearing } from "./hearing.ts";
import type { CallbackKeys } from "./signed-request.ts";

/** Feishu, and Lark, as the same service is called outside China: cards with buttons, to people and to group chats. */
export function feishuChannel(settings: FeishuSettings, tools: ChannelTools): Channel {
  const api = feishuApi(settings, tools);
  const keys = () => keysOf(settings, tools);
  const reply = async ({ message, event }: { message: string; event: string }, text: string) => {
    const body = { ...textBody(text), uuid: uuidOf(event) };
    await api.ask({ method: "POST", path: `${MESSAGES}/${encodeURIComponent(message)}/reply`, body });
  };
  const canHear = settings.verificationToken !== undefined || settings.encryptKey !== undefined;
  return {
    name: "feishu",
    deliver: (outgoing) => deliver(api, outgoing),
    update: async ({ message }, outgoing) => {
      if (message === undefined) return;
      const body = { content: JSON.stringify(cardOf(outgoing)) };
      await api.ask({ method: "PATCH", path: `${MESSAGES}/${encodeURIComponent(message)}`, body });
    },
    // Without a key or a token nothing proves who pressed a button, so messages have no buttons.
    ...(canHear ? { hear: hearing({ keys, reply }) } : {}),
    try: async () => {
      keys();
      await tryBot(api);
      if (settings.chat !== undefined) await tryChat(api, settings.chat);
    },
  };
}

const MESSAGES = "/open-apis/im/v1/messages";

function keysOf({ appId, encryptKey, verificationToken }: FeishuSettings, { secret }: ChannelTools): CallbackKeys {
  return {
    appId,
    ...(encryptKey === undefined ? {} : { encryptKey: secret(encryptKey) }),
    ...(verificationToken === undefined ? {} : { verificationToken: secret(verificationToken) }),
  };
}

function cardBody(card: JsonObject): { msg_type: string; content: string } {
  return { msg_type: "interactive", content: JSON.stringify(card) };
}

/** A plain text, in which addresses can be opened. Its only markup are tags, for example to mention somebody. */
function textBody(text: string): { msg_type: string; content: string } {
  return { msg_type: "text", content: JSON.stringify({ text: text.replaceAll("<", "＜") }) };
}

/** Feishu takes a message with the same name only once within an hour. The name has at most 50 characters. */
function uuidOf(id: string): string {
  return sha256Hex(id).slice(0, 40);
}

async function deliver(api: FeishuApi, outgoing: Outgoing): Promise<Delivered> {
  const body = { ...cardBody(cardOf(outgoing)), uuid: uuidOf(outgoing.id) };
  const receivers = receiversOf(outgoing);
  for (const [at, { type, id }] of receivers.entries()) {
    try {
      const path = `${MESSAGES}?receive_id_type=${type}`;
      const answer = await api.ask({ method: "POST", path, body: { ...body, receive_id: id } });
      const [message, chat] = [textAt(answer, "data", "message_id"), textAt(answer, "data", "chat_id")];
      return { ...(message === undefined ? {} : { message }), ...(chat === undefined ? {} : { chat }) };
    } catch (error) {
      if (!(error instanceof ChannelFailure) || error.kind !== "gone") throw error;
      // A chat is named in the policy, so if it does not exist, no account is forgotten.
      if (type === "chat_id") throw new ChannelFailure("refused", error.message);
      if (at === receivers.length - 1) throw error;
    }
  }
  throw new ChannelFailure("gone", "this person has no account in Feishu");
}

type Receiver = { type: "user_id" | "open_id" | "chat_id"; id: string };

/** The user id stays the same when the app is replaced by another one; the open id is there for every app. */
function receiversOf({ address }: Outgoing): readonly Receiver[] {
  if (address.to === "place") return [{ type: "chat_id", id: address.place }];
  return address.contacts.flatMap(({ account, userId }): Receiver[] => [
    ...(userId === undefined ? [] : [{ type: "user_id" as const, id: userId }]),
    { type: "open_id", id: account },
  ]);
}

/** What Feishu says about the app in this company, other than that it is enabled. */
const APP_STATES: Readonly<Record<number, string>> = {
  0: "the app is not installed yet: publish a version of it and let an admin approve it",
  1: "the app is disabled: ask an admin of the company to enable it",
  3: "the app is installed and not enabled: ask an admin of the company to enable it",
  4: "the app's new version is not enabled yet: ask an admin of the company to enable it",
  5: "the app's licence has ended",
  6: "the company's plan of Feishu has ended or does not include the app",
};

async function tryBot(api: FeishuApi): Promise<void> {
  const answer = await api.ask({ method: "GET", path: "/open-apis/bot/v3/info" });
  const state = APP_STATES[numberAt(answer, "bot", "activate_status") ?? 2];
  if (state !== undefined) throw new ChannelFailure("down", state);
}

/** Checks whether the chat exists. An app without the permission to read its chats learns this from its first message. */
async function tryChat(api: FeishuApi, chat: string): Promise<void> {
  const path = `/open-apis/im/v1/chats/${encodeURIComponent(chat)}/members/is_in_chat`;
  try {
    const answer = await api.ask({ method: "GET", path });
    if (fieldAt(answer, "data", "is_in_chat") === false)
      throw new ChannelFailure("refused", `the bot is not in the chat ${chat}: add it to the chat`);
  } catch (error) {
    if (!(error instanceof ServiceFailure) || error.code !== String(SCOPE_CODE)) throw error;
  }
}
