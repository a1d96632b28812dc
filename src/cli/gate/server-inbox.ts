import type { Clock } from "../../ports.ts";
import type { LiveInbox, PersonActs } from "./command-gate.ts";
import { type NamedServer, toldAt } from "./named-server.ts";

/** Cards show how much time is left, so they are requested again from time to time. */
const CARDS_MS = 60_000;

/**
 * The inbox of a server. Each poll asks for the end of the ledger; the questions are requested again only if it has
 * grown, or after a minute. The token is the proof, so nobody is asked for a passphrase.
 */
export function liveInboxAt(server: NamedServer, acts: PersonActs, { nowMs }: Pick<Clock, "nowMs">): LiveInbox {
  const { gate, views } = server;
  let seen: { head: string; atMs: number; found: Awaited<ReturnType<LiveInbox["look"]>> } | undefined;
  return {
    look: async () => {
      const { index } = await gate.ledger.head();
      const head = String(index);
      if (seen?.head === head && nowMs() - seen.atMs < CARDS_MS) return seen.found;
      const found = { inbox: await views.inbox(), told: await toldAt(server) };
      seen = { head, atMs: nowMs(), found };
      return found;
    },
    toldMs: async ({ createdMs }) => createdMs,
    readNotice: async (id) => {
      await gate.notices.read(id);
      // Reading a notice adds no entry to the ledger.
      seen = undefined;
    },
    others: async () => undefined,
    keyring: {
      person: acts.name,
      isOpen: () => true,
      open: async () => ({ ok: true }),
      acts: () => ({
        ...acts,
        snooze: (id, until) => {
          // Putting a question aside adds no entry either.
          seen = undefined;
          return acts.snooze(id, until);
        },
      }),
    },
    stop: () => undefined,
  };
}
