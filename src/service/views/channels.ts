import { type ChannelKind, secretText } from "../../core/channel.ts";
import { say } from "../../core/messages/message.ts";
import { inEnglish, textOf } from "../../core/messages/text.ts";
import type { NoticeText } from "../../core/notice.ts";
import type { ChannelValues } from "../../core/policy/channel-fields.ts";
import type { JsonObject } from "../../core/values/json.ts";
import type { Deps } from "../../gate/deps.ts";
import { type ChannelState, channelStates, type Looking } from "../../gate/notices/channel-states.ts";
import { type DeadNotice, deadNotices } from "../../gate/notices/dead-notices.ts";
import type { Sending } from "../../gate/notices/sending.ts";
import type { Tried } from "../../gate/notices/try-channel.ts";
import { badInput, LeewayRefusal } from "../refusal.ts";
import { inside, kindOf } from "../shape.ts";

/** A channel as every door shows it. */
export type ChannelView = Omit<ChannelState, "secrets" | "last" | "connection"> & {
  secrets: readonly { key: string; at: string; found: boolean }[];
  /** How the last delivery went since the server started. */
  last?: { atMs: number; ok: boolean; failure?: string };
  /** Since when the connection stands by which people answer, or why it does not. */
  connection?: { atMs: number; ok: boolean; failure?: string };
};

export async function channelViews(deps: Deps, looking: Looking): Promise<readonly ChannelView[]> {
  return (await channelStates(deps, looking)).map(channelView);
}

function channelView({ secrets, last, connection, ...state }: ChannelState): ChannelView {
  return {
    ...state,
    secrets: secrets.map(({ key, ref, found }) => ({ key, at: secretText(ref), found })),
    ...(last === undefined ? {} : { last: { ok: last.failure === undefined, ...last } }),
    ...(connection === undefined ? {} : { connection: { ok: connection.failure === undefined, ...connection } }),
  };
}

/** The result of a test, for programs. */
export type TestView = {
  kind: ChannelKind;
  ok: boolean;
  /** Who got the message: the person who tested, the chat of the settings, or nobody. */
  told?: "you" | "chat" | "nobody";
  /** The step at which the test failed. */
  at?: "settings" | "secrets" | "service" | "message";
  why?: string;
  remedy?: string;
};

export function testView(kind: ChannelKind, tried: Tried): TestView {
  const said = "why" in tried ? { why: textOf(tried.why, "en"), remedy: textOf(tried.remedy, "en") } : {};
  return tried.ok ? { kind, ok: true, told: tried.told, ...said } : { kind, ok: false, at: tried.at, ...said };
}

/** The settings of a channel as a program gives them: texts, yes or no, and lists of texts. */
export function valuesOf(given: JsonObject, path: string): ChannelValues {
  const isText = (value: unknown): value is string => typeof value === "string";
  const entries = Object.entries(given).map(([key, value]): [string, ChannelValues[string]] => {
    if (typeof value === "string" || typeof value === "boolean") return [key, value];
    if (Array.isArray(value) && value.every(isText)) return [key, value];
    throw badInput(inside(path, key), say("refusal.not_text", { kind: kindOf(value) }), say("hint.give_text"));
  });
  return Object.fromEntries(entries);
}

/** Only a server sends; a program that opened the gate itself has nothing to send with. */
export function sendingOf({ sending }: { sending?: Sending }): Sending {
  if (sending !== undefined) return sending;
  throw new LeewayRefusal({
    code: "LEEWAY_NOT_FOUND",
    reason: say("refusal.no_sender"),
    hint: say("hint.ask_a_server"),
  });
}

/** A notice that was given up, and why. */
export type DeadView = Pick<NoticeText, "id" | "kind" | "to" | "title" | "channel" | "createdMs" | "attempts"> & {
  atMs: number;
  why: string;
};

export async function deadViews(deps: Deps): Promise<readonly DeadView[]> {
  return (await deadNotices(deps)).map(deadView);
}

function deadView(notice: DeadNotice): DeadView {
  const { id, kind, to, title, channel, createdMs, attempts, atMs, why } = inEnglish(notice);
  return { id, kind, to, title, channel, createdMs, attempts, atMs, why };
}
