import type { SlackSettings } from "../../core/channel.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { type Channel, ChannelFailure, type Delivered, type Outgoing } from "../../ports.ts";
import { textAt } from "../read-json.ts";
import type { ChannelTools } from "../tools.ts";
import { type SlackApi, slackApi } from "./api.ts";
import { SlackFailure, TOO_LONG } from "./faults.ts";
import { type Hearing, hearRequest } from "./hear.ts";
import { messageOf } from "./message.ts";
import { repeats } from "./repeats.ts";
import { trySettings } from "./try.ts";

/** Questions in Slack: to people directly and to a channel, with buttons that answer if Slack can reach the server. */
export function slackChannel(settings: SlackSettings, tools: ChannelTools): Channel {
  const api = slackApi(settings, tools);
  const going = new Set<Promise<unknown>>();
  const hearing: Hearing = {
    api,
    repeats: repeats(),
    language: settings.language ?? "en",
    // The person was answered already, or sees the question in the inbox: there is nobody else to tell of a failure.
    beside: (work) => {
      const done: Promise<unknown> = work.catch(() => undefined).finally(() => going.delete(done));
      going.add(done);
    },
  };
  const { signingSecret } = settings;
  return {
    name: "slack",
    deliver: (outgoing) => deliver(api, outgoing),
    update: (at, outgoing) => update(api, at, outgoing),
    ...(signingSecret === undefined
      ? {}
      : { hear: (request, listener) => hearRequest(hearing, request, tools.secret(signingSecret), listener) }),
    try: () => trySettings(settings, tools, api),
    close: async () => {
      await Promise.all(going);
    },
  };
}

async function deliver(api: SlackApi, outgoing: Outgoing): Promise<Delivered> {
  const { address } = outgoing;
  const channel = address.to === "place" ? address.place : address.contacts[0]?.account;
  if (channel === undefined) throw new ChannelFailure("refused", "the person has no account in Slack");
  const sent = await fitting(outgoing, address.to, (message) =>
    api.call("chat.postMessage", { channel, unfurl_links: false, unfurl_media: false, ...message }),
  );
  const [message, chat] = [textAt(sent, "ts"), textAt(sent, "channel")];
  if (message === "" || chat === "") throw new ChannelFailure("down", "Slack did not say which message it sent");
  return { message, chat };
}

async function update(api: SlackApi, { message, chat }: Delivered, outgoing: Outgoing): Promise<void> {
  if (message === undefined || chat === undefined) return;
  await fitting(outgoing, outgoing.address.to, (content) =>
    api.call("chat.update", { channel: chat, ts: message, ...content }),
  );
}

/** A message that Slack finds too long goes out without what would run, and says so. */
async function fitting(
  outgoing: Outgoing,
  to: Outgoing["address"]["to"],
  send: (message: JsonObject) => Promise<JsonObject>,
): Promise<JsonObject> {
  try {
    return await send(messageOf(outgoing));
  } catch (error) {
    if (!(error instanceof SlackFailure)) throw error;
    if (TOO_LONG.includes(error.error) && outgoing.question !== undefined)
      return send(messageOf(outgoing, { brief: true }));
    // Only a person's account can be forgotten; a chat stands in the policy.
    throw error.kind === "gone" && to === "place" ? new ChannelFailure("refused", error.message) : error;
  }
}
