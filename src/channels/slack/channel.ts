import type { SlackSettings } from "../../core/channel.ts";
import { type Channel, ChannelFailure, type Delivered, type Outgoing } from "../../ports.ts";
import { heardOnce } from "../heard-once.ts";
import { textAt } from "../read-json.ts";
import { ServiceFailure } from "../service-failure.ts";
import type { ChannelTools } from "../tools.ts";
import { userOf } from "./account.ts";
import { type SlackApi, slackApi } from "./api.ts";
import { TOO_LONG } from "./failures.ts";
import { type Hearing, hearEnvelope, hearRequest } from "./hear.ts";
import { messageOf, type SlackMessage } from "./message.ts";
import { keepConnected } from "./socket.ts";
import { trySettings } from "./try.ts";

/** Questions in Slack: to people directly and to a channel, with buttons that answer if Slack can reach the server. */
export function slackChannel(settings: SlackSettings, tools: ChannelTools): Channel {
  const api = slackApi(settings, tools);
  const going = new Set<Promise<unknown>>();
  const hearing: Hearing = {
    api,
    // Longer than Slack repeats an event, and than a signature counts.
    heard: heardOnce({ keptMs: 15 * 60_000, keptMax: 20_000 }),
    language: settings.language ?? "en",
    // A failure is ignored: the person already got an answer, or sees the question in the inbox.
    beside: (work) => {
      const done: Promise<unknown> = work.catch(() => undefined).finally(() => going.delete(done));
      going.add(done);
    },
  };
  const { signingSecret, appToken } = settings;
  return {
    name: "slack",
    deliver: (outgoing) => deliver(api, outgoing),
    update: (at, outgoing) => update(api, at, outgoing),
    ...(signingSecret === undefined
      ? {}
      : { hear: (request, listener) => hearRequest(hearing, request, tools.secret(signingSecret), listener) }),
    ...(appToken === undefined
      ? {}
      : {
          listen: (listener, stands) =>
            keepConnected({
              address: () => api.connection(appToken),
              nearby: settings.api !== undefined,
              hear: (envelope) => hearEnvelope(hearing, envelope, tools.nowMs(), listener),
              stands,
            }),
        }),
    try: () => trySettings(settings, tools, api),
    close: async () => {
      await Promise.all(going);
    },
  };
}

async function deliver(api: SlackApi, outgoing: Outgoing): Promise<Delivered> {
  const { address } = outgoing;
  const [contact] = address.to === "person" ? address.contacts : [];
  const channel = address.to === "place" ? address.place : contact && userOf(contact.account);
  if (channel === undefined) throw new ChannelFailure("refused", "the person has no account in Slack");
  const sent = await fitting(outgoing, address.to, (message) =>
    api.call("chat.postMessage", { channel, unfurl_links: false, unfurl_media: false, ...message }),
  );
  const [message, chat] = [textAt(sent, "ts"), textAt(sent, "channel")];
  if (message === undefined || chat === undefined)
    throw new ChannelFailure("down", "Slack did not say which message it sent");
  return { message, chat };
}

async function update(api: SlackApi, { message, chat }: Delivered, outgoing: Outgoing): Promise<void> {
  if (message === undefined || chat === undefined) return;
  await fitting(outgoing, outgoing.address.to, (content) =>
    api.call("chat.update", { channel: chat, ts: message, ...content }),
  );
}

/** If Slack finds a message too long, a shorter one is sent that does not show what would run, and says so. */
async function fitting(
  outgoing: Outgoing,
  to: Outgoing["address"]["to"],
  send: (message: SlackMessage) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await send(messageOf(outgoing));
  } catch (error) {
    if (!(error instanceof ServiceFailure)) throw error;
    if (TOO_LONG.includes(error.code) && outgoing.question !== undefined)
      return send(messageOf(outgoing, { brief: true }));
    // Only a person's account can be forgotten; a chat is named in the policy.
    throw error.kind === "gone" && to === "place" ? new ChannelFailure("refused", error.message) : error;
  }
}
