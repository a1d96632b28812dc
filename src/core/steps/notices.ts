import type { Question } from "../approval.ts";
import { put, type Write } from "../change.ts";
import { type ChannelInForce, placeAddress } from "../channel.ts";
import type { Mint, WorkspaceId } from "../ids.ts";
import { type Message, say } from "../messages/message.ts";
import type { Notice, NoticeKind } from "../notice.ts";
import type { Person } from "../people.ts";
import { type Circle, isForAdmins } from "./quorum.ts";

/** Calls that ran under `notify` share one notice per time window, however many there are. */
export const RAN_WINDOW_MS = 10 * 60 * 1000;

/** Who is told about a question: the reviewers that it names, else everybody who may answer it. */
export function recipientsOf(question: Question, owner?: string): readonly string[] {
  const named = question.reviewers.flat();
  const all = isForAdmins(question) ? "admins" : "reviewers";
  return [...new Set(named.length > 0 ? named : owner === undefined ? [all] : [owner, all])];
}

/** One notice per person: groups, `admins` and `reviewers` are replaced by their current members; unknown people are left out. */
function peopleTold(circle: Circle, to: readonly string[]): readonly string[] {
  // If nobody is set up yet, the address itself is kept, so that the first person finds the notice.
  if (circle.people.length === 0) return [...new Set(to)];
  const active = circle.people.filter((person) => person.state === "active");
  const names = to.flatMap((name) => {
    if (name === "admins") return active.filter((person) => person.admin).map((person) => person.name);
    if (name === "reviewers") return active.filter((person) => !person.auditor).map((person) => person.name);
    if (name.startsWith("group:")) {
      return active.filter((person) => person.groups.includes(name.slice("group:".length))).map((one) => one.name);
    }
    return active.some((person) => person.name === name) ? [name] : [];
  });
  return [...new Set(names)];
}

type CallKind = Exclude<NoticeKind, "access" | "update">;

/** What happened, by kind. Notices about access have their own texts. */
const TITLES: { readonly [K in CallKind]: (agent: string, tool: string) => Message } = {
  pending: (agent, tool) => say("notice.asks", { agent, tool }),
  reminder: (agent, tool) => say("notice.still_waits", { agent, tool }),
  escalated: (agent, tool) => say("notice.nobody_answered", { agent, tool }),
  resolved: (agent, tool) => say("notice.decided", { agent, tool }),
  ran: (agent, tool) => say("notice.used", { agent, tool }),
  unknown: (agent, tool) => say("notice.outcome_unknown", { agent, tool }),
  void: (agent, tool) => say("notice.not_run", { agent, tool }),
  limit: (agent, tool) => say("notice.limit_reached", { agent, tool }),
  paused: (agent, tool) => say("notice.paused", { agent, tool }),
};

/** The agent and the call. Notices about access have their own texts. */
type About =
  | { kind: CallKind; about: { agent: string; tool: string; class: string }; text?: Said }
  | { kind: "access"; title: Message; text: Message };
type Said = Message | string;

export type Telling = About & {
  to: readonly (string | undefined)[];
  ref: string;
  workspace: WorkspaceId;
  nowMs: number;
  /** Who needs no notice, because they have answered already. */
  but?: ReadonlySet<string>;
  /** Only the named people are told, and no place. */
  isPersonal?: true;
};

function wordsOf(t: About): { title: Message; text: Said } {
  if (t.kind === "access") return { title: t.title, text: t.text };
  const { agent, tool, class: effectClass } = t.about;
  return { title: TITLES[t.kind](agent, tool), text: t.text ?? effectClass };
}

/** The notices of one event: to each person and place, by each channel. A notice only refers to the event; its text is made when it is sent. */
export function tell(mint: Mint, circle: Circle, t: Telling): Write[] {
  const to = t.to.filter((name) => name !== undefined);
  return addressesTold(circle, to, t).map((address): Write => ({ do: "notice", notice: noticeOf(mint, t, address) }));
}

type AddressTold = { to: string; channel: string };

/** Everybody who is told, by every channel that reaches them, and the places that are told whoever is asked. */
function addressesTold(
  circle: Circle,
  to: readonly string[],
  { kind, but, isPersonal }: { kind: NoticeKind; but?: ReadonlySet<string>; isPersonal?: true },
): readonly AddressTold[] {
  const names = peopleTold(circle, to).filter((name) => but?.has(name) !== true);
  const people = names.flatMap((name) => {
    const person = circle.people.find((one) => one.name === name);
    return circle.channels
      .filter((channel) => reaches(channel, person))
      .map((channel) => ({ to: name, channel: channel.name }));
  });
  if (kind === "access" || isPersonal === true) return people;
  // A message that shows a question is changed when the question is answered; nobody needs a second one there.
  const places = circle.channels.filter(({ updates }) => !(updates && kind === "resolved"));
  return [
    ...people,
    ...places.flatMap(({ name, places }) => places.map((place) => ({ to: placeAddress(place), channel: name }))),
  ];
}

function reaches({ name, people }: ChannelInForce, person: Person | undefined): boolean {
  if (people !== "linked") return people === "all";
  const isOff = person?.reach?.off?.some((off) => off === name) === true;
  return !isOff && person?.contacts?.some((contact) => contact.channel === name) === true;
}

/** The messages that show this question are changed, in every channel where messages can be. */
export function updateShown(
  circle: Circle,
  { id, workspace }: Pick<Question, "id" | "workspace">,
  nowMs: number,
): Write[] {
  return circle.channels
    .filter(({ updates }) => updates)
    .map(({ name }) => put("notices", updateNotice({ ref: id, workspace, channel: name, nowMs })));
}

/** There is one row per question and channel, because only the latest state of a question is shown. */
export function updateNotice(of: { ref: string; workspace: WorkspaceId; channel: string; nowMs: number }): Notice {
  const { ref, workspace, channel, nowMs } = of;
  return {
    id: `ntc_update_${channel}_${ref}`,
    workspace,
    kind: "update",
    to: "messages",
    title: "",
    text: "",
    ref,
    channel,
    createdMs: nowMs,
    attempts: 0,
    dueMs: nowMs,
    state: "waiting",
  };
}

/** Somebody's account was replaced by another one in the same channel: whoever reads the old one is told there. */
export function tellReplaced(
  mint: Mint,
  of: Pick<Telling, "workspace" | "nowMs"> & {
    person: string;
    channel: string;
    account: string;
    title: Message;
    text: Message;
  },
): Write {
  const { person, channel, account, title, text, workspace, nowMs } = of;
  const told = { kind: "access", to: [person], ref: person, title, text, workspace, nowMs } as const;
  return { do: "notice", notice: { ...noticeOf(mint, told, { to: person, channel }), account } };
}

function noticeOf(mint: Mint, t: Telling, { to, channel }: { to: string; channel: string }): Notice {
  const { kind, workspace, ref, nowMs } = t;
  return {
    id: mint.next("ntc"),
    workspace,
    kind,
    to,
    ...wordsOf(t),
    ref,
    channel,
    createdMs: nowMs,
    attempts: 0,
    dueMs: nowMs,
    state: "waiting",
  };
}

type Once = { to: string | undefined; ref: string; workspace: WorkspaceId; nowMs: number };

/** The counter of the calls in a digest of one window. */
export function ranCounter(to: string, windowStartMs: number): string {
  return `ran:${to}:${windowStartMs}`;
}

/** Writes the same notice for every call of the window, and adds one to its counter. */
export function tellRan(circle: Circle, t: Once & { about: { agent: string; tool: string; class: string } }): Write[] {
  const startMs = t.nowMs - (t.nowMs % RAN_WINDOW_MS);
  const untilMs = startMs + 7 * 24 * 60 * 60 * 1000;
  const told = new Set(addressesTold(circle, [t.to ?? "admins"], { kind: "ran" }).map(({ to }) => to));
  const counters = [...told].map((to): Write => ({ do: "add", counter: ranCounter(to, startMs), by: 1, untilMs }));
  return [...counters, ...tellOnce(circle, { ...t, kind: "ran", key: "", text: say("notice.ran_under_notify") })];
}

/** One notice per person and window, however often it is written; it is sent when the window ends. */
export function tellOnce(circle: Circle, t: About & Once & { key: string }): Write[] {
  const startMs = t.nowMs - (t.nowMs % RAN_WINDOW_MS);
  return addressesTold(circle, [t.to ?? "admins"], t).map(({ to, channel }) =>
    put("notices", {
      id: `ntc_${t.kind}_${startMs}_${channel}_${to}${t.key}`,
      workspace: t.workspace,
      kind: t.kind,
      to,
      ...wordsOf(t),
      ref: t.ref,
      channel,
      createdMs: startMs,
      attempts: 0,
      dueMs: startMs + RAN_WINDOW_MS,
      state: "waiting",
    }),
  );
}
