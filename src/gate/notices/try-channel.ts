import {
  type ChannelKind,
  type ChannelSettings,
  type Contact,
  channelsFor,
  type SecretRef,
  secretsIn,
} from "../../core/channel.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { PersonName } from "../../core/ids.ts";
import { type Message, messageOf, say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Person } from "../../core/people.ts";
import { type ChannelValues, channelFields, channelLines, typedSecret } from "../../core/policy/channel-fields.ts";
import { type Channel, ChannelFailure, type Outgoing } from "../../ports.ts";
import type { Deps } from "../deps.ts";
import { actingAdmin, type HeldStanding } from "../people/acting.ts";
import { notSetUp, secretsOf } from "./channel-states.ts";
import { personNamed } from "./outgoing.ts";
import { type Sending, settingsOf } from "./sending.ts";

// Trying a channel: are its secrets there, do its settings work, does a message arrive. Nothing is stored.

/** How far it went. A failure says exactly what is wrong, and what to do. */
export type Tried =
  | { ok: true; told: "you" | "chat" }
  | { ok: true; told: "nobody"; why: Message; remedy: Message }
  | { ok: false; at: "settings" | "secrets" | "service" | "message"; why: Message; remedy: Message };

type Answer = { ok: true; value: Tried } | Refused;

/** The channel as the policy in force sets it up. */
export async function tryChannel(deps: Deps, sending: Sending, kind: ChannelKind, by: PersonName): Promise<Answer> {
  const admin = actingAdmin((await deps.standing.current()) as HeldStanding, by, say("act.test_channels"));
  if ("code" in admin) return admin;
  const settings = await settingsOf(deps, kind);
  if (settings === undefined) return notSetUp(kind);
  const tried = await tryBy(deps, sending, { settings, by, open: () => sending.maker.open(settings) });
  // The result of the test is the newest state of the channel, and nothing has to wait for the channel any more.
  const atMs = deps.clock.nowMs();
  sending.last.set(kind, tried.ok ? { atMs } : { atMs, failure: textOf(tried.why, "en") });
  if (tried.ok) sending.downUntilMs.delete(kind);
  return { ok: true, value: tried };
}

/** Settings that no policy has yet, as somebody filled them in, with the lines for the policy file. */
export type Drafted = { lines: string; settings: ChannelSettings };

export function draftSettings(
  deps: Deps,
  kind: ChannelKind,
  values: ChannelValues,
): { ok: true; value: Drafted } | Refused {
  const keys = channelFields(kind).map(({ key }) => key);
  if (Object.keys(values).some((key) => !keys.includes(key)))
    return refused("LEEWAY_BAD_INPUT", say("refusal.unknown_key"), say("hint.the_keys", { keys: keys.join(", ") }));
  const secret = typedSecret(kind, values);
  if (secret !== undefined) {
    const { key, is } = secret;
    const why = is === "no place" ? say("refusal.secret_typed", { key }) : say("refusal.looks_secret", { key });
    return refused("LEEWAY_BAD_INPUT", why, say("hint.name_secret_place"));
  }
  const lines = channelLines(kind, values);
  const loaded = deps.policies.parse(`version: 1\n${lines}`, kind);
  const [fault] = loaded.ok ? [] : loaded.faults;
  const settings = loaded.ok ? loaded.policy.channels?.[0] : undefined;
  if (settings !== undefined) return { ok: true, value: { lines, settings } };
  return refused("LEEWAY_BAD_INPUT", fault?.message ?? say("refusal.empty"), fault?.hint ?? say("hint.check_settings"));
}

/** Tries a draft with a separate channel, which is closed afterwards. */
export async function tryDraft(
  deps: Deps,
  sending: Sending,
  settings: ChannelSettings,
  by: PersonName,
): Promise<Tried> {
  const key = addressNotIn(await settingsOf(deps, settings.kind), settings);
  const refusedHere = notBeforePolicy(settings, key);
  if (refusedHere !== undefined) return refusedHere;
  let made: Channel | undefined;
  const open = async () => {
    made = await sending.maker.trial(settings, { nearby: key === undefined });
    return made;
  };
  try {
    return await tryBy(deps, sending, { settings, by, open });
  } finally {
    await made?.close?.();
  }
}

/** What the name of a variable or a file has to contain, so that the server reads it for settings that nobody accepted. */
const MEANT_FOR: { readonly [K in ChannelKind]: readonly string[] } = {
  feishu: ["feishu", "lark"],
  slack: ["slack"],
  email: ["mail", "smtp"],
  webhook: ["hook"],
  push: ["push"],
  terminal: ["terminal"],
};

/**
 * An admin who fills in a form is not the person who runs the server. What they fill in must not make the server send its
 * own secrets to an address of theirs, or ask addresses in its own network.
 */
function notBeforePolicy(settings: ChannelSettings, newAddress: string | undefined): Tried | undefined {
  const remedy = say("reach.accept_then_test");
  const key = ["api", "nearby"].find((name) => name in settings);
  if (key !== undefined) return { ok: false, at: "settings", why: say("reach.not_before_policy", { key }), remedy };
  const words = MEANT_FOR[settings.kind];
  const secrets = secretsIn(settings);
  const other = secrets.find(({ ref }) => !isMeant(ref, words));
  if (other !== undefined) {
    const listed = words.map((word) => `\`${word}\``).join(" / ");
    const why = say("reach.secret_not_meant", { key: other.key, words: listed });
    return { ok: false, at: "secrets", why, remedy: say("reach.rename_or_accept") };
  }
  const [secret] = secrets;
  if (secret === undefined || newAddress === undefined) return undefined;
  const why = say("reach.address_not_accepted", { key: secret.key, address: newAddress });
  return { ok: false, at: "secrets", why, remedy };
}

/** The key of an address in these settings that the accepted settings of the channel do not have. */
function addressNotIn(accepted: ChannelSettings | undefined, settings: ChannelSettings): string | undefined {
  const known = addressesIn(accepted ?? {});
  return [...addressesIn(settings)].find(([key, address]) => known.get(key) !== address)?.[0];
}

function addressesIn(settings: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(settings).filter(([key]) => ["smtp", "url", "api"].includes(key)));
}

function isMeant({ name }: SecretRef, words: readonly string[]): boolean {
  const last = name.toLowerCase().split(/[\\/]/).at(-1) ?? "";
  return words.some((word) => last.includes(word));
}

type Trying = { settings: ChannelSettings; by: PersonName; open(): Promise<Channel> };

async function tryBy(deps: Deps, sending: Sending, { settings, by, open }: Trying): Promise<Tried> {
  const missing = secretsOf(sending, settings).find(({ found }) => !found);
  if (missing !== undefined) return missingSecret(missing);
  let channel: Channel;
  try {
    channel = await open();
    await channel.try?.();
  } catch (error) {
    return { ok: false, at: "service", ...failureOf(error) };
  }
  const receiver = receiverOf(settings, await personNamed(deps, by));
  if (receiver === undefined)
    return { ok: true, told: "nobody", why: say("reach.nobody_to_tell"), remedy: say("reach.link_first") };
  try {
    await channel.deliver(testMessage(deps, sending, { settings, by, receiver }));
    return { ok: true, told: receiver.address.to === "person" ? "you" : "chat" };
  } catch (error) {
    return { ok: false, at: "message", ...failureOf(error) };
  }
}

function missingSecret({ key, ref }: { key: string; ref: SecretRef }): Tried {
  const named = { key, name: ref.name };
  return ref.from === "env"
    ? { ok: false, at: "secrets", why: say("reach.no_variable", named), remedy: say("reach.set_variable") }
    : { ok: false, at: "secrets", why: say("reach.no_file", named), remedy: say("reach.make_file") };
}

const REMEDIES = {
  busy: say("reach.remedy_busy"),
  down: say("reach.remedy_down"),
  gone: say("reach.remedy_gone"),
  refused: say("reach.remedy_refused"),
} satisfies Record<ChannelFailure["kind"], Message>;

/** What the channel says is wrong, and what to do about a failure of this kind. */
function failureOf(error: unknown): { why: Message; remedy: Message } {
  const why = messageOf(error instanceof Error ? error.message : String(error));
  return { why, remedy: REMEDIES[error instanceof ChannelFailure ? error.kind : "down"] };
}

type Receiver = Pick<Outgoing, "address" | "language">;

/** The account of whoever tests; without one, the chat or endpoint of the settings. */
function receiverOf(settings: ChannelSettings, person: Person | undefined): Receiver | undefined {
  const contacts: readonly Contact[] = person?.contacts?.filter(({ channel }) => channel === settings.kind) ?? [];
  const language = person?.reach?.language ?? settings.language ?? "en";
  if (contacts.length > 0) return { address: { to: "person", contacts }, language };
  const [place] = channelsFor([{ channels: [settings], agents: [] }]).flatMap(({ places }) => places);
  return place === undefined ? undefined : { address: { to: "place", place }, language: settings.language ?? "en" };
}

function testMessage(
  deps: Deps,
  { origin }: Sending,
  { settings, by, receiver }: { settings: ChannelSettings; by: PersonName; receiver: Receiver },
): Outgoing {
  const { language } = receiver;
  return messageFor(deps, {
    channel: settings.kind,
    to: by,
    title: textOf(say("reach.test_title"), language),
    text: textOf(say("reach.test_text", { person: by }), language),
    ...receiver,
    link: `${origin}/settings`,
  });
}

type Said = Pick<Outgoing, "channel" | "to" | "title" | "text" | "address" | "language"> & { link: string };

/** A message that is sent at once and not stored, because it does not matter if it never arrives. */
function messageFor(deps: Deps, said: Said): Outgoing {
  const nowMs = deps.clock.nowMs();
  return {
    id: deps.mint.next("ntc"),
    workspace: deps.workspace,
    kind: "access",
    ref: said.to,
    createdMs: nowMs,
    attempts: 0,
    dueMs: nowMs,
    state: "waiting",
    ...said,
  };
}
