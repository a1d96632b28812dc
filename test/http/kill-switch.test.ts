import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test } from "vitest";
import { realPassphrases } from "../passphrases.ts";
import { type Served, served } from "./served.ts";

realPassphrases();

// One thread answers everybody. No request, of any form and in any number, may keep a person from the kill switch: the work
// for a request is limited, and other requests are processed between two of them.

let on: Served;
let agent: string;
let person: string;
beforeAll(async () => {
  on = await served();
  agent = await on.token({ agent: "coder" });
  person = await on.signIn();
});
afterAll(() => on.remove());

const PROVES = process.env["LEEWAY_PROVE"] !== undefined;
/** How long a pause may take on a machine that does nothing else. */
const PAUSE_MS = 250;
/** Beside other work every step takes longer: CPU time up to twice, wall-clock time much more. */
const BUSY = PROVES ? { processor: 1, wall: 1 } : { processor: 2, wall: 24 };

const filled = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const bash = (command: string, more: object = {}) => ({ tool: "Bash", args: { command, ...more } });
const reading = (paths: readonly string[]) => ({ tool: "mcp__filesystem__read_multiple_files", args: { paths } });

/** Calls that are slow to parse, one of each kind. */
const CALLS: readonly [what: string, call: object][] = [
  ["deep paths that are not there", reading(many(1990, (i) => `d${i}/${filled("a/", 480)}f`))],
  ["deep paths with steps back", reading(many(1990, (i) => `${filled("b/../", 480)}f${i}`))],
  ["deep paths that are there", reading(many(1990, (i) => `/${filled("usr/../", 476)}usr/lib/${i}`))],
  ["paths through a file", reading(many(1990, (i) => `/etc/passwd/${i}/${filled("a/", 400)}`))],
  ["many values like paths", { tool: "mcp__x__y", args: { a: many(9_900, (i) => `/path/${i}/${filled("a/", 80)}`) } }],
  [
    "a patch of many deep files",
    {
      tool: "apply_patch",
      args: { patch: many(1900, (i) => `*** Update File: f${i}/${filled("a/", 400)}`).join("\n") },
    },
  ],
  ["a megabyte of words", bash(`echo ${filled("a ", 1_000_000)}`)],
  ["many commands", bash(filled("ls;", 16_000))],
  ["many substitutions", bash(filled("$(ls) ", 16_000))],
  ["nested substitutions", bash(`${filled("$(", 8_000)}ls${filled(")", 4_000)}`)],
  [
    "nested loops",
    bash(`${many(8, (i) => `for i${i} in 1 2 3 4 5 6 7 8 9; do `).join("")}rm $i0$i1$i2${"; done".repeat(8)}`),
  ],
  ["patterns", bash(`ls ${filled("*[a-z]?* ", 15_000)}`)],
  [
    "many programs in many folders",
    bash(many(500, (i) => `p${i}`).join(";"), { env: { PATH: filled("/a:", 900_000) } }),
  ],
  ["many modules to load first", bash("node x.js", { env: { NODE_OPTIONS: filled("/a ", 900_000) } })],
  ["many scripts", bash(many(300, (i) => `python3 s${i}.py`).join(";"))],
  ["many statements", { tool: "mcp__postgres__query", args: { sql: many(1900, () => filled("select a, ", 500)) } }],
  ["a pattern of many folders", { tool: "Glob", args: { pattern: many(1900, () => filled("**/", 400)) } }],
  [
    "a long change",
    {
      tool: "Edit",
      args: { file_path: "a.ts", old_string: filled("a\nb\n", 400_000), new_string: filled("b\na\n", 400_000) },
    },
  ],
  [
    "what looks like secrets",
    { tool: "WebFetch", args: { url: "http://a.example/", prompt: filled("sk-aaaa 12345678:", 1_000_000) } },
  ],
];

/** Drafts of policies of the maximum length; a longer one is not parsed. */
const DRAFTS: readonly [what: string, text: string][] = [
  ["unknown keys", `version: 1\n${many(2_700, (i) => `key${i}: 1`).join("\n")}`],
  ["repeated places", `version: 1\na: &a [x]\n${filled("b: [*a,*a]\n", 32_000)}`],
  ["nested lists", `version: 1\nrules: ${"[".repeat(16_000)}${"]".repeat(16_000)}`],
  ["eight megabytes", filled("key: 1\n", 8_000_000)],
];

type Sent = { method: string; path: string; headers: Record<string, string>; body: string };

function sent(path: string, by: { token: string } | { cookie: string }, body: object): Sent {
  const who = "token" in by ? { authorization: `Bearer ${by.token}` } : { cookie: by.cookie, origin: on.url };
  return { method: "POST", path, headers: { "content-type": "application/json", ...who }, body: JSON.stringify(body) };
}

/** Slow requests to every route with input; each has a new name whenever it is made. */
function requests(id: string): readonly [what: string, sent: Sent][] {
  const calls = CALLS.flatMap(([what, call], i): [string, Sent][] => [
    [`check: ${what}`, sent("/v1/calls/check", { token: agent }, call)],
    [`call: ${what}`, sent("/v1/calls", { token: agent }, { ...call, callId: `${id}-${i}` })],
  ]);
  const drafts = DRAFTS.flatMap(([what, text]): [string, Sent][] => [
    [`policy check: ${what}`, sent("/v1/policy/check", { cookie: person }, { text })],
    [`policy diff: ${what}`, sent("/v1/policy/diff", { cookie: person }, { text })],
  ]);
  return PROVES ? [...calls, ...drafts] : [...calls, ...drafts].filter((_, i) => i % 3 === 0);
}

/** A hundred calls in one request: others are processed between them. */
function batch(id: string): Sent {
  const calls = many(100, (i) => ({ ...bash(`${filled("$(ls) ", 4_000)}; echo ${i}`), callId: `${id}-${i}` }));
  return sent("/v1/calls/batch", { token: agent }, { calls });
}

/** Sends from a separate thread, so that only the server's time is measured. */
const SENDER = `
const { parentPort, workerData } = require("node:worker_threads");
const { request } = require("node:http");
const send = ({ method, path, headers, body }) => new Promise((resolve) => {
  const given = { ...headers, "content-length": Buffer.byteLength(body) };
  const asked = request({ host: "127.0.0.1", port: workerData.port, method, path, headers: given, agent: false });
  asked.on("response", (answer) => answer.resume().on("end", () => resolve(answer.statusCode)));
  asked.on("error", (error) => resolve(error.code)).end(body);
});
parentPort.on("message", async ({ slow, pauses }) => {
  const answers = slow.map(send);
  const waited = [];
  for (const pause of pauses) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const from = performance.now();
    waited.push([await send(pause), Math.round(performance.now() - from)]);
  }
  parentPort.postMessage({ statuses: await Promise.all(answers), waited });
});`;

type Measured = { statuses: readonly unknown[]; waited: readonly [status: unknown, ms: number][] };

async function measured(slow: readonly Sent[], pauses: readonly Sent[]): Promise<Measured> {
  const sender = new Worker(SENDER, { eval: true, workerData: { port: on.port } });
  try {
    const answered = once(sender, "message");
    sender.postMessage({ slow, pauses });
    return (await answered)[0] as Measured;
  } finally {
    await sender.terminate();
  }
}

const pause = (name: string) => sent("/v1/pauses", { cookie: person }, { of: "agent", name, because: "stop" });

test("no request uses the processor longer than a pause may be delayed", { timeout: 600_000 }, async () => {
  const took: [string, number][] = [];
  for (const [at, [what, slow]] of requests("once").entries()) {
    const again = requests(`again-${at}`)[at]?.[1] ?? slow;
    await measured([slow], []);
    const before = process.cpuUsage();
    const { headers, body } = again;
    await (await fetch(on.url + again.path, { method: again.method, headers, body })).text();
    const { user, system } = process.cpuUsage(before);
    took.push([what, Math.round((user + system) / 1000)]);
  }
  expect(took.filter(([, ms]) => ms > PAUSE_MS * BUSY.processor)).toEqual([]);
});

test("a pause takes effect in time while slow requests to every route arrive at once", {
  timeout: 600_000,
}, async () => {
  for (let round = 0; round < (PROVES ? 10 : 1); round++) {
    const slow = [...requests(`all-${round}`).map(([, one]) => one), batch(`batch-${round}`)];
    const { statuses, waited } = await measured(slow, [pause(`a-${round}`), pause(`b-${round}`), pause(`c-${round}`)]);
    expect(waited.map(([status]) => status)).toEqual(waited.map(() => 201));
    expect(waited.map(([, ms]) => ms).filter((ms) => ms > PAUSE_MS * BUSY.wall)).toEqual([]);
    // All of them were answered: nobody was cut off to make room.
    expect(statuses.filter((status) => ![200, 202, 413, 422].includes(status as number))).toEqual([]);
  }
});
