import { type Approval, isOpen } from "../../core/approval.ts";
import { changeOf } from "../../core/change.ts";
import type { ChannelKind } from "../../core/channel.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { PersonName } from "../../core/ids.ts";
import { inTurn, type Message, say } from "../../core/messages/message.ts";
import { type Language, textOf } from "../../core/messages/text.ts";
import type { Notice, SentMessage } from "../../core/notice.ts";
import type { Person } from "../../core/people.ts";
import { clockText, zoneText } from "../../core/show/when.ts";
import { mayReview } from "../../core/steps/quorum.ts";
import { refusedReview, type TriageAct, type TriedReview } from "../../core/steps/refusing.ts";
import type { Listener, PressedButton, ToldBack, UsedMessage } from "../../ports.ts";
import { approvalAt } from "../approvals/approval-at.ts";
import { review } from "../approvals/review.ts";
import { handOver, handoverNames, reply, snooze } from "../approvals/triage.ts";
import { commitAgain } from "../commit.ts";
import type { Deps } from "../deps.ts";
import type { Acting } from "../people/acting.ts";
import { linkContact, personWithContact } from "../people/contacts.ts";
import { isOpenedBy } from "../people/secret-locks.ts";
import { circleFor } from "../standing/owner.ts";
import { buttonOf } from "./deliver.ts";
import { noticeAt } from "./notices.ts";
import { outcomeOf, outgoingOf } from "./outgoing.ts";
import { type Sending, settingsOf } from "./sending.ts";

// What people say in a channel. The channel has proved which account it was; whose account that is, what the button
// stands for and whether the answer counts is decided here, as for every other door.

export function listenerOf(deps: Deps, sending: Sending, channel: ChannelKind): Listener {
  const at = { deps, sending, channel };
  return {
    answer: (pressed) => answer(at, pressed),
    reply: ({ text, ...used }) =>
      triage(
        at,
        used,
        "reply",
        (id, acting) => reply(deps, id, { ...acting, text }),
        () => say("channel.reply_sent"),
      ),
    snooze: ({ until, ...used }) =>
      triage(at, used, "snooze", (id, acting) => snooze(deps, id, { ...acting, until }), asideMessage),
    handover: ({ to, note, ...used }) => {
      const does = (id: string, acting: Acting) => handOver(deps, id, { ...acting, to, note });
      return triage(at, used, "handover", does, () => say("channel.handed_to", { person: to }));
    },
    handTo: (used) => handTo(at, used),
    link: async (sent) => {
      const linked = await linkContact(deps, channel, sent);
      const language = await languageOf(deps, channel, linked.ok ? linked.value : undefined);
      if (!linked.ok) return back(false, inTurn([linked.reason, linked.hint]), language);
      return back(true, say("channel.linked", { person: linked.value.name }), language);
    },
    wrote: async (account) => {
      const person = await personWithContact(deps, channel, account);
      const link = `${sending.origin}/`;
      const said =
        person === undefined ? say("channel.link_first", { link }) : say("channel.words_never_answer", { link });
      return back(false, said, await languageOf(deps, channel, person));
    },
  };
}

function back(ok: boolean, said: Message, language: Language): ToldBack {
  return { ok, text: textOf(said, language), language };
}

/** The same language as the messages of the channel. */
async function languageOf(deps: Deps, channel: ChannelKind, person: Person | undefined): Promise<Language> {
  return person?.reach?.language ?? (await settingsOf(deps, channel))?.language ?? "en";
}

type At = { deps: Deps; sending: Sending; channel: ChannelKind };

/** Who used which message, about which question; or what they are told instead. */
type Use = { ok: true; person: Person; notice: Notice; asked: Approval } | { ok: false; told: ToldBack };

/** Checks the message and finds the person. An unknown person is refused, and the refusal is recorded. */
async function useOf({ deps, sending, channel }: At, used: UsedMessage, tried: TriedReview["verdict"]): Promise<Use> {
  const person = await personWithContact(deps, channel, used.account);
  const language = await languageOf(deps, channel, person);
  const button = await buttonPressed(deps, channel, used);
  if (!button.ok) return { ok: false, told: back(false, inTurn([button.reason, button.hint]), language) };
  const { notice, asked } = button.value;
  if (person !== undefined) return { ok: true, person, notice, asked };
  const no = refused("LEEWAY_NOT_A_REVIEWER", say("refusal.account_not_linked"), say("hint.link_account"));
  await noteStranger(deps, `${channel}:${used.account}`, tried, asked, no);
  const told = back(false, inTurn([no.reason, no.hint]), language);
  return { ok: false, told: await withShown(deps, sending, { notice, pressed: used }, told) };
}

/** People signed in to the channel some time ago, so acts that need a fresh proof must be done in the inbox. */
const SURE = { assurance: "channel", stale: true } as const;

async function answer(at: At, { verdict, note, ...used }: PressedButton): Promise<ToldBack> {
  const { deps, sending, channel } = at;
  const use = await useOf(at, used, verdict);
  if (!use.ok) return use.told;
  const { person, notice, asked } = use;
  const language = await languageOf(deps, channel, person);
  const done = await review(deps, asked.id, {
    by: person.name,
    verdict,
    digest: asked.digest,
    note,
    bulk: false,
    ...SURE,
    once: `answered:${notice.id}:${person.name}`,
  });
  if (done.ok)
    return withShown(deps, sending, { notice, pressed: used }, back(true, await said(deps, done.value), language));
  const now = (await approvalAt(deps, asked.id))?.row;
  const outcome = now === undefined ? undefined : await outcomeOf(deps, now);
  const why = outcome === undefined ? [done.reason, done.hint] : [done.reason, outcome];
  return withShown(deps, sending, { notice, pressed: used }, back(false, inTurn(why), language));
}

/** What somebody does with a question instead of answering it. */
async function triage(
  at: At,
  used: UsedMessage,
  act: TriageAct,
  does: (id: string, acting: Acting) => Promise<{ ok: true; value: Approval } | Refused>,
  told: (approval: Approval, by: PersonName) => Message,
): Promise<ToldBack> {
  const use = await useOf(at, used, act);
  if (!use.ok) return use.told;
  const { person, notice, asked } = use;
  const done = await does(asked.id, { by: person.name, ...SURE });
  const text = done.ok ? told(done.value, person.name) : inTurn([done.reason, done.hint]);
  const language = await languageOf(at.deps, at.channel, person);
  return withShown(at.deps, at.sending, { notice, pressed: used }, back(done.ok, text, language));
}

/** Only whoever may hand the question over is told who else may answer it. */
async function handTo(at: At, used: UsedMessage): Promise<ToldBack & { names: readonly PersonName[] }> {
  const use = await useOf(at, used, "handover");
  if (!use.ok) return { ...use.told, names: [] };
  const { person, notice, asked } = use;
  const found = await handoverNames(at.deps, asked.id, { by: person.name, ...SURE });
  const language = await languageOf(at.deps, at.channel, person);
  if (found.ok) return { ok: true, text: "", language, names: found.value };
  const told = back(false, inTurn([found.reason, found.hint]), language);
  return { ...(await withShown(at.deps, at.sending, { notice, pressed: used }, told)), names: [] };
}

function asideMessage({ snoozed = [] }: Approval, by: PersonName): Message {
  const until = snoozed.find((one) => one.by === by)?.untilMs;
  if (until === undefined) return say("channel.snooze_over");
  return say("channel.snoozed_until", { until: `${clockText(until).slice(0, 16)} ${zoneText(until)}` });
}

async function said(deps: Deps, approval: Approval): Promise<Message> {
  return (await outcomeOf(deps, approval)) ?? say("channel.answer_counted");
}

type Button = { ok: true; value: { notice: Notice; asked: Approval; sent: SentMessage } } | Refused;

const NO_BUTTON = refused("LEEWAY_FORBIDDEN", say("refusal.stale_button"), say("hint.open_inbox_instead"));

/** A button counts only on the message that it was sent with, for the question and the digest that this message showed. */
async function buttonPressed(deps: Deps, channel: ChannelKind, pressed: UsedMessage): Promise<Button> {
  const button = await buttonOfSecret(deps, channel, pressed);
  return button.ok && button.value.sent.message !== pressed.message ? NO_BUTTON : button;
}

async function buttonOfSecret(
  deps: Deps,
  channel: ChannelKind,
  shown: Pick<UsedMessage, "notice" | "secret">,
): Promise<Button> {
  const notice = await noticeSent(deps, shown.notice);
  if (notice?.channel !== channel || notice.state !== "delivered" || notice.sent === undefined) return NO_BUTTON;
  const { lock, digest } = notice.sent;
  if (lock === undefined || digest === undefined) return NO_BUTTON;
  if (!isOpenedBy(deps, lock, shown.secret, buttonOf(notice, digest))) return NO_BUTTON;
  const asked = (await approvalAt(deps, notice.ref))?.row;
  if (asked === undefined || asked.digest !== digest) return NO_BUTTON;
  return { ok: true, value: { notice, asked, sent: notice.sent } };
}

type SentTo = Pick<PressedButton, "account" | "message">;

/** A message whose link somebody opened, for channels that answer by a page. */
export type OpenedMessage = {
  asked: Approval;
  /** What is passed to the listener: the answer comes from the account that this message was sent to. */
  pressed: SentTo;
  /** Whose account it is. */
  person: Person;
  language: Language;
  /** The state of the question, if somebody has answered it or it has expired. */
  outcome?: string;
  /** Whether an answer by this message can still count. */
  isOpen: boolean;
};

type LinkOfMessage = { sentTo: SentTo; asked: Approval; person: Person | undefined };

/** To which account the message with this link was sent, and whose it is; nobody's if it was unlinked since. */
async function messageOfLink(
  deps: Deps,
  channel: ChannelKind,
  shown: Pick<PressedButton, "notice" | "secret">,
): Promise<{ ok: true; value: LinkOfMessage } | Refused> {
  const button = await buttonOfSecret(deps, channel, shown);
  if (!button.ok) return button;
  const { notice, asked, sent } = button.value;
  const { message = "", chat: account = "" } = sent;
  const person = await personWithContact(deps, channel, account);
  // The account is somebody else's now: the message was not sent to them.
  if (person !== undefined && person.name !== notice.to) return NO_BUTTON;
  return { ok: true, value: { sentTo: { account, message }, asked, person } };
}

/** Who answers by the link of a message. An account that is unlinked is named too, so that the attempt is recorded. */
export async function answererByLink(
  deps: Deps,
  channel: ChannelKind,
  shown: Pick<PressedButton, "notice" | "secret">,
): Promise<{ ok: true; value: SentTo } | Refused> {
  const found = await messageOfLink(deps, channel, shown);
  return found.ok ? { ok: true, value: found.value.sentTo } : found;
}

/**
 * Whoever has the link of a message may see its question, as long as the account that it was sent to is linked. Looking at
 * it changes nothing.
 */
export async function openedMessage(
  deps: Deps,
  channel: ChannelKind,
  shown: Pick<PressedButton, "notice" | "secret">,
): Promise<{ ok: true; value: OpenedMessage } | Refused> {
  const found = await messageOfLink(deps, channel, shown);
  if (!found.ok) return found;
  const { sentTo, asked, person } = found.value;
  if (person === undefined) return NO_BUTTON;
  const language = await languageOf(deps, channel, person);
  const outcome = await outcomeOf(deps, asked);
  const opened = {
    asked,
    pressed: sentTo,
    language,
    person,
    ...(outcome === undefined ? {} : { outcome: textOf(outcome, language) }),
  };
  return { ok: true, value: { ...opened, isOpen: await canAnswer(deps, asked, person) } };
}

async function canAnswer(deps: Deps, asked: Approval, person: Person): Promise<boolean> {
  if (asked.needsHuman || asked.plan === "wider" || !isOpen(asked, deps.clock.nowMs())) return false;
  if (asked.reviews.some(({ by }) => by === person.name)) return false;
  return mayReview(asked, person.name, await circleFor(deps, await deps.standing.current(), asked));
}

/** A person may answer before the gate has recorded that the message was sent, so this waits a moment for the record. */
async function noticeSent(deps: Deps, id: string): Promise<Notice | undefined> {
  for (let looks = 1; ; looks++) {
    const notice = await noticeAt(deps, id);
    if (notice?.state !== "waiting" || looks === LOOKS_MAX) return notice;
    await deps.clock.sleep(LOOK_MS);
  }
}

const [LOOKS_MAX, LOOK_MS] = [20, 50];

/** An unknown account used a message: this is refused, and recorded with the account. */
async function noteStranger(
  deps: Deps,
  by: string,
  verdict: TriedReview["verdict"],
  asked: Approval,
  no: Refused,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const given = { by, verdict, note: "", digest: asked.digest, assurance: "channel", bulk: false } as const;
  const piece = refusedReview(asked, given, no, deps.mint, nowMs);
  await commitAgain(deps.store, changeOf(deps.mint, { workspace: deps.workspace, nowMs }, [piece]));
}

type PressedOn = { notice: Notice; pressed: UsedMessage };

/** With the message as it should look now. While the question is open, its buttons stay as they are. */
async function withShown(deps: Deps, sending: Sending, on: PressedOn, told: ToldBack): Promise<ToldBack> {
  const { notice, pressed } = on;
  const settings = await settingsOf(deps, notice.channel);
  const asked = (await approvalAt(deps, notice.ref))?.row;
  const outgoing =
    settings === undefined || asked === undefined
      ? undefined
      : await outgoingOf(deps, sending, settings, notice, asked);
  if (asked === undefined || outgoing === undefined) return told;
  const isStillOpen = isOpen(asked, deps.clock.nowMs());
  return { ...told, shown: isStillOpen ? { ...outgoing, secret: pressed.secret } : outgoing };
}
