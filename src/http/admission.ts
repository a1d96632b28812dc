import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Message, say } from "../core/messages/message.ts";
import { LeewayRefusal } from "../service/refusal.ts";
import type { Who } from "./who.ts";

/** One that is being answered, or waits. */
export type Guest = {
  /** Aborts when whoever asked has gone, or has to go. Made when first asked for: hardly any answer waits. */
  gone(): AbortSignal;
  /** Says that it has gone, or has to go. */
  part(): void;
  /** Resolves when nothing more can be sent: the whole answer is out, or its connection is closed. */
  over: Promise<void>;
  /** What it is counted as. */
  seats: readonly string[];
};

export type Present = {
  /** Nothing where a connection asks for more before it has its answers; that one is cut off. */
  enter(request: IncomingMessage, response: ServerResponse): Guest | undefined;
  /** Counts it among its kind, or says why there is no room. */
  seat(guest: Guest, who: Who): LeewayRefusal | undefined;
  leave(guest: Guest): void;
  /** Those who wait are told, and whoever still comes does not wait. */
  stop(): void;
  isStopping(): boolean;
};

/** Each kind has room of its own: however many agents or strangers wait, a person reaches the kill switch. */
const ROOM: { readonly [K in Who["is"]]: number } = { agent: 4_000, nobody: 2_000, person: 4_000 };
const ROOM_OF_ONE: { readonly [K in Who["is"]]: number } = { agent: 500, nobody: ROOM.nobody, person: 2_000 };

/** Hardly any client sends its next request before it has the answer to the last. */
const QUEUED_MAX = 16;

export function nobodyYet(): Present {
  const present = new Set<Guest>();
  const taken = new Map<string, number>();
  const lines = new WeakMap<Socket, Map<Guest, () => void>>();
  let stopping = false;
  return {
    enter: (request, response) => {
      const { socket } = request;
      // What came in one piece with the request that was one too many still arrives here.
      if (socket.destroyed) return undefined;
      const line = lines.get(socket) ?? lineOf(socket);
      lines.set(socket, line);
      if (line.size >= QUEUED_MAX) return void socket.destroy();
      const guest = guestOf(line, response);
      present.add(guest);
      if (stopping) guest.part();
      return guest;
    },
    seat: (guest, who) => {
      const seats = seatsOf(who);
      const full = fullFor(taken, who, seats);
      if (full !== undefined) return full;
      guest.seats = seats;
      for (const seat of seats) taken.set(seat, (taken.get(seat) ?? 0) + 1);
      return undefined;
    },
    leave: (guest) => {
      present.delete(guest);
      for (const seat of guest.seats) {
        const left = (taken.get(seat) ?? 0) - 1;
        if (left > 0) taken.set(seat, left);
        else taken.delete(seat);
      }
    },
    stop: () => {
      stopping = true;
      for (const guest of present) guest.part();
    },
    isStopping: () => stopping,
  };
}

/** An answer that waits for the one before it is not told that its connection was closed; so the connection is asked. */
function lineOf(socket: Socket): Map<Guest, () => void> {
  const line = new Map<Guest, () => void>();
  socket.once("close", () => {
    for (const end of line.values()) end();
  });
  return line;
}

const NO_SEATS: Guest["seats"] = [];

function guestOf(line: Map<Guest, () => void>, response: ServerResponse): Guest {
  let parted = false;
  let told: AbortController | undefined;
  let ended = () => {};
  const guest: Guest = {
    gone: () => {
      told ??= new AbortController();
      if (parted) told.abort();
      return told.signal;
    },
    part: () => {
      parted = true;
      told?.abort();
    },
    over: new Promise<void>((resolve) => {
      ended = resolve;
    }),
    seats: NO_SEATS,
  };
  const end = () => {
    line.delete(guest);
    // Whoever has the whole answer waits for nothing more.
    if (!response.writableFinished) guest.part();
    ended();
  };
  line.set(guest, end);
  response.on("close", end);
  return guest;
}

type Seats = readonly [kind: string, one: string];

function seatsOf(who: Who): Seats {
  switch (who.is) {
    case "agent":
      return ["agent", `agent ${who.agent}`];
    case "person":
      return ["person", `person ${who.person.name}`];
    case "nobody":
      return ["nobody", "nobody in particular"];
  }
}

function fullFor(taken: ReadonlyMap<string, number>, who: Who, [kind, one]: Seats): LeewayRefusal | undefined {
  if ((taken.get(one) ?? 0) >= ROOM_OF_ONE[who.is])
    return busy(say("refusal.too_many_open", { who: one, count: ROOM_OF_ONE[who.is] }), say("hint.wait_some"));
  if ((taken.get(kind) ?? 0) >= ROOM[who.is])
    return busy(say("refusal.too_many_at_once"), say("hint.try_again_moment"));
  return undefined;
}

function busy(reason: Message, hint: Message): LeewayRefusal {
  return new LeewayRefusal({ code: "LEEWAY_BUSY", reason, hint });
}
