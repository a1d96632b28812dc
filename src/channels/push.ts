import type { RequestDetails, RequestOptions } from "web-push";
import type { Contact, PushSettings } from "../core/channel.ts";
import { sha256Hex } from "../core/values/hash.ts";
import { type Channel, ChannelFailure, type Delivered, type Outgoing } from "../ports.ts";
import { optionalPackage } from "./optional-package.ts";
import { pushKeys } from "./push-keys.ts";
import { requestService, said } from "./service-request.ts";
import type { ChannelTools } from "./tools.ts";

/**
 * A notification in each browser of a person that they chose (RFC 8030, 8291 and 8292). It says who asks for what, and
 * one tap opens the card. The push service in between reads nothing of it.
 */
export function pushChannel(settings: PushSettings, tools: Pick<ChannelTools, "nowMs" | "stateFolder">): Channel {
  const keys = () => pushKeys(tools.stateFolder);
  const send = async (device: Contact, outgoing: Outgoing, message: object, endMs: number): Promise<number> => {
    const made = await requestFor(device, JSON.stringify(message), {
      vapidDetails: { subject: settings.subject, ...keys() },
      TTL: secondsToLive(outgoing, tools.nowMs()),
      urgency: URGENT.includes(outgoing.kind) ? "high" : "normal",
      topic: topicOf(outgoing),
      contentEncoding: "aes128gcm",
    });
    const headers = Object.fromEntries(
      Object.entries(made.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const answer = await requestService({
      url: made.endpoint,
      headers,
      body: made.body ?? Buffer.alloc(0),
      nearby: settings.nearby === true,
      timeoutMs: Math.max(1, Math.round(endMs - performance.now())),
    });
    const { status } = answer;
    if (status === 404 || status === 410) throw new ChannelFailure("gone", "this browser no longer takes messages");
    if (status === 401 || status === 403)
      throw new ChannelFailure(
        "refused",
        `the push service does not accept the key of this server for this browser: remove it under Settings and add it again there (${said(answer)})`,
      );
    if (status !== 413 && (status < 200 || status >= 300)) throw new ChannelFailure("refused", said(answer));
    return status;
  };
  const sendTo = async (device: Contact, outgoing: Outgoing): Promise<void> => {
    const endMs = performance.now() + WHOLE_MS;
    if ((await send(device, outgoing, messageOf(outgoing), endMs)) !== TOO_LARGE) return;
    // A service may accept less than the standard requires; then a shorter message is sent, which says who asks.
    if ((await send(device, outgoing, shortMessageOf(outgoing), endMs)) === TOO_LARGE)
      throw new ChannelFailure("refused", "the push service takes no message of this length (413)");
  };
  return {
    name: "push",
    failsApart: true,
    deliver: (outgoing) => sendToAll(outgoing, sendTo),
    publicKey: async () => keys().publicKey,
    try: async () => {
      await webPush();
      keys();
    },
  };
}

const TOO_LARGE = 413;
/** The time limit for all browsers of a person together, because they get the message at the same time. */
const WHOLE_MS = 10_000;

async function webPush() {
  return (await optionalPackage("web-push", () => import("web-push"))).default;
}

/** If no message can be encrypted for a browser, it must subscribe again. */
async function requestFor(
  device: Contact,
  message: string,
  options: RequestOptions & Signing,
): Promise<RequestDetails> {
  const { generateRequestDetails, getVapidHeaders } = await webPush();
  const { subject, publicKey, privateKey } = options.vapidDetails;
  // Settings and keys of this server that cannot be used are not the fault of the browser.
  getVapidHeaders("https://push.example.com", subject, publicKey, privateKey, "aes128gcm");
  try {
    return generateRequestDetails({ endpoint: device.account, keys: device.keys ?? NO_KEYS }, message, options);
  } catch {
    throw new ChannelFailure("gone", `the keys of ${device.label} cannot be used`);
  }
}

type Signing = { vapidDetails: { subject: string; publicKey: string; privateKey: string } };
const NO_KEYS = { p256dh: "", auth: "" };

type SendTo = (device: Contact, outgoing: Outgoing) => Promise<void>;

/**
 * A person is told if one browser took it, and browsers that are gone are forgotten. If a service only asks to wait, all
 * get it again later: a notification with the same tag takes the place of the one before.
 */
async function sendToAll(outgoing: Outgoing, sendTo: SendTo): Promise<Delivered> {
  const devices = outgoing.address.to === "person" ? outgoing.address.contacts : [];
  const ends = await Promise.allSettled(devices.map((device) => sendTo(device, outgoing)));
  const failures = devices.flatMap((device, at) => {
    const end = ends[at];
    if (end?.status !== "rejected") return [];
    if (!(end.reason instanceof ChannelFailure)) throw end.reason;
    return [{ device, failure: end.reason }];
  });
  const gone = failures.filter(({ failure }) => failure.kind === "gone").map(({ device }) => device.account);
  const worst = WORST_FIRST.flatMap((kind) => failures.find(({ failure }) => failure.kind === kind)?.failure ?? [])[0];
  const isTold = failures.length < devices.length && (worst?.kind === "refused" || worst?.kind === "gone");
  if (worst === undefined || isTold) return { gone };
  throw new ChannelFailure(worst.kind, worst.message, worst.retryAfterMs, gone);
}

const WORST_FIRST = ["busy", "down", "refused", "gone"] as const;

/** Kinds that somebody has to answer. */
const URGENT: readonly string[] = ["pending", "reminder", "escalated", "unknown"];
const DAY_S = 24 * 60 * 60;

/** A message about a question is delivered only until the question must be answered. */
function secondsToLive({ question }: Outgoing, nowMs: number): number {
  if (question === undefined) return DAY_S;
  return Math.max(60, Math.min(28 * DAY_S, Math.floor((question.answerByMs - nowMs) / 1000)));
}

/** Of several messages about the same thing that wait at the push service, the last is kept. */
function topicOf({ ref }: Outgoing): string {
  return sha256Hex(ref).slice(0, 32);
}

/** Encrypted messages are padded to at most 4096 bytes; with less, every service takes them. */
const [TITLE_MAX, TEXT_MAX] = [120, 400];

/** The message contains no arguments: what would run is shown only where all of it can be shown. */
function messageOf({ title, text, question, ...outgoing }: Outgoing): object {
  return { ...shortMessageOf({ title, text, ...outgoing }), text: cut(question?.card.sentence ?? text, TEXT_MAX) };
}

function shortMessageOf({ ref, title, link = "/", language }: Outgoing): object {
  return { tag: ref, title: cut(title, TITLE_MAX), text: "", link, language };
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}
