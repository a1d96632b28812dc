import { afterAll, beforeAll, expect, test } from "vitest";
import { cookieOf } from "./cast.ts";
import { dial, type Line } from "./raw.ts";
import { type Served, served } from "./served.ts";

// Many at once: clients that wait, however many and however they leave, use up room only of their own kind.

let on: Served;
let token: string;
let cookie: string;
let call: string;
beforeAll(async () => {
  on = await served();
  token = await on.token({ agent: "coder" });
  cookie = await cookieOf(on, "ana");
  const body = { tool: "shell", args: { command: "git push" }, callId: "c1" };
  call = (await on.ask("POST", "/v1/calls", { token, body })).body.id;
});
afterAll(() => on.remove());

const QUEUED_MAX = 16;
const OPEN_MAX = 500;

const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${on.port}\r\n${more}\r\n`;
const waiting = (by = token) => get(`/v1/calls/${call}/wait?timeout=60`, `Authorization: Bearer ${by}\r\n`);
const dialled = (count: number) => Promise.all(Array.from({ length: count }, () => dial(on.port)));
const code = (reply: { status: number; body: { error?: { code: string } } }) => [reply.status, reply.body?.error?.code];

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

const linesLogged = (from: number, path: string) => on.logged.slice(from).filter(({ route }) => route === path).length;

async function hungUp(lines: readonly Line[]): Promise<void> {
  for (const { socket } of lines) socket.destroy();
  await Promise.all(lines.map(({ closed }) => closed));
}

test("a client with too many unanswered requests is disconnected, and its slots are freed", async () => {
  for (let round = 0; round < 2; round++) {
    const lines = await dialled(24);
    for (const line of lines) line.send(waiting() + get("/healthz").repeat(120));
    await Promise.all(lines.map(({ closed }) => closed));
  }
  expect((await on.ask("GET", "/healthz")).status).toBe(200);
  expect((await on.ask("GET", "/v1/me", { cookie })).status).toBe(200);
});

test("requests that wait behind another request are all removed when their connection closes", async () => {
  const each = QUEUED_MAX - 1;
  for (let round = 0; round < 2; round++) {
    const before = on.logged.length;
    const lines = await dialled(Math.floor(OPEN_MAX / each));
    for (const line of lines) line.send(get("/healthz") + waiting().repeat(each));
    // The first is answered immediately: then the others have arrived too.
    await until(() => lines.every((line) => line.received() !== ""));
    await hungUp(lines);
    await until(() => linesLogged(before, "/v1/calls/:id/wait") >= lines.length * each);
  }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => on.ask("GET", `/v1/calls/${call}/wait?timeout=0`, { token })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
});

test("an agent with too many waiting requests is refused, while people, unknown clients and other agents are answered", async () => {
  const other = await on.token({ agent: "other" });
  const lines = await dialled(40);
  for (const line of lines) line.send(waiting().repeat(QUEUED_MAX));
  const full = async () => code(await on.ask("GET", `/v1/calls/${call}/wait?timeout=0`, { token }));
  while ((await full())[0] !== 503) await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await on.ask("GET", `/v1/calls/${call}`, { token })).body).toEqual({
    error: {
      code: "LEEWAY_BUSY",
      message: "agent coder already has 500 open requests",
      hint: "wait until some of them are answered",
    },
  });
  expect((await on.ask("GET", "/healthz")).status).toBe(200);
  expect((await on.ask("GET", "/v1/me", { cookie })).status).toBe(200);
  expect(await on.signIn("ben")).toMatch(/^leeway-/);
  const memo = { tool: "memo", args: {} };
  expect((await on.ask("POST", "/v1/calls", { token: other, body: memo })).status).toBe(200);
  const pause = { of: "agent", name: "coder", because: "it asks and asks" };
  expect((await on.ask("POST", "/v1/pauses", { cookie, body: pause })).status).toBe(201);
  await hungUp(lines);
  while ((await full())[0] === 503) await new Promise((resolve) => setTimeout(resolve, 20));
});
