import { afterAll, beforeAll, expect, test } from "vitest";
import { changeOf } from "../../src/core/change.ts";
import { draft } from "../../src/core/steps/draft.ts";
import { cookieOf } from "./cast.ts";
import { dial } from "./raw.ts";
import { type Served, served } from "./served.ts";

let on: Served;
let token: string;
let cookie: string;
beforeAll(async () => {
  on = await served();
  token = await on.token({ agent: "coder" });
  cookie = await cookieOf(on, "ana");
  await on.ask("POST", "/v1/calls", { token, body: { tool: "read_file" } });
});
afterAll(() => on.remove());

const LONG = "n".repeat(500);
const LISTENERS = process.env["LEEWAY_PROVE"] === undefined ? 200 : 1_000;

/** A hundred entries in one step, each about as long as entries can be. */
async function hundred(): Promise<void> {
  const { deps } = on;
  const subject = { agent: "coder", session: LONG, run: LONG, trace: LONG };
  const entries = Array.from({ length: 100 }, () =>
    draft(deps.mint, { kind: "session.ended", actor: "leeway", subject, body: {} }),
  );
  const change = changeOf(deps.mint, { workspace: "default", nowMs: deps.clock.nowMs() }, [{ entries }]);
  expect((await deps.store.commit(change)).ok).toBe(true);
}

async function load(): Promise<void> {
  for (let n = 0; n < 20; n++) {
    await on.ask("POST", "/v1/calls", { token, body: { tool: "read_file", args: { path: "a" } } });
    if (n % 5 === 0) await hundred();
  }
}
const headIndex = async () => (await on.deps.store.read({ ask: "head", workspace: "default" })).index;

/** Listens until enough events came, the stream ended, or it is stopped; returns the indexes of the complete events. */
async function listened(given: { from?: number; until(ids: readonly number[]): boolean }): Promise<number[]> {
  const leaving = new AbortController();
  const headers = { cookie, ...(given.from === undefined ? {} : { "last-event-id": String(given.from) }) };
  const answer = await fetch(`${on.url}/v1/events`, { headers, signal: leaving.signal });
  const ids: number[] = [];
  let rest = "";
  const quiet = setInterval(() => given.until(ids) && leaving.abort(), 20);
  try {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const pieces = (rest + chunk).split("\n\n");
      rest = pieces.pop() ?? "";
      ids.push(...idsOf(pieces));
      if (given.until(ids)) break;
    }
  } catch (error) {
    // A listener that leaves is told that it left.
    if (!leaving.signal.aborted) throw error;
  } finally {
    clearInterval(quiet);
    leaving.abort();
  }
  return ids;
}

function idsOf(pieces: readonly string[]): number[] {
  return pieces.flatMap((piece) => {
    const id = /^id: (\d+)$/m.exec(piece)?.[1];
    return id === undefined ? [] : [Number(id)];
  });
}

const from = (first: number, last: number) => Array.from({ length: last - first }, (_, n) => first + 1 + n);

/** Everything after `first`, each once and in order, up to `last` at least: the gate signs its ledger meanwhile. */
function expectWhole(heard: readonly number[], first: number, last: number): void {
  expect(heard).toEqual(from(first, Math.max(last, heard.at(-1) ?? first)));
}

test("a listener that is disconnected again and again misses no event and gets none twice", async () => {
  const start = await headIndex();
  const writing = load();
  const heard: number[] = [];
  let done = false;
  let written = start;
  void writing.then(async () => {
    written = await headIndex();
    done = true;
  });
  for (let most = 1; !done || (heard.at(-1) ?? start) < (await headIndex()); most = (most * 3) % 197) {
    heard.push(...(await listened({ from: heard.at(-1) ?? start, until: (ids) => ids.length >= most || done })));
  }
  expectWhole(heard, start, written);
});

test("events say what happened, and contain nothing of the content of a call", async () => {
  const line = await dial(on.port);
  line.send(`GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:${on.port}\r\nCookie: ${cookie}\r\n\r\n`);
  while (!line.received().includes("retry:")) await new Promise((resolve) => setTimeout(resolve, 5));
  await on.ask("POST", "/v1/calls", { token, body: { tool: "read_file", args: { path: "SECRET" }, says: "SECRET" } });
  while (!line.received().includes("call.decided")) await new Promise((resolve) => setTimeout(resolve, 5));
  line.socket.destroy();
  const data = /data: (\{.*\})\n/.exec(line.received())?.[1] ?? "";
  expect(Object.keys(JSON.parse(data))).toEqual(["index", "kind", "actor", "subject", "atMs"]);
  expect(line.received()).toMatch(/content-type: text\/event-stream/i);
  expect(line.received()).not.toContain("SECRET");
});

test("a listener that does not read is disconnected, and can continue where it stopped", async () => {
  const start = await headIndex();
  const slow = await cookieOf(on, "ben");
  const line = await dial(on.port);
  line.socket.pause();
  line.send(
    `GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:${on.port}\r\nCookie: ${slow}\r\nLast-Event-ID: ${start}\r\n\r\n`,
  );
  const isLetGo = () => on.logged.some(({ route, who }) => route === "/v1/events" && who === "person:ben");
  for (let n = 0; n < 100 && !isLetGo(); n++) await hundred();
  expect(isLetGo()).toBe(true);
  line.socket.resume();
  await line.closed;
  const pieces = line.received().split("\n\n").slice(0, -1);
  const heard = idsOf(pieces);
  expect(heard.length).toBeGreaterThan(0);
  expect(heard).toEqual(from(start, heard.at(-1) ?? start));
  const last = await headIndex();
  const more = await listened({ from: heard.at(-1) ?? start, until: (ids) => (ids.at(-1) ?? 0) >= last });
  expectWhole([...heard, ...more], start, last);
});

test("many listeners all get the same event, and a server that stops disconnects them all", async () => {
  const start = await headIndex();
  let last = Number.POSITIVE_INFINITY;
  const arrived = new Set<number>();
  const hearing = (n: number) => (ids: readonly number[]) => {
    if ((ids.at(-1) ?? 0) >= last) arrived.add(n);
    return false;
  };
  const all = Array.from({ length: LISTENERS }, (_, n) => listened({ from: start, until: hearing(n) }));
  await hundred();
  last = await headIndex();
  while (arrived.size < LISTENERS) await new Promise((resolve) => setTimeout(resolve, 20));
  on = await on.again();
  for (const heard of await Promise.all(all)) expectWhole(heard, start, last);
});
