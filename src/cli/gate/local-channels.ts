import { readSettings } from "../../config/environment.ts";
import { announcedServer } from "../../config/server-file.ts";
import type { ChannelKind } from "../../core/channel.ts";
import type { Deps } from "../../gate/deps.ts";
import { retryNotice } from "../../gate/notices/dead-notices.ts";
import type { Sending } from "../../gate/notices/sending.ts";
import { tryChannel } from "../../gate/notices/try-channel.ts";
import { ownChannels, sendingBy } from "../../serve.ts";
import { orThrow } from "../../service/refusal.ts";
import { type ChannelView, channelViews, type TestView, testView } from "../../service/views/channels.ts";
import { type NoticeView, noticeView } from "../../service/views/notices.ts";
import type { Io } from "../terminal/io.ts";

/** The server that runs on this database, if there is one. */
export function serverHere({ env }: Pick<Io, "env">): { url: string } | undefined {
  return announcedServer(readSettings(env).stateFolder);
}

/** Sends from this process, with the variables and files that this terminal can read. */
export async function sendingHere<T>(io: Pick<Io, "env">, act: (sending: Sending) => Promise<T>): Promise<T> {
  const maker = ownChannels(io.env);
  const url = serverHere(io)?.url ?? "http://127.0.0.1:4141";
  try {
    return await act(sendingBy(maker, { origin: url, url }));
  } finally {
    await maker.close();
  }
}

export function channelsHere(io: Pick<Io, "env">, deps: Deps): Promise<readonly ChannelView[]> {
  return sendingHere(io, (sending) => channelViews(deps, sending));
}

export function testHere(io: Pick<Io, "env">, deps: Deps, kind: ChannelKind, by: string): Promise<TestView> {
  return sendingHere(io, async (sending) => testView(kind, orThrow(await tryChannel(deps, sending, kind, by))));
}

/** The server that runs on this database sends it. */
export async function retryHere(deps: Deps, id: string, by: string): Promise<NoticeView> {
  return noticeView(orThrow(await retryNotice(deps, id, { by })));
}
