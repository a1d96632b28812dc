import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Holder } from "../../src/core/people.ts";
import { addPerson } from "../../src/gate/people/people.ts";
import { addToken } from "../../src/gate/people/tokens.ts";
import type { Issuer } from "../../src/http/identity/accounts.ts";
import type { Logged } from "../../src/http/server.ts";
import type { Clock, Runner } from "../../src/ports.ts";
import { type Server, serve } from "../../src/serve.ts";
import { systemClock } from "../../src/system.ts";
import type { WorkspacesKept } from "../../src/workspaces.ts";

export const PASSPHRASE = "correct horse";

/** A real server with a real database in a temporary folder. Ana is the admin, ben a reviewer, cleo an auditor. */
export type Served = Server & {
  project: string;
  logged: readonly Logged[];
  warned: readonly unknown[];
  /** The workspaces besides the server's own. */
  workspaces: WorkspacesKept;
  /** A token that ana made. */
  token(holder: Holder): Promise<string>;
  /** Signs somebody in with their passphrase and returns the cookie. */
  signIn(name?: string): Promise<string>;
  ask(method: string, path: string, given?: Asking): Promise<Reply>;
  /** The state folder, with the database and its key. */
  state: string;
  /** Stops the server and starts another one on the same folder, at the same port or any; between the two there is no server. */
  again(given?: { port?: number; between?(): Promise<unknown> }): Promise<Served>;
  /** One more server on the same database. */
  beside(): Promise<Served>;
  remove(): Promise<void>;
};

/** The real clock, which a test can move forward. */
export type TurnedClock = Clock & {
  advance(ms: number): void;
  /** Resolves when somebody begins to wait with this clock. */
  nextSleep(): Promise<void>;
};

export function turnedClock(): TurnedClock {
  let aheadMs = 0;
  let slept = (): void => undefined;
  return {
    nowMs: () => systemClock.nowMs() + aheadMs,
    sleep: (ms, signal) => {
      slept();
      return systemClock.sleep(ms, signal);
    },
    nextSleep: () =>
      new Promise((resolve) => {
        slept = resolve;
      }),
    advance: (ms) => {
      aheadMs += ms;
    },
  };
}

export type Asking = { token?: string; cookie?: string; body?: unknown; headers?: Record<string, string> };
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
export type Reply = { status: number; body: any; text: string; headers: Headers };

export const POLICY = `version: 1
preset: standard
tools:
  refund: { class: payments.move, reversible: false }
  memo: { class: metadata.write }
approvals: { selfReview: true }
`;

export type Serving = {
  /** An external issuer for sign-in. */
  issuer?: Issuer;
  policy?: string;
  /** The policy file is not named: the server finds it in its folder, and people accept it. */
  accepts?: true;
  clock?: Clock;
  runners?: readonly Runner[];
  /** The address on which it listens, and the address for people. */
  host?: string;
  url?: string;
  port?: number;
  /** Pages under their own host name. */
  apart?: true;
  /** Further variables of the server. */
  env?: Record<string, string>;
};

export async function served(given: Serving = {}): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), "leeway-http-"));
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "leeway.yaml"), given.policy ?? POLICY);
  const on = await servedIn(folder, given);
  const people = [{ name: "ana", admin: true }, { name: "ben" }, { name: "cleo", auditor: true }];
  for (const person of people) {
    const added = await addPerson(on.deps, { ...person, passphrase: PASSPHRASE, by: "ana", assurance: "tty" });
    if (!added.ok) throw new Error(added.reason.say);
  }
  return on;
}

async function servedIn(
  folder: string,
  { clock, runners, issuer, accepts, host = "127.0.0.1", port = 0, url, apart, env: more = {} }: Serving,
): Promise<Served> {
  const project = join(folder, "project");
  const logged: Logged[] = [];
  const warned: unknown[] = [];
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: folder,
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CONFIG_HOME: join(folder, "config"),
    ...more,
  };
  const server = await serve(
    {
      env,
      cwd: project,
      ...(accepts === true ? {} : { policy: join(project, "leeway.yaml") }),
      ...(clock === undefined ? {} : { clock }),
      ...(runners === undefined ? {} : { runners }),
    },
    {
      host,
      port,
      ...(url === undefined ? {} : { url }),
      ...(apart === undefined ? {} : { apart }),
      ...(issuer === undefined ? {} : { issuer }),
      log: (line) => logged.push(line),
      warn: (error) => warned.push(error),
    },
  );
  const given = {
    ...(clock === undefined ? {} : { clock }),
    ...(runners === undefined ? {} : { runners }),
    ...(apart === undefined ? {} : { apart }),
    env: more,
  };
  return {
    ...server,
    project,
    logged,
    warned,
    state: join(folder, "state", "leeway"),
    token: async (holder) => {
      const made = await addToken(server.deps, holder, { by: "ana", assurance: "tty" });
      if (!made.ok) throw new Error(made.reason.say);
      return made.value.text;
    },
    signIn: (name = "ana") => signedIn(server.url, name),
    ask: (method, path, asking) => asked(server.url, method, path, asking),
    again: async ({ between, ...where } = {}) => {
      await server.close();
      await between?.();
      return servedIn(folder, { ...given, ...where });
    },
    beside: () => servedIn(folder, given),
    remove: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function signedIn(url: string, name: string): Promise<string> {
  const body = new URLSearchParams({ name, passphrase: PASSPHRASE });
  const answer = await fetch(`${url}/sign-in`, { method: "POST", body, headers: { origin: url }, redirect: "manual" });
  const cookie = answer.headers.get("set-cookie")?.split(";")[0];
  if (cookie === undefined) throw new Error(`${name} could not sign in: ${answer.status}`);
  return cookie;
}

async function asked(url: string, method: string, path: string, given: Asking = {}): Promise<Reply> {
  const { token, cookie, body, headers } = given;
  const answer = await fetch(url + path, {
    method,
    redirect: "manual",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(cookie === undefined ? {} : { cookie, origin: url }),
      ...headers,
    },
  });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json;") === true;
  return { status: answer.status, body: isJson ? JSON.parse(text) : undefined, text, headers: answer.headers };
}
