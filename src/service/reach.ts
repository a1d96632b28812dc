import type { ChannelKind, Contact, PersonReach } from "../core/channel.ts";
import { type Refused, refused } from "../core/codes.ts";
import { type Message, say } from "../core/messages/message.ts";
import type { Person } from "../core/people.ts";
import type { Deps } from "../gate/deps.ts";
import { notSetUp, settingsInForce } from "../gate/notices/channel-states.ts";
import type { Acting } from "../gate/people/acting.ts";
import { CODE_MS, linkCode } from "../gate/people/contacts.ts";

// Where one person gets notices: their accounts, the channels in force, and what they chose.

/** How a person links an account to a channel; channels without accounts have none. */
export type LinkedBy = "code" | "mail" | "browser";

const LINKED_BY: { readonly [K in ChannelKind]?: LinkedBy } = {
  feishu: "code",
  slack: "code",
  email: "mail",
  push: "browser",
};

export type ReachView = {
  /** The channels in force that reach people by an account of theirs. */
  channels: readonly { kind: ChannelKind; linkedBy: LinkedBy; off: boolean }[];
  contacts: readonly Pick<Contact, "channel" | "account" | "label" | "linkedMs">[];
  reach: PersonReach;
};

export async function reachView(deps: Deps, person: Person): Promise<ReachView> {
  const { contacts = [], reach = {} } = person;
  const set = await settingsInForce(deps);
  const channels = set.flatMap(({ kind }) => {
    const linkedBy = LINKED_BY[kind];
    return linkedBy === undefined ? [] : [{ kind, linkedBy, off: reach.off?.includes(kind) === true }];
  });
  return { channels, contacts: contacts.map(contactView), reach };
}

/** Without the keys of a browser. */
function contactView({ channel, account, label, linkedMs }: Contact): ReachView["contacts"][number] {
  return { channel, account, label, linkedMs };
}

/** A code, the message to send with it, and the time until which it is valid at least. */
export type LinkCode = { code: string; send: Message; untilMs: number };

export async function linkCodeFor(
  deps: Deps,
  kind: ChannelKind,
  acting: Acting,
): Promise<{ ok: true; value: LinkCode } | Refused> {
  const isSet = (await settingsInForce(deps)).some((settings) => settings.kind === kind);
  if (!isSet) return notSetUp(kind);
  const send = SENT_FOR[kind];
  if (send === undefined)
    return refused("LEEWAY_BAD_INPUT", say("refusal.no_link_code", { channel: kind }), say("hint.link_kinds"));
  const made = await linkCode(deps, kind, acting);
  if (!made.ok) return made;
  const code = made.value;
  return { ok: true, value: { code, send: send(code), untilMs: deps.clock.nowMs() + CODE_MS } };
}

const SENT_FOR: { readonly [K in ChannelKind]?: (code: string) => Message } = {
  feishu: (code) => say("reach.send_feishu", { code }),
  slack: (code) => say("reach.send_slack", { code }),
};
