import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { WorkspaceId } from "../../core/ids.ts";
import { type Message, say } from "../../core/messages/message.ts";
import { LeewayRefusal } from "../../service/refusal.ts";
import type { Requester } from "../identity/who.ts";

/** A request that is being answered, or that waits. */
export type OpenRequest = {
  /** Aborts when the client has gone, or when the server stops. It is created on first use, because few requests wait. */
  gone(): AbortSignal;
  /** Tells that the client has gone, or that the server stops. */
  part(): void;
  /** Resolves when nothing more can be sent: the answer is complete, or the connection is closed. */
  over: Promise<void>;
  /** The counters in which it is counted. */
  seats: readonly string[];
};

export type OpenRequests = {
  /** Undefined if a connection sends too many requests without waiting for their answers; that connection is closed. */
  enter(request: IncomingMessage, response: ServerResponse): OpenRequest | undefined;
  /** Counts the request for its kind of client, or returns why there are too many. */
  seat(guest: OpenRequest, who: Requester, workspace: WorkspaceId): LeewayRefusal | undefined;
  leave(guest: OpenRequest): void;
  /** Waiting requests are ended, and new ones do not wait. */
  stop(): void;
  isStopping(): boolean;
};

/** Each kind of client has its own limit, so that a person can always pause everything, however many agents wait. */
const ROOM: { readonly [K in Requester["is"]]: number } = { agent: 4_000, nobody: 2_000, person: 4_000 };
const ROOM_OF_ONE: { readonly [K in Requester["is"]]: number } = { agent: 500, nobody: ROOM.nobody, person: 2_000 };

/** Most clients send the next request only after they got the answer to the last one. */
const QUEUED_MAX = 16;

export function nobodyYet(): OpenRequests {
  const present = new Set<OpenRequest>();
  const taken = new Map<string, number>();
  const lines = new WeakMap<Socket, Map<OpenRequest, () => void>>();
  let stopping = false;
  return {
    enter: (request, response) => {
      const { socket } = request;
      // Requests that arrived together with the one too many still come here.
      if (socket.destroyed) return undefined;
      const line = lines.get(socket) ?? lineOf(socket);
      lines.set(socket, line);
      if (line.size >= QUEUED_MAX) return void socket.destroy();
      const guest = guestOf(line, response);
      present.add(guest);
      if (stopping) guest.part();
      return guest;
    },
    seat: (guest, who, workspace) => {
      const seats = seatsOf(who, workspace);
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

/** A response that waits for the response before it gets no `close` event, so the event of the connection is used. */
function lineOf(socket: Socket): Map<OpenRequest, () => void> {
  const line = new Map<OpenRequest, () => void>();
  socket.once("close", () => {
    for (const end of line.values()) end();
  });
  return line;
}

const NO_SEATS: OpenRequest["seats"] = [];

function guestOf(line: Map<OpenRequest, () => void>, response: ServerResponse): OpenRequest {
  let parted = false;
  let told: AbortController | undefined;
  let ended = () => {};
  const guest: OpenRequest = {
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
    // If the answer is complete, nobody waits any more.
    if (!response.writableFinished) guest.part();
    ended();
  };
  line.set(guest, end);
  response.on("close", end);
  return guest;
}

type Seats = readonly [kind: string, one: string];

/** Each workspace has its own room. Whoever has proved nothing belongs to none. */
function seatsOf(who: Requester, workspace: WorkspaceId): Seats {
  switch (who.is) {
    case "agent":
      return [`agents of ${workspace}`, `agent ${who.agent} of ${workspace}`];
    case "person":
      return [`people of ${workspace}`, `person ${who.person.name} of ${workspace}`];
    case "nobody":
      return ["nobody", "nobody in particular"];
  }
}

function fullFor(taken: ReadonlyMap<string, number>, who: Requester, [kind, one]: Seats): LeewayRefusal | undefined {
  if ((taken.get(one) ?? 0) >= ROOM_OF_ONE[who.is])
    return busy(say("refusal.too_many_open", { who: nameOf(who), count: ROOM_OF_ONE[who.is] }), say("hint.wait_some"));
  if ((taken.get(kind) ?? 0) >= ROOM[who.is])
    return busy(say("refusal.too_many_at_once"), say("hint.try_again_moment"));
  return undefined;
}

function nameOf(who: Requester): string {
  return who.is === "agent"
    ? `agent ${who.agent}`
    : who.is === "person"
      ? `person ${who.person.name}`
      : "nobody in particular";
}

function busy(reason: Message, hint: Message): LeewayRefusal {
  return new LeewayRefusal({ code: "LEEWAY_BUSY", reason, hint });
}
