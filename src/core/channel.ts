import type { Language } from "./messages/text.ts";

// Channels: the places outside the inbox where people are told and, if the place can prove who they are, can answer.

/** The channels that a policy can set up; each is set up at most once. */
export const CHANNEL_KINDS = ["feishu", "slack", "email", "webhook", "push", "terminal"] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

export function isChannelKind(name: string): name is ChannelKind {
  return CHANNEL_KINDS.some((kind) => kind === name);
}

/** Where a secret is kept. The policy never holds the secret itself. */
export type SecretRef = { from: "env" | "file"; name: string };

type Everywhere = {
  /** The language of messages to a chat; people choose their own. */
  language?: Language;
};

export type FeishuSettings = Everywhere & {
  appId: string;
  appSecret: SecretRef;
  /** For callbacks: without it or the encryption key, messages have no buttons. */
  verificationToken?: SecretRef;
  encryptKey?: SecretRef;
  domain?: "feishu" | "lark";
  /** A group chat where every question is shown. */
  chat?: string;
  /** Another address of the service, for tests and proxies. */
  api?: string;
};

export type SlackSettings = Everywhere & {
  botToken: SecretRef;
  /** For callbacks: without it or the app token, messages have no buttons. */
  signingSecret?: SecretRef;
  /** For socket mode: Slack sends over a connection that the server opens, and needs no address of the server. */
  appToken?: SecretRef;
  chat?: string;
  api?: string;
};

export type EmailSettings = Everywhere & {
  from: string;
  /** `smtps://host:465` or `smtp://host:587`. */
  smtp: string;
  user?: string;
  password?: SecretRef;
};

export type WebhookSettings = Everywhere & {
  url: string;
  /** Several while a secret is replaced: every message is signed with each. */
  secret: readonly SecretRef[];
  /** Whether the address may be in a private network. */
  nearby?: boolean;
};

/** The keys of web push are made by the server itself and kept in its state folder. */
export type PushSettings = Everywhere & {
  /** An address of the operator, `mailto:` or `https:`, which push services ask for. */
  subject: string;
  /** Whether push services may be in a private network. */
  nearby?: boolean;
};

export type ChannelSettings =
  | ({ kind: "feishu" } & FeishuSettings)
  | ({ kind: "slack" } & SlackSettings)
  | ({ kind: "email" } & EmailSettings)
  | ({ kind: "webhook" } & WebhookSettings)
  | ({ kind: "push" } & PushSettings)
  | ({ kind: "terminal" } & Everywhere);

/** Whether the server opens a connection to hear what people do in this channel. */
export function hearsByConnection(settings: ChannelSettings): boolean {
  return settings.kind === "slack" && settings.appToken !== undefined;
}

/** The secrets that a channel needs: the key in the policy, and where each is kept. */
export function secretsIn(settings: ChannelSettings): readonly { key: string; ref: SecretRef }[] {
  return Object.entries(settings).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).filter(isSecretRef).map((ref) => ({ key, ref })),
  );
}

function isSecretRef(value: unknown): value is SecretRef {
  return typeof value === "object" && value !== null && "from" in value && "name" in value;
}

/** The place of a secret as it is written in a policy. */
export function secretText({ from, name }: SecretRef): string {
  return `${from}:${name}`;
}

/** What a policy changes about one channel for one agent. */
export type AgentChannel = { kind: ChannelKind; off?: boolean; chat?: string };

/** An account of a person in a channel, proved by the person. */
export type Contact = {
  channel: ChannelKind;
  /** The channel's own name for the account: an open id, a user id, a mail address, or the address of a browser. */
  account: string;
  /** The name by which people recognise the account. */
  label: string;
  linkedMs: number;
  /** Feishu: the id of the same account in the company, if the app may see it. */
  userId?: string;
  /** Web push: the keys of the browser, used to encrypt what is sent to it. */
  keys?: { p256dh: string; auth: string };
};

/** When and how a person wants to get notices. */
export type PersonReach = {
  /** Channels that the person does not want. */
  off?: readonly ChannelKind[];
  /** From and to as `22:00`, in a time zone by its IANA name. */
  quiet?: { from: string; to: string; zone: string };
  language?: Language;
};

/** A channel as notices are written for it. */
export type ChannelInForce = {
  name: string;
  /** `linked`: people with an account there. `all`: everybody; the program that gave the channel finds them. */
  people: "all" | "linked" | "none";
  /** Chats and endpoints that get every question, whoever is asked. */
  places: readonly string[];
  /** Messages can be changed later, so that a question that is answered loses its buttons. */
  updates: boolean;
};

/** The inbox is always there, for everybody. */
export const INBOX: ChannelInForce = { name: "inbox", people: "all", places: [], updates: false };

/** The part of a policy that is about channels. */
type ChannelPolicy = {
  channels?: readonly ChannelSettings[];
  agents: readonly { name: string; channels?: readonly AgentChannel[] }[];
  beside?: true;
};

/** The channels that these policies set up, outermost first. A file that nobody accepted cannot set one up. */
export function channelsSet(policies: readonly ChannelPolicy[]): readonly ChannelSettings[] {
  const found = new Map<ChannelKind, ChannelSettings>();
  for (const { channels, beside } of policies) {
    if (beside === true) continue;
    for (const settings of channels ?? []) if (!found.has(settings.kind)) found.set(settings.kind, settings);
  }
  return [...found.values()];
}

/** Where notices about this agent go; without an agent, where notices about none go. */
export function channelsFor(policies: readonly ChannelPolicy[], agent?: string): readonly ChannelInForce[] {
  const changed = new Map<ChannelKind, AgentChannel>();
  for (const { agents, beside } of policies) {
    if (beside === true || agent === undefined) continue;
    for (const one of agents.find(({ name }) => name === agent)?.channels ?? [])
      if (!changed.has(one.kind)) changed.set(one.kind, one);
  }
  return channelsSet(policies).flatMap((settings) => {
    const change = changed.get(settings.kind);
    return change?.off === true ? [] : [inForceOf(settings, change?.chat)];
  });
}

function inForceOf(settings: ChannelSettings, chat: string | undefined): ChannelInForce {
  const name = settings.kind;
  switch (settings.kind) {
    case "feishu":
    case "slack": {
      const place = chat ?? settings.chat;
      return { name, people: "linked", places: place === undefined ? [] : [place], updates: true };
    }
    case "email":
    case "push":
      return { name, people: "linked", places: [], updates: false };
    case "webhook":
      return { name, people: "none", places: [WEBHOOK_PLACE], updates: false };
    case "terminal":
      return { name, people: "none", places: [TERMINAL_PLACE], updates: false };
  }
}

const WEBHOOK_PLACE = "endpoint";
const TERMINAL_PLACE = "terminal";

/** The address of a notice to a chat or an endpoint instead of a person. */
export function placeAddress(place: string): string {
  return `place:${place}`;
}

export function placeIn(address: string): string | undefined {
  return address.startsWith("place:") ? address.slice("place:".length) : undefined;
}

/** The end of the quiet hours that this moment is in; undefined if it is in none. */
export function quietUntilMs(quiet: NonNullable<PersonReach["quiet"]>, nowMs: number): number | undefined {
  const from = minutesOf(quiet.from);
  const to = minutesOf(quiet.to);
  const now = minutesInZone(nowMs, quiet.zone);
  if (from === undefined || to === undefined || now === undefined || from === to) return undefined;
  const isQuiet = from < to ? now >= from && now < to : now >= from || now < to;
  if (!isQuiet) return undefined;
  const left = (to - now + MINUTES_PER_DAY) % MINUTES_PER_DAY;
  return nowMs - (nowMs % MINUTE_MS) + left * MINUTE_MS;
}

const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = 24 * 60;

/** Minutes since midnight of a time like `22:00`. */
export function minutesOf(time: string): number | undefined {
  const found = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  return found === null ? undefined : Number(found[1]) * 60 + Number(found[2]);
}

/** Minutes since midnight in a time zone, if the zone is known. */
export function minutesInZone(nowMs: number, zone: string): number | undefined {
  try {
    const clock = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hour: "2-digit",
      minute: "2-digit",
      hour12: false,
    });
    return minutesOf(clock.format(nowMs));
  } catch {
    // The zone was known when it was chosen. If this machine does not know it, there are no quiet hours.
    return undefined;
  }
}
