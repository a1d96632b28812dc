import {
  CHANNEL_KINDS,
  type ChannelKind,
  type ChannelSettings,
  channelsSet,
  isChannelKind,
  type SecretRef,
  secretsIn,
} from "../../core/channel.ts";
import { type Refused, refused } from "../../core/codes.ts";
import { say } from "../../core/messages/message.ts";
import type { Deps } from "../deps.ts";
import type { LastDelivery, Sending } from "./sending.ts";

// The state of the channels of the policy in force, for admins.

export type SecretState = { key: string; ref: SecretRef; found: boolean };

export type ChannelState = {
  kind: ChannelKind;
  secrets: readonly SecretState[];
  /** How the last delivery went, since the sending process started; nothing if there was none. */
  last?: LastDelivery;
  waiting: number;
  dead: number;
  /** How the connection stands by which the channel hears people, if it has one. */
  connection?: LastDelivery;
  /** The address to enter at the service, for channels that people answer in. */
  callback?: string;
};

/** What is known in a process that does not send: neither the address of the server nor how deliveries went. */
export type Looking = Pick<Sending, "maker"> & Partial<Sending>;

/** The settings of all channels in force. */
export async function settingsInForce(deps: Deps): Promise<readonly ChannelSettings[]> {
  const { layers } = (await deps.standing.current()).layers;
  return channelsSet(layers.map(({ policy }) => policy));
}

export async function channelStates(deps: Deps, looking: Looking): Promise<readonly ChannelState[]> {
  const set = await settingsInForce(deps);
  return Promise.all(set.map((settings) => stateOf(deps, looking, settings)));
}

async function stateOf(
  deps: Deps,
  { maker, url, last, connections }: Looking,
  settings: ChannelSettings,
): Promise<ChannelState> {
  const { kind } = settings;
  const [latest, connection] = [last?.get(kind), connections?.get(kind)];
  // A channel that cannot be made is told by its test; here it only has no callback.
  const channel = await maker.open(settings).catch(() => undefined);
  return {
    kind,
    secrets: secretsOf({ maker }, settings),
    waiting: await countOf(deps, `waiting ${kind}`),
    dead: await countOf(deps, `dead ${kind}`),
    ...(latest === undefined ? {} : { last: latest }),
    ...(connection === undefined ? {} : { connection }),
    ...(channel?.hear === undefined || url === undefined ? {} : { callback: `${url}/channels/${kind}` }),
  };
}

export function secretsOf({ maker }: Pick<Sending, "maker">, settings: ChannelSettings): readonly SecretState[] {
  return secretsIn(settings).map(({ key, ref }) => ({ key, ref, found: maker.hasSecret(ref) }));
}

function countOf({ store, workspace }: Deps, collect: `${"waiting" | "dead"} ${ChannelKind}`): Promise<number> {
  return store.read({ ask: "count", workspace, table: "notices", where: { collect } });
}

/** The kind that somebody named. */
export function kindNamed(name: string): { ok: true; value: ChannelKind } | Refused {
  if (isChannelKind(name)) return { ok: true, value: name };
  const hint = say("hint.channel_kinds", { kinds: CHANNEL_KINDS.join(", ") });
  return refused("LEEWAY_NOT_FOUND", say("refusal.channel_unknown", { name }), hint);
}

export function notSetUp(channel: ChannelKind): Refused {
  return refused("LEEWAY_NOT_FOUND", say("refusal.channel_not_set", { channel }), say("hint.set_channel_up"));
}
