import type { Entry, EntryKind } from "../../core/ledger.ts";
import { say } from "../../core/messages/message.ts";
import type { Deps } from "../../gate/deps.ts";
import { headOf, listEntries } from "../../gate/record/ledger.ts";
import { badInput } from "../../service/refusal.ts";
import type { Stream } from "../answer.ts";
import { textRoute } from "../api-route.ts";
import { whoIs } from "../identity/who.ts";
import type { HttpRequest } from "../request.ts";

/** Proxies close silent connections, so a comment is sent from time to time. */
const ALIVE_MS = 15_000;
const POLL_MS = 1_000;
const PAGE = 200;

export const FOLLOW_ROUTES = [
  textRoute("GET /v1/events", {
    for: ["read"],
    summary: "New entries as server-sent events; with `Last-Event-ID` the stream continues after that entry.",
    gives: "text/event-stream",
    act: async ({ deps, cookie }, request) => {
      const head = await headOf(deps);
      const seen = request.headers["last-event-id"] ?? String(head.index);
      if (!/^\d{1,15}$/.test(seen))
        throw badInput("last-event-id", say("refusal.no_place_in_ledger"), say("hint.leave_out"));
      const from = Math.min(Number(seen), head.index);
      return {
        status: 200,
        headers: { "content-type": "text/event-stream; charset=utf-8" },
        body: followed(deps, from, () => isStill(deps, request, cookie.name)),
      };
    },
  }),
];

/** Whether the token or cookie that was sent at the beginning is still valid for the same client. */
async function isStill(deps: Deps, { headers, who }: HttpRequest, cookieName: string): Promise<boolean> {
  const { authorization, cookie } = headers;
  const now = await whoIs(deps, { authorization, cookie }, cookieName);
  return now.is === "person" && who.is === "person" && now.person.name === who.person.name;
}

/** A new listener first reads what it missed; then it gets new entries together with all others. */
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
      // Meanwhile the others may have received more.
      if (index >= telling.index && !gone.aborted) return joined(telling, { index, write, mayListen }, gone);
    }
  };
}

type Listener = { index: number; write: (text: string) => boolean; mayListen: () => Promise<boolean> };
type Member = Listener & { leave: (why?: unknown) => void };

/** All listeners of a gate share one reader: for a thousand listeners the ledger is read once. */
type Telling = { index: number; members: Set<Member>; isOver: boolean };
const tellings = new WeakMap<Deps, Telling>();

/** How many listeners get new entries now. */
export function listenersOf(deps: Deps): number {
  return tellings.get(deps)?.members.size ?? 0;
}

function tellingOf(deps: Deps, index: number): Telling {
  const known = tellings.get(deps);
  if (known !== undefined && !known.isOver) return known;
  const telling: Telling = { index, members: new Set(), isOver: false };
  tellings.set(deps, telling);
  // If reading fails, the listeners are disconnected. They connect again and continue from the last entry they got.
  tellOn(deps, telling).catch((why: unknown) => {
    for (const { leave } of telling.members) leave(why);
  });
  return telling;
}

/** Writes until the listener leaves, or until it reads too slowly and is disconnected. */
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

/** Reads when the store reports a change, and also from time to time, because a report may be lost. */
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
      // A sign-in also ends by time, without an entry.
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

/** A person who was removed or has signed out gets nothing more. */
async function shutOut({ members }: Telling): Promise<void> {
  await Promise.all(
    [...members].map(async (member) => {
      if (await member.mayListen()) return;
      members.delete(member);
      member.leave();
    }),
  );
}

/** A new listener may already have some of these entries. */
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

/** Waits for one turn of the event loop, so that a listener with a long history does not delay others. */
async function saidAfter(deps: Deps, after: number): Promise<readonly Said[]> {
  await new Promise((resolve) => setImmediate(resolve));
  const entries = await listEntries(deps, { afterIndex: after }, { limit: PAGE, order: "oldest" });
  return entries.map((entry) => {
    const { index, kind } = entry;
    return { index, text: eventOf(entry), shutsOut: SHUTTING_OUT.includes(kind) };
  });
}

/** The kind and subject of an entry, without its body, because bodies are shown only after a check of who reads them. */
function eventOf({ index, kind, actor, subject, atMs }: Entry): string {
  return `id: ${index}\nevent: ${kind}\ndata: ${JSON.stringify({ index, kind, actor, subject, atMs })}\n\n`;
}
