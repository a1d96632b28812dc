import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "./slack-rules.ts";
import { type Callback, until } from "./suite.ts";
import { acceptWebSockets, type Peer } from "./web-socket-server.ts";

// Socket mode on Slack's side: addresses that are good once, hello, envelopes that wait for their answer, goodbyes.

type Link = { peer: Peer };

export type SlackSocket = {
  links: readonly Link[];
  /** A new address, which can be used once. */
  address(): string;
  /** Connections that are open now. */
  open(): readonly Link[];
  /** Until the server has this many connections. */
  connected(count?: number): Promise<void>;
  /** Whether Slack says hello on new connections. */
  greets: { value: boolean };
  /**
   * Sends what a callback says over the newest connection, or another one, and waits for the answer: its payload, or nothing if
   * none came in time.
   */
  deliver(
    callback: Callback,
    how?: { id?: string; link?: Link; waitMs?: number },
  ): Promise<{ payload?: Json } | undefined>;
  disconnect(reason: "warning" | "refresh_requested" | "link_disabled"): void;
};

const TYPES = { payload: "interactive", command: "slash_commands", event: "events_api" };

export function slackSocket(server: Server): SlackSocket {
  const tickets = new Set<string>();
  const links: Link[] = [];
  const greets = { value: true };
  acceptWebSockets(
    server,
    (path) => (tickets.delete(path) ? 101 : 403),
    (peer) => {
      links.push({ peer });
      if (greets.value)
        peer.send(JSON.stringify({ type: "hello", num_connections: 1, connection_info: { app_id: "A1" } }));
    },
  );
  const open = () => links.filter(({ peer }) => peer.isOpen());
  return {
    links,
    greets,
    open,
    address: () => {
      const path = `/link/?ticket=${randomUUID()}&app_id=A1`;
      tickets.add(path);
      return `ws://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    },
    connected: async (count = 1) => {
      await until(open, (all) => all.length === count);
    },
    deliver: async (callback, { id = randomUUID(), link = open().at(-1), waitMs = 3000 } = {}) => {
      if (link === undefined) throw new Error("no connection");
      link.peer.send(JSON.stringify({ ...envelopeOf(callback), envelope_id: id }));
      const answers = () => link.peer.texts.map((text) => JSON.parse(text)).filter((one) => one.envelope_id === id);
      const [answer] = await until(answers, (all) => all.length > 0, waitMs).catch(() => []);
      return answer;
    },
    disconnect: (reason) => {
      for (const { peer } of open()) peer.send(JSON.stringify({ type: "disconnect", reason }));
    },
  };
}

/** The same contents as in the request, with their kind beside them. */
function envelopeOf({ headers, body }: Callback): Json {
  if (headers["content-type"] === "application/json")
    return { type: TYPES.event, payload: JSON.parse(body), accepts_response_payload: false, retry_attempt: 0 };
  const form = new URLSearchParams(body);
  const payload = form.get("payload");
  return payload === null
    ? { type: TYPES.command, payload: Object.fromEntries(form), accepts_response_payload: true }
    : { type: TYPES.payload, payload: JSON.parse(payload), accepts_response_payload: true };
}
