import { say } from "../../core/messages/message.ts";
import type { Deps } from "../../gate/deps.ts";
import { newSecret } from "../../gate/people/secret-locks.ts";
import { LeewayRefusal } from "../../service/refusal.ts";
import { errorText } from "../error-text.ts";
import { type Gateway, openGateway } from "../gateway.ts";
import type { GatewayOptions } from "../session.ts";
import type { Entered } from "./door.ts";
import { type SessionClient, sessionClient } from "./session-client.ts";
import { type StatelessClient, statelessClient } from "./stateless-client.ts";

// The sessions of a gateway over HTTP. Each has its own upstreams and its own session of calls, as if its client had
// started a gateway. A session belongs to the token that opened it.

export type HttpSession<Client> = {
  client: Client;
  gateway: Gateway;
  owner: Entered;
  /** When it was last used. */
  usedMs: number;
};

type AnySession = HttpSession<SessionClient | StatelessClient>;

export type Sessions = {
  /** A new session. If there are too many, it takes the place of one that nobody uses; if all are used, it throws. */
  open(owner: Entered): Promise<HttpSession<SessionClient>>;
  /** The session with this id, if it belongs to the token of the request. */
  find(id: string, by: Entered): HttpSession<SessionClient> | undefined;
  /** The session of all requests with this token in the protocol without sessions. */
  shared(owner: Entered): Promise<HttpSession<StatelessClient>>;
  end(id: string, why: string): Promise<void>;
  close(): Promise<void>;
};

export type SessionsOptions = Omit<GatewayOptions, "send" | "agent" | "isProven"> & {
  /** A session that is not used for this long ends, unless people still have a question of it. */
  idleMs: number;
};

const SESSIONS_MAX = 100;
const SESSIONS_OF_ONE_MAX = 20;
const LOOK_MS = 1_000;

export function sessionsOf(deps: Deps, options: SessionsOptions): Sessions {
  const all = new Map<string, AnySession>();
  const ending = new Set<Promise<void>>();
  const opened = (owner: Entered) => (send: (line: string) => void) => gatewayOf(deps, options, owner, send);
  const kept = <C extends SessionClient | StatelessClient>(id: string, owner: Entered, made: Made<C>) => {
    const session = { ...made, owner, usedMs: Date.now() };
    all.set(id, session);
    return session;
  };
  const end = (id: string, why: string): Promise<void> => {
    const session = all.get(id);
    all.delete(id);
    if (session === undefined) return Promise.resolve();
    const done = ended(session, why, options.note).finally(() => void ending.delete(done));
    ending.add(done);
    return done;
  };
  const look = () => void looked(all, options.idleMs, end).catch((error) => options.note(`${errorText(error)}\n`));
  const timer = setInterval(look, Math.min(LOOK_MS, options.idleMs));
  timer.unref();
  return {
    open: async (owner) => {
      await makeRoom(all, owner, end);
      const id = newSecret(deps);
      const refused = () => void end(id, "initialize failed");
      return kept(id, owner, sessionClient(id, opened(owner), refused));
    },
    find: (id, by) => {
      const found = all.get(id);
      const isTheirs = found !== undefined && found.owner.token === by.token && "listen" in found.client;
      return isTheirs ? used(found as HttpSession<SessionClient>) : undefined;
    },
    shared: async (owner) => {
      const id = `token ${owner.token}`;
      const known = () => all.get(id) as HttpSession<StatelessClient> | undefined;
      if (known() === undefined) await makeRoom(all, owner, end);
      const found = known();
      return found === undefined
        ? kept(id, owner, statelessClient(`leeway-${newSecret(deps)}`, opened(owner)))
        : used(found);
    },
    end,
    close: async () => {
      clearInterval(timer);
      await Promise.all([...all.keys()].map((id) => end(id, CLOSING)));
      await Promise.all(ending);
    },
  };
}

function gatewayOf(deps: Deps, options: SessionsOptions, owner: Entered, send: (line: string) => void): Gateway {
  const { idleMs: _, ...how } = options;
  // What one session registers to run approved calls must not outlive its upstreams, so nothing of it is shared.
  const own = { ...deps, runners: new Map(deps.runners), declared: new Map(deps.declared) };
  return openGateway(own, { ...how, agent: owner.agent, isProven: owner.isProven, send });
}

type Made<Client> = { client: Client; gateway: Gateway };

const CLOSING = "the gateway is closing";

function used<S extends AnySession>(session: S): S {
  session.usedMs = Date.now();
  return session;
}

/** Many clients go away without ending their session, so one that nobody uses makes room for a new one. */
async function makeRoom(all: ReadonlyMap<string, AnySession>, { agent }: Entered, end: End): Promise<void> {
  const ofAgent = () => [...all].filter(([, { owner }]) => owner.agent === agent);
  const isFull = () => all.size >= SESSIONS_MAX || ofAgent().length >= SESSIONS_OF_ONE_MAX;
  const unused = ofAgent().filter(([, { client }]) => client.openCount() === 0);
  for (const [id, { gateway }] of unused.sort(([, one], [, other]) => one.usedMs - other.usedMs)) {
    if (!isFull()) return;
    if (!(await gateway.isAwaited())) void end(id, "a newer session took its place");
  }
  if (!isFull()) return;
  const reason = say("gateway.many_sessions", { count: all.size });
  throw new LeewayRefusal({ code: "LEEWAY_BUSY", reason, hint: say("gateway.end_sessions") });
}

type End = (id: string, why: string) => Promise<void>;

async function ended({ client, gateway }: AnySession, why: string, note: (text: string) => void): Promise<void> {
  try {
    await gateway.close();
  } catch (error) {
    note(`${errorText(error)}\n`);
  }
  client.end(why);
}

/** Ends the sessions whose token was revoked, and those that nobody uses. */
async function looked(all: ReadonlyMap<string, AnySession>, idleMs: number, end: End): Promise<void> {
  for (const [id, session] of [...all]) {
    const { client, gateway, owner } = session;
    if (client.openCount() > 0) used(session);
    const isIdle = Date.now() - session.usedMs >= idleMs;
    if (!(await owner.isProven())) void end(id, "the token is not valid any more");
    else if (isIdle && !(await gateway.isAwaited()) && all.get(id) === session)
      void end(id, "the session was not used");
  }
}
