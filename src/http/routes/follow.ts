import type { Entry } from "../../core/ledger.ts";
import type { Deps } from "../../gate/deps.ts";
import { listEntries } from "../../gate/ledger.ts";
import { badInput } from "../../library/refusal.ts";
import type { Stream } from "../answer.ts";
import type { Route } from "../route.ts";

/** Proxies cut connections that say nothing; a comment says nothing and keeps them. */
const ALIVE_MS = 15_000;
const POLL_MS = 1_000;
const PAGE = 200;

export const FOLLOW_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/v1/events",
    for: ["read"],
    summary: "What is recorded from now on, as server-sent events; `Last-Event-ID` goes on from there.",
    gives: "text/event-stream",
    act: async ({ deps }, asked) => {
      const head = await deps.store.read({ ask: "head", workspace: deps.workspace });
      const seen = asked.headers["last-event-id"] ?? String(head.index);
      if (!/^\d{1,15}$/.test(seen)) throw badInput("last-event-id", "that is no place in the ledger", "leave it out");
      const from = Math.min(Number(seen), head.index);
      return {
        status: 200,
        headers: { "content-type": "text/event-stream; charset=utf-8" },
        body: followed(deps, from),
      };
    },
  },
];

/** Wakes when the store says that something changed, and looks by itself now and then: a wake-up may be lost. */
function followed(deps: Deps, from: number): Stream {
  return async (write, gone) => {
    let index = from;
    let quietMs = 0;
    let ring = () => {};
    const unwatch = deps.store.watch(deps.workspace, () => ring());
    write("retry: 1000\n\n");
    try {
      while (!gone.aborted) {
        const rung = new Promise<void>((resolve) => {
          ring = resolve;
        });
        const page = await saidAfter(deps, index);
        for (const { text } of page) if (!write(text)) return;
        index = page.at(-1)?.index ?? index;
        if (page.length === PAGE) continue;
        quietMs = page.length > 0 ? 0 : quietMs + POLL_MS;
        if (quietMs >= ALIVE_MS && !write(":\n\n")) return;
        if (quietMs >= ALIVE_MS) quietMs = 0;
        await rungOrLater(deps, rung, gone);
      }
    } finally {
      unwatch();
    }
  };
}

async function rungOrLater({ clock }: Deps, rung: Promise<void>, gone: AbortSignal): Promise<void> {
  const enough = new AbortController();
  const leave = () => enough.abort();
  gone.addEventListener("abort", leave);
  await Promise.race([rung, clock.sleep(POLL_MS, enough.signal)]);
  gone.removeEventListener("abort", leave);
  leave();
}

type Said = { index: number; text: string };
const reading = new WeakMap<Deps, Map<number, Promise<readonly Said[]>>>();

/** A thousand listeners who wake at once for the same thing read it once. Who comes when reading has begun reads anew. */
function saidAfter(deps: Deps, index: number): Promise<readonly Said[]> {
  const shared = reading.get(deps) ?? new Map<number, Promise<readonly Said[]>>();
  reading.set(deps, shared);
  const joined = shared.get(index);
  if (joined !== undefined) return joined;
  const begun = new Promise((resolve) => setImmediate(resolve)).then(async () => {
    shared.delete(index);
    const entries = await listEntries(deps, { afterIndex: index }, { limit: PAGE, order: "oldest" });
    return entries.map((entry) => ({ index: entry.index, text: eventOf(entry) }));
  });
  shared.set(index, begun);
  return begun;
}

/** What happened to what, never arguments or results: bodies are read where their reader is looked at. */
function eventOf({ index, kind, actor, subject, atMs }: Entry): string {
  return `id: ${index}\nevent: ${kind}\ndata: ${JSON.stringify({ index, kind, actor, subject, atMs })}\n\n`;
}
