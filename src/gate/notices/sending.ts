import type { Approval } from "../../core/approval.ts";
import { type ChannelSettings, channelsSet } from "../../core/channel.ts";
import type { Language } from "../../core/messages/text.ts";
import type { Card } from "../../core/show/card.ts";
import type { Channel, ChannelMaker } from "../../ports.ts";
import type { Deps } from "../deps.ts";

/** What a process needs to send notices outside: only a server has it, so that one place holds the channels' secrets. */
export type Sending = {
  maker: ChannelMaker;
  /** Where people find the pages of this server, without a final slash. */
  origin: string;
  /** Where services reach this server, without a final slash. */
  url: string;
  cardOf(deps: Deps, approval: Approval, language: Language): Promise<Card>;
  /** Channels that did not answer, or one receiver in a channel, and until when nothing is sent to them. */
  downUntilMs: Map<string, number>;
  /** How the last delivery by each channel went, since this process started. */
  last: Map<string, LastDelivery>;
  /** How the connections stand by which channels hear people. */
  connections: Map<string, LastDelivery>;
  /** Questions that are being sent at this moment, by channel and receiver: they count before they have arrived. */
  underWay: Map<string, number>;
};

export type LastDelivery = { atMs: number; failure?: string };

/** The settings of a channel in the policy in force. */
export async function settingsOf(deps: Deps, name: string): Promise<ChannelSettings | undefined> {
  const { layers } = (await deps.standing.current()).layers;
  return channelsSet(layers.map(({ policy }) => policy)).find(({ kind }) => kind === name);
}

/** The channel with this name as the policy sets it up now. */
export async function channelNamed(
  deps: Deps,
  sending: Sending,
  name: string,
): Promise<{ channel: Channel; settings: ChannelSettings } | undefined> {
  const settings = await settingsOf(deps, name);
  return settings === undefined ? undefined : { channel: await sending.maker.open(settings), settings };
}
