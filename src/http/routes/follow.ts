import type { Entry, EntryKind } from "../../core/ledger.ts";
import { say } from "../../core/messages/message.ts";
import type { Deps } from "../../gate/deps.ts";
import { headOf, listEntries } from "../../gate/record/ledger.ts";
import { badInput } from "../../service/refusal.ts";
import type { Stream } from "../answer.ts";
import { textRoute } from "../api-route.ts";
import type { Asked } from "../request.ts";
import { whoIs } from "../who.ts";

/** Proxies cut connections that say nothing; a comment says nothing and keeps them. */
const ALIVE_MS = 15_000;
const POLL_MS = 1_000;
const PAGE = 200;

export const FOLLOW_ROUTES = [
  textRoute("GET /v1/events", {
    for: ["read"],
    summary: "What is recorded from now on, as server-sent events; `Last-Event-ID` goes on from there.",
    gives: "text/event-stream",
    act: async ({ deps, cookie }, asked) => {
      const head = await headOf(deps);
      const seen = asked.headers["last-event-id"] ?? String(head.index);
      if (!/^\d{1,15}$/.test(seen))
        throw badInput("last-event-id", say("refusal.no_place_in_ledger"), say("hint.leave_out"));
      const from = Math.min(Number(seen), head.index);
      return {
        status: 200,
        headers: { "content-type": "text/event-stream; charset=utf-8" },
        body: followed(deps, from, () => isStill(deps, asked, cookie.name)),
      };
    },
  }),
];

/** Whether what was shown at the beginning would still let the same one in. */
async function isStill(deps: Deps, { headers, who }: Asked, cookieName: string): Promise<boolean> {
  const { authorization, cookie } = headers;
  const now = await whoIs(deps, { authorization, cookie }, cookieName);
  return now.is === "person" && who.is === "person" && now.person.name === who.person.name;
}

/** Reads what it has missed by itself, then is told together with all the others. */
function followed(deps: Deps, from: number, mayListen: Listener["mayListen"]): Stream {
  return async (write, gone) => {
    let index = from;
    write("retry: 1000\n\n");
    while (!gone.aborted) {
      const missed = await saidAfter(deps, index);
      for (const { text } of missed) if (!write(text)) return;
      index = missed.at(-1)?.index ?? index;
      if (missed.length === PAGE) continue;
      const telling = tellingOf(deps, index);
      // Somebody may have told others more in the meantime.
      if (index >= telling.index && !gone.aborted) return joined(telling, { index, write, mayListen }, gone);
    }
  };
}

type Listener = { index: number; write: (text: string) => boolean; mayListen: () => Promise<boolean> };
type Member = Listener & { leave: (why?: unknown) => void };

/** One for all who listen to a gate: a thousand of them cost one look at the ledger and a thousand writes. */
type Telling = { index: number; members: Set<Member>; isOver: boolean };
const tellings = new WeakMap<Deps, Telling>();

function tellingOf(deps: Deps, index: number): Telling {
  const known = tellings.get(deps);
  if (known !== undefined && !known.isOver) return known;
  const telling: Telling = { index, members: new Set(), isOver: false };
  tellings.set(deps, telling);
  // What cannot be read now is told when they come back: each goes on from what it heard last.
  tellOn(deps, telling).catch((why: unknown) => {
    for (const { leave } of telling.members) leave(why);
  });
  return telling;
}

/** Until it leaves, or is behind by so much that it is let go. */
async function joined(telling: Telling, listener: Listener, gone: AbortSignal): Promise<void> {
  let leave: Member["leave"] = () => {};
  const left = new Promise<void>((resolve, reject) => {
    leave = (why) => (why === undefined ? resolve() : reject(why));
  });
  const member = { ...listener, leave };
  const goes = () => leave();
  gone.addEventListener("abort", goes);
  telling.members.add(member);
  try {
    await left;
  } finally {
    telling.members.delete(member);
    gone.removeEventListener("abort", goes);
  }
}

/** Wakes when the store says that something changed, and looks by itself now and then: a wake-up may be lost. */
async function tellOn(deps: Deps, telling: Telling): Promise<void> {
  let quietMs = 0;
  let lookedMs = deps.clock.nowMs();
  let ring = () => {};
  const unwatch = deps.store.watch(deps.workspace, () => ring());
  try {
    do {
      const rung = new Promise<void>((resolve) => {
        ring = resolve;
      });
      const page = await saidAfter(deps, telling.index);
      const nowMs = deps.clock.nowMs();
      // A sign-in also ends by itself, and nobody records that.
      if (page.some(({ shutsOut }) => shutsOut) || nowMs - lookedMs >= ALIVE_MS) {
        lookedMs = nowMs;
        await shutOut(telling);
      }
      tell(telling, page);
      if (page.length === PAGE) continue;
      quietMs = page.length > 0 ? 0 : quietMs + POLL_MS;
      if (quietMs >= ALIVE_MS) {
        quietMs = 0;
        for (const member of telling.members) if (!member.write(":\n\n")) member.leave();
      }
      await rungOrLater(deps, rung);
    } while (telling.members.size > 0);
  } finally {
    telling.isOver = true;
    unwatch();
  }
}

/** Whoever was removed or has signed out hears nothing more, not even that. */
async function shutOut({ members }: Telling): Promise<void> {
  await Promise.all(
    [...members].map(async (member) => {
      if (await member.mayListen()) return;
      members.delete(member);
      member.leave();
    }),
  );
}

/** Who came last may know some of it already. */
function tell(telling: Telling, page: readonly Said[]): void {
  const whole = page.map(({ text }) => text).join("");
  for (const member of telling.members) {
    const isAhead = member.index > telling.index;
    const news = isAhead ? page.filter(({ index }) => index > member.index) : page;
    const text = isAhead ? news.map((one) => one.text).join("") : whole;
    if (text !== "" && !member.write(text)) member.leave();
  }
  telling.index = page.at(-1)?.index ?? telling.index;
}

async function rungOrLater({ clock }: Deps, rung: Promise<void>): Promise<void> {
  const enough = new AbortController();
  await Promise.race([rung, clock.sleep(POLL_MS, enough.signal)]);
  enough.abort();
}

type Said = { index: number; text: string; shutsOut: boolean };

const SHUTTING_OUT: readonly EntryKind[] = [
  "person.removed",
  "person.changed",
  "person.joined",
  "signin.ended",
  "token.revoked",
];

/** A turn for everybody else first: what was written before goes out, so that a long history is no burden. */
async function saidAfter(deps: Deps, after: number): Promise<readonly Said[]> {
  await new Promise((resolve) => setImmediate(resolve));
  const entries = await listEntries(deps, { afterIndex: after }, { limit: PAGE, order: "oldest" });
  return entries.map((entry) => {
    const { index, kind } = entry;
    return { index, text: eventOf(entry), shutsOut: SHUTTING_OUT.includes(kind) };
  });
}

/** What happened to what, never arguments or results: bodies are read where their reader is looked at. */
function eventOf({ index, kind, actor, subject, atMs }: Entry): string {
  return `id: ${index}\nevent: ${kind}\ndata: ${JSON.stringify({ index, kind, actor, subject, atMs })}\n\n`;
}
