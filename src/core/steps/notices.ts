import type { Question } from "../approval.ts";
import { put, type Write } from "../change.ts";
import type { Mint, WorkspaceId } from "../ids.ts";
import type { Notice, NoticeKind } from "../notice.ts";
import type { Circle } from "./quorum.ts";

/** Calls that ran under `notify` are told together: one message per window, however many calls. */
export const RAN_WINDOW_MS = 10 * 60 * 1000;

/** Who is told about a question: the reviewers it names, else the agent's owner and the admins. */
export function recipientsOf(question: Question, owner?: string): readonly string[] {
  const named = question.reviewers.flat();
  return [...new Set(named.length > 0 ? named : owner === undefined ? ["admins"] : [owner, "admins"])];
}

/** One notice per person: groups and `admins` become the people they are now; who is unknown is left out. */
function peopleTold(circle: Circle, to: readonly string[]): readonly string[] {
  // Before anybody is known the address itself is kept, so that the notice is there when somebody comes.
  if (circle.people.length === 0) return [...new Set(to)];
  const active = circle.people.filter((person) => person.state === "active");
  const names = to.flatMap((name) => {
    if (name === "admins") return active.filter((person) => person.admin).map((person) => person.name);
    if (name.startsWith("group:")) {
      return active.filter((person) => person.groups.includes(name.slice("group:".length))).map((one) => one.name);
    }
    return active.some((person) => person.name === name) ? [name] : [];
  });
  return [...new Set(names)];
}

const TITLES: Record<NoticeKind, (agent: string, tool: string) => string> = {
  pending: (agent, tool) => `${agent} asks to use ${tool}`,
  reminder: (agent, tool) => `${agent} still waits to use ${tool}`,
  escalated: (agent, tool) => `nobody answered yet: ${agent} asks to use ${tool}`,
  resolved: (agent, tool) => `decided: ${agent} and ${tool}`,
  ran: (agent, tool) => `${agent} used ${tool}`,
  unknown: (agent, tool) => `nobody knows how ${tool} of ${agent} ended`,
  void: (agent, tool) => `approved but not run: ${tool} of ${agent}`,
  limit: (agent, tool) => `${agent} reached a limit with ${tool}`,
  paused: (agent, tool) => `${agent} is paused for ${tool}`,
  access: (who, did) => `${who} ${did}`,
};

type Telling = {
  kind: NoticeKind;
  to: readonly (string | undefined)[];
  ref: string;
  workspace: WorkspaceId;
  nowMs: number;
  about: { agent: string; tool: string; class: string };
  text?: string;
  /** Who needs no notice, because they have answered already. */
  but?: ReadonlySet<string>;
};

/** The notices of one event: to each person, by each channel. They refer; what they show is rendered when sent. */
export function tell(mint: Mint, circle: Circle, t: Telling): Write[] {
  const to = t.to.filter((name) => name !== undefined);
  const names = peopleTold(circle, to).filter((name) => t.but?.has(name) !== true);
  return names.flatMap((name) =>
    circle.channels.map((channel): Write => ({ do: "notice", notice: noticeOf(mint, { ...t, to: name, channel }) })),
  );
}

function noticeOf(mint: Mint, n: Omit<Telling, "to"> & { to: string; channel: string }): Notice {
  return {
    id: mint.next("ntc"),
    workspace: n.workspace,
    kind: n.kind,
    to: n.to,
    title: TITLES[n.kind](n.about.agent, n.about.tool),
    text: n.text ?? n.about.class,
    ref: n.ref,
    channel: n.channel,
    createdMs: n.nowMs,
    attempts: 0,
    dueMs: n.nowMs,
    state: "waiting",
  };
}

/** The counter of how many calls a digest of one window stands for. */
export function ranCounter(to: string, windowStartMs: number): string {
  return `ran:${to}:${windowStartMs}`;
}

/** The same row again for every call of the window, and one more on its counter. */
export function tellRan(
  circle: Circle,
  t: { to: string | undefined; ref: string; workspace: WorkspaceId; nowMs: number; about: Telling["about"] },
): Write[] {
  const startMs = t.nowMs - (t.nowMs % RAN_WINDOW_MS);
  const untilMs = startMs + 7 * 24 * 60 * 60 * 1000;
  const counters = peopleTold(circle, [t.to ?? "admins"]).map(
    (to): Write => ({ do: "add", counter: ranCounter(to, startMs), by: 1, untilMs }),
  );
  return [...counters, ...tellOnce(circle, { ...t, kind: "ran", key: "", text: "run under notify" })];
}

/** One notice per person and window, however often it is written; it goes out when the window ends. */
export function tellOnce(circle: Circle, t: Omit<Telling, "to"> & { to: string | undefined; key: string }): Write[] {
  const startMs = t.nowMs - (t.nowMs % RAN_WINDOW_MS);
  return peopleTold(circle, [t.to ?? "admins"]).flatMap((to) =>
    circle.channels.map((channel) =>
      put("notices", {
        id: `ntc_${t.kind}_${startMs}_${channel}_${to}${t.key}`,
        workspace: t.workspace,
        kind: t.kind,
        to,
        title: TITLES[t.kind](t.about.agent, t.about.tool),
        text: t.text ?? t.about.class,
        ref: t.ref,
        channel,
        createdMs: startMs,
        attempts: 0,
        dueMs: startMs + RAN_WINDOW_MS,
        state: "waiting",
      }),
    ),
  );
}
