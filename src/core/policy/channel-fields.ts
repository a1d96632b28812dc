import type { ChannelKind } from "../channel.ts";
import { maskText } from "../masking/redact.ts";
import type { PlainId } from "../messages/message.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";
import { channels, secretRef } from "./channels.ts";

// For setting up a channel by a form or by questions: the fields to fill in, which come from the shape of the policy, and
// the lines of the policy file that the answers become.

/** One key of a channel in the policy, as somebody fills it in. */
export type ChannelField = {
  key: string;
  required: boolean;
  /** True if the value says where a secret is: `env:NAME` or `file:PATH`. */
  secret: boolean;
  /** Several values may be given. */
  many: boolean;
  /** The words to choose from, where only some are allowed. */
  words?: readonly string[];
  /** True if the value is yes or no. */
  flag: boolean;
  label: PlainId<"field">;
  example: string;
};

/** What was filled in, by key. Keys that were left empty are not there. */
export type ChannelValues = { readonly [key: string]: string | boolean | readonly string[] };

const FIELDS: { readonly [key: string]: readonly [label: PlainId<"field">, example: string] } = {
  appId: ["field.app_id", "cli_a1b2c3d4e5f6"],
  appSecret: ["field.app_secret", "env:FEISHU_APP_SECRET"],
  verificationToken: ["field.verification_token", "env:FEISHU_VERIFICATION_TOKEN"],
  encryptKey: ["field.encrypt_key", "env:FEISHU_ENCRYPT_KEY"],
  domain: ["field.domain", "feishu"],
  chat: ["field.chat", ""],
  api: ["field.api", "https://proxy.example.com"],
  language: ["field.language", "en"],
  botToken: ["field.bot_token", "env:SLACK_BOT_TOKEN"],
  signingSecret: ["field.signing_secret", "env:SLACK_SIGNING_SECRET"],
  appToken: ["field.app_token", "env:SLACK_APP_TOKEN"],
  from: ["field.from", "Leeway <leeway@example.com>"],
  smtp: ["field.smtp", "smtps://mail.example.com:465"],
  user: ["field.user", "leeway@example.com"],
  password: ["field.password", "env:SMTP_PASSWORD"],
  url: ["field.url", "https://example.com/leeway"],
  secret: ["field.secret", "env:WEBHOOK_SECRET"],
  nearby: ["field.nearby", ""],
  subject: ["field.subject", "mailto:admin@example.com"],
};

/** Every key of a channel, in the order of the policy's shape. */
export function channelFields(kind: ChannelKind): readonly ChannelField[] {
  const shape = memberOf(memberOf(channels.schema, "properties"), kind);
  const needed = shape["required"];
  return Object.entries(memberOf(shape, "properties")).map(([key, schema]) => {
    const known = FIELDS[key];
    if (known === undefined) throw new Error(`the key ${key} of channels has no label (this is a bug)`);
    const [label, example] = known;
    const required = Array.isArray(needed) && needed.includes(key);
    return { key, required, label, example, ...formOf(schema) };
  });
}

function memberOf(schema: JsonObject, key: string): JsonObject {
  const found = schema[key];
  if (found === undefined || !isObject(found)) throw new Error(`the shape of channels has no ${key} (this is a bug)`);
  return found;
}

type Form = Pick<ChannelField, "secret" | "many" | "words" | "flag">;

function formOf(schema: Json): Form {
  const own = isObject(schema) ? schema : {};
  const either = own["anyOf"] ?? own["oneOf"];
  if (Array.isArray(either)) {
    const single = either.find((one) => isObject(one) && one["type"] === "string");
    return { ...formOf(single ?? {}), many: true };
  }
  const words = own["enum"];
  const isText = (value: Json): value is string => typeof value === "string";
  return {
    secret: typeof own["pattern"] === "string" && own["pattern"].startsWith("^(env|file):"),
    many: false,
    flag: own["type"] === "boolean",
    ...(Array.isArray(words) ? { words: words.filter(isText) } : {}),
  };
}

/** The key whose value is a secret, or looks like one. This value must never be shown. */
export function typedSecret(
  kind: ChannelKind,
  values: ChannelValues,
): { key: string; is: "no place" | "looks secret" } | undefined {
  const fields = new Map(channelFields(kind).map((field) => [field.key, field]));
  for (const [key, value] of Object.entries(values)) {
    for (const text of typeof value === "object" ? value : [String(value)]) {
      if (fields.get(key)?.secret === true && secretRef(text) === undefined) return { key, is: "no place" };
      if (maskText(text) !== text || hasPassword(text)) return { key, is: "looks secret" };
    }
  }
  return undefined;
}

function hasPassword(text: string): boolean {
  return URL.canParse(text) && new URL(text).password !== "";
}

/** The lines for a policy file. */
export function channelLines(kind: ChannelKind, values: ChannelValues): string {
  const rows = Object.entries(values).map(([key, value]) => `    ${key}: ${written(value)}`);
  return rows.length === 0 ? `channels:\n  ${kind}: {}\n` : `channels:\n  ${kind}:\n${rows.join("\n")}\n`;
}

function written(value: ChannelValues[string]): string {
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string") return scalar(value);
  const [only, ...more] = value;
  return only !== undefined && more.length === 0
    ? scalar(only)
    : `[${value.map((one) => JSON.stringify(one)).join(", ")}]`;
}

/** Words that YAML would not read as text have to be quoted; JSON's quotes are YAML's too. */
function scalar(text: string): string {
  const isPlain = /^[A-Za-z][\w./@+-]*(:[\w./@+-]+)*$/.test(text) && !/^(true|false|null|yes|no|on|off)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
