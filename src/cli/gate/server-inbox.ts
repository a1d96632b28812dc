import type { Clock } from "../../ports.ts";
import type { LiveInbox, PersonActs } from "./command-gate.ts";
import { type NamedServer, toldAt } from "./named-server.ts";

/** Cards tell how much time is left, so they are asked for again now and then. */
const CARDS_MS = 60_000;

/**
 * The inbox of a server. Every look asks where the ledger stands; the questions are sent again only when it has grown, or
 * after a minute. The token is the proof, so that nobody is asked for a passphrase.
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
      // The ledger does not grow by what somebody reads.
      seen = undefined;
    },
    keyring: { person: acts.name, isOpen: () => true, open: async () => ({ ok: true }), acts: () => acts },
    stop: () => undefined,
  };
}
