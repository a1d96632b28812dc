import { hearsByConnection } from "../../core/channel.ts";
import type { Channel } from "../../ports.ts";
import type { Deps } from "../deps.ts";
import { settingsInForce } from "./channel-states.ts";
import { listenerOf } from "./listener.ts";
import type { Sending } from "./sending.ts";

// Some channels hear people by a connection that the server opens. It is there as long as the policy in force sets the
// channel up so, and is opened anew when the settings change.

type Held = { channel: Channel; stop(): Promise<void> };

type Listening = { everyMs: number; onError(error: unknown): void };

/** Keeps the connections of all channels that have one, until stopped. */
export function startListening(deps: Deps, sending: Sending, { everyMs, onError }: Listening): () => Promise<void> {
  const held = new Map<string, Held>();
  let going = look(deps, sending, held).catch(onError);
  const timer = setInterval(() => {
    going = going.then(() => look(deps, sending, held)).catch(onError);
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await going;
    await Promise.all([...held.values()].map(({ stop }) => stop()));
  };
}

async function look(deps: Deps, sending: Sending, held: Map<string, Held>): Promise<void> {
  const set = (await settingsInForce(deps)).filter(hearsByConnection);
  for (const [kind, { stop }] of held) {
    if (set.some((settings) => settings.kind === kind)) continue;
    held.delete(kind);
    sending.connections.delete(kind);
    await stop();
  }
  for (const settings of set) {
    const { kind } = settings;
    const channel = await sending.maker.open(settings);
    const before = held.get(kind);
    if (before?.channel === channel || channel.listen === undefined) continue;
    held.delete(kind);
    await before?.stop();
    const stop = channel.listen(listenerOf(deps, sending, kind), (failure) => {
      const stands = { atMs: deps.clock.nowMs(), ...(failure === undefined ? {} : { failure }) };
      sending.connections.set(kind, stands);
    });
    held.set(kind, { channel, stop });
  }
}
