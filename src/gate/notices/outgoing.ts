import { type Approval, handedMessage, stateAt, stateMessage } from "../../core/approval.ts";
import { type ChannelSettings, placeIn } from "../../core/channel.ts";
import type { PersonName } from "../../core/ids.ts";
import { inTurn, type Message, say } from "../../core/messages/message.ts";
import { inEnglish, type Language, textOf } from "../../core/messages/text.ts";
import { ASKING_KINDS, isDigest, type Notice } from "../../core/notice.ts";
import type { Person } from "../../core/people.ts";
import { yesesOf } from "../../core/steps/quorum.ts";
import { answerersOf } from "../../core/steps/triage.ts";
import type { Outgoing, ShownQuestion } from "../../ports.ts";
import { approvalAt } from "../approvals/approval-at.ts";
import type { Deps } from "../deps.ts";
import { circleFor } from "../standing/owner.ts";
import { withNames } from "./notice-text.ts";
import type { Sending } from "./sending.ts";

// A notice as a channel sends it. What it shows is made now, from the call as it is stored, and is masked.

/** The question that a notice shows, if it shows one. */
export async function questionOf(deps: Deps, notice: Notice): Promise<Approval | undefined> {
  const shows = notice.kind === "update" || (ASKING_KINDS.includes(notice.kind) && !isDigest(notice));
  return shows ? (await approvalAt(deps, notice.ref))?.row : undefined;
}

export async function personNamed(deps: Deps, name: string): Promise<Person | undefined> {
  const { people } = (await deps.standing.current()).rows;
  return people.find((one) => one.name === name && one.state === "active");
}

/** The message without the secret of its buttons; undefined if the receiver no longer has an account in this channel. */
export async function outgoingOf(
  deps: Deps,
  sending: Sending,
  settings: ChannelSettings,
  notice: Notice,
  asked: Approval | undefined,
): Promise<Outgoing | undefined> {
  const place = placeIn(notice.to);
  const person = place === undefined ? await personNamed(deps, notice.to) : undefined;
  const contacts = contactsOf(settings, notice, person);
  if (place === undefined && contacts.length === 0) return undefined;
  const language = person?.reach?.language ?? settings.language ?? "en";
  const named = await withNames(deps, notice);
  return {
    ...inEnglish(named),
    title: textOf(named.title, language),
    text: textOf(named.text, language),
    address: place === undefined ? { to: "person", contacts } : { to: "place", place },
    language,
    link: linkOf(sending, notice, asked),
    ...(asked === undefined
      ? {}
      : {
          question: await shownQuestion(deps, sending, asked, language),
          handTo: await othersFor(deps, asked, person),
        }),
  };
}

function contactsOf({ kind }: ChannelSettings, { account, createdMs }: Notice, person: Person | undefined) {
  // Of an account that was replaced nothing is known any more but its name.
  if (account !== undefined) return [{ channel: kind, account, label: account, linkedMs: createdMs }];
  return person?.contacts?.filter(({ channel }) => channel === kind) ?? [];
}

/** Who may answer it, without the person who reads the message. */
async function othersFor(deps: Deps, asked: Approval, reader: Person | undefined): Promise<readonly PersonName[]> {
  if (stateAt(asked, deps.clock.nowMs()) !== "pending") return [];
  const circle = await circleFor(deps, await deps.standing.current(), asked);
  return answerersOf(asked, circle).filter((name) => name !== reader?.name);
}

/** What became of a question is looked up where the question is. */
function linkOf({ origin }: Pick<Sending, "origin">, notice: Notice, asked: Approval | undefined): string {
  if (asked !== undefined) return `${origin}/approvals/${asked.id}`;
  return notice.ref.startsWith("apr_") && !isDigest(notice) ? `${origin}/approvals/${notice.ref}` : `${origin}/`;
}

export async function shownQuestion(
  deps: Deps,
  sending: Pick<Sending, "cardOf">,
  asked: Approval,
  language: Language,
): Promise<ShownQuestion> {
  const outcome = await standOf(deps, asked);
  return {
    card: await sending.cardOf(deps, asked, language),
    digest: asked.digest,
    state: stateAt(asked, deps.clock.nowMs()),
    ...(outcome === undefined ? {} : { outcome: textOf(outcome, language) }),
    needsHuman: asked.needsHuman || asked.plan === "wider",
    answerByMs: asked.answerByMs,
  };
}

/** How a question ended or who has answered it; while it is open also who should answer and what was written to the agent. */
async function standOf(deps: Deps, asked: Approval): Promise<Message | undefined> {
  const outcome = await outcomeOf(deps, asked);
  if (stateAt(asked, deps.clock.nowMs()) !== "pending") return outcome;
  const said = [...(outcome === undefined ? [] : [outcome]), ...triagedIn(asked)];
  return said.length === 0 ? undefined : inTurn(said);
}

function triagedIn({ handed = [], replies = [] }: Approval): readonly Message[] {
  return [
    ...handed.slice(-1).map(handedMessage),
    ...replies.slice(-1).map(({ by, text }) => say("notice.replied", { person: by, text })),
  ];
}

/** How the question stands, in one sentence; nothing while it waits for its first answer. */
export async function outcomeOf(deps: Deps, asked: Approval): Promise<Message | undefined> {
  const state = stateAt(asked, deps.clock.nowMs());
  switch (asked.state) {
    case "approved": {
      const by = asked.reviews.filter(({ verdict }) => verdict === "approve").map((given) => given.by);
      return say("notice.approved_by", { person: by.join(", ") });
    }
    case "denied":
      return asked.note === ""
        ? say("notice.denied_by", { person: asked.by })
        : say("notice.denied_because", { person: asked.by, note: asked.note });
    default:
      if (state !== "pending") return stateMessage(state);
      if (asked.reviews.length === 0) return undefined;
      return soFar(deps, asked);
  }
}

async function soFar(deps: Deps, asked: Approval): Promise<Message> {
  const circle = await circleFor(deps, await deps.standing.current(), asked);
  return say("notice.approved_so_far", { count: yesesOf(asked, asked.reviews, circle), quorum: asked.quorum });
}
