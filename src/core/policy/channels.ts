import {
  type AgentChannel,
  CHANNEL_KINDS,
  type ChannelKind,
  type ChannelSettings,
  type SecretRef,
} from "../channel.ts";
import { say } from "../messages/message.ts";
import { object, optional, required } from "./map-shape.ts";
import { flag, oneOf, oneOrMany, type PolicyShape, refine, text, word } from "./shape.ts";

// `channels:` of a policy: for everybody, and for one agent.

/** `env:NAME` or `file:PATH`. A secret in the policy itself is refused, because everybody who reads the policy would see it; the fault does not repeat it. */
const secret: PolicyShape<SecretRef> = {
  schema: { type: "string", pattern: "^(env|file):.+" },
  read: (tree, faults) => {
    const ref = tree.is === "scalar" && typeof tree.value === "string" ? secretRef(tree.value) : undefined;
    if (ref === undefined) faults.add(tree.at, say("policy.expected_secret_place"), say("policy.write_secret_place"));
    return ref;
  },
};

export function secretRef(given: string): SecretRef | undefined {
  const found = /^(env|file):(.+)$/s.exec(given);
  if (found === null) return undefined;
  return { from: found[1] === "env" ? "env" : "file", name: found[2] ?? "" };
}

const address = (what: "thing.web_address" | "thing.mail_server", protocols: readonly string[]) =>
  word({
    what,
    schema: { type: "string", format: "uri" },
    parse: (given) => (URL.canParse(given) && protocols.includes(new URL(given).protocol) ? given : undefined),
    hint: say("policy.write_address", { protocols: protocols.map((one) => `${one}//`) }),
  });

const webAddress = address("thing.web_address", ["https:", "http:"]);
const language = oneOf("thing.language", ["en", "zh"]);
const chat = text("thing.chat");

const feishu = object("thing.channel_feishu", {
  appId: required(text("thing.app_id")),
  appSecret: required(secret),
  verificationToken: optional(secret),
  encryptKey: optional(secret),
  domain: optional(oneOf("thing.feishu_domain", ["feishu", "lark"])),
  chat: optional(chat),
  api: optional(webAddress),
  language: optional(language),
});

const slack = object("thing.channel_slack", {
  botToken: required(secret),
  signingSecret: optional(secret),
  appToken: optional(secret),
  chat: optional(chat),
  api: optional(webAddress),
  language: optional(language),
});

const email = object("thing.channel_email", {
  from: required(text("thing.mail_address")),
  smtp: required(address("thing.mail_server", ["smtps:", "smtp:"])),
  user: optional(text("thing.user_name")),
  password: optional(secret),
  language: optional(language),
});

const webhook = object("thing.channel_webhook", {
  url: required(webAddress),
  secret: required(oneOrMany(secret)),
  nearby: optional(flag),
  language: optional(language),
});

const push = object("thing.channel_push", {
  subject: required(address("thing.web_address", ["mailto:", "https:"])),
  nearby: optional(flag),
  language: optional(language),
});

const terminal = object("thing.channel_terminal", { language: optional(language) });
const inbox = object("thing.channel_inbox", {});

/** The settings of each channel; the inbox has none, because it is always there. */
export const channels: PolicyShape<readonly ChannelSettings[]> = refine(
  object("thing.channels", {
    inbox: optional(inbox),
    feishu: optional(feishu),
    slack: optional(slack),
    email: optional(email),
    webhook: optional(webhook),
    push: optional(push),
    terminal: optional(terminal),
  }),
  ({ inbox: _, ...set }) =>
    CHANNEL_KINDS.flatMap((kind) => {
      const settings = set[kind];
      return settings === undefined ? [] : [{ kind, ...settings } as ChannelSettings];
    }),
);

const changed = object("thing.agent_channel", { off: optional(flag), chat: optional(chat) });

export const agentChannels: PolicyShape<readonly AgentChannel[]> = refine(
  object(
    "thing.channels",
    Object.fromEntries(CHANNEL_KINDS.map((kind) => [kind, optional(changed)])) as {
      [K in ChannelKind]: ReturnType<typeof optional<{ off?: boolean; chat?: string }>>;
    },
  ),
  (set) =>
    CHANNEL_KINDS.flatMap((kind) => {
      const change = set[kind];
      return change === undefined ? [] : [{ kind, ...change }];
    }),
);
