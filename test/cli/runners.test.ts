import { createHmac } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSPHRASE, setUpAna } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";
import { browsed, endAll, type Up, up } from "./servers.ts";

// A server whose settings say how it runs two tools: shell by starting the command, refund by a request to a service.

const POLICY = `version: 1
preset: standard
tools:
  refund: { class: payments.move, reversible: false }
human: { tools: [refund] }
rules:
  - { name: proposed, match: { tool: shell }, tier: suggest, because: people look at commands first }
approvals: { selfReview: true }
`;
const KEY = Buffer.alloc(32, 9);

const on: Machine = machine();
const state = (name: string) => join(on.home, "state", "leeway", name);
type Received = { headers: NodeJS.Dict<string | string[]>; body: string };
const received: Received[] = [];
let service: Server;
let server: Up;
let coder: string;
let ana: string;

beforeAll(async () => {
  service = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      response.writeHead(200, { "content-type": "application/json" }).end('{"refunded":5}');
    });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  await setUpAna(on, POLICY);
  const token = async (...args: string[]) => (await leeway(on, ["tokens", "add", ...args])).stdout.trim();
  [coder, ana] = [
    await token("--agent", "coder"),
    await token("--person", "ana", "--can", "approve", "--password-file", join(on.home, "passphrase.txt")),
  ];
  settings(`runners:
  shell:
    command: { env: { GREETING: hello } }
  refund:
    http:
      url: http://127.0.0.1:${(service.address() as AddressInfo).port}/calls
      secret: whsec_${KEY.toString("base64")}
      idempotent: true
      nearby: true
`);
  server = await up(on);
});
afterAll(async () => {
  await server.stop();
  endAll();
  service.close();
  on.remove();
});

function settings(text: string): void {
  writeFileSync(state("server.yaml"), text, { mode: 0o600 });
}

type Given = { token?: string; body?: unknown };

async function ask(path: string, { token, body }: Given) {
  const answer = await fetch(server.url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  return (await answer.json()) as any;
}

test("a suggested call runs once on the server after a person approved it, and the agent gets its result", async () => {
  expect(server.said).toMatchObject({ runs: ["shell", "refund"] });
  const command = 'echo "$GREETING" >> out.txt; echo told';
  const body = { tool: "shell", args: { command }, cwd: on.project, callId: "c1" };
  const proposed = await ask("/v1/calls", { token: coder, body });
  expect(proposed).toMatchObject({ outcome: "not_executed", code: "LEEWAY_SUGGESTED" });
  expect(await ask(`/v1/approvals/${proposed.approvalId}`, { token: ana })).toMatchObject({ runBy: "leeway" });
  expect(existsSync(join(on.project, "out.txt"))).toBe(false);
  const answer = { verdict: "approve", digest: proposed.digest };
  const approved = await ask(`/v1/approvals/${proposed.approvalId}/reviews`, { token: ana, body: answer });
  expect(approved).toMatchObject({ state: "approved" });
  const ran = () => ask("/v1/calls", { token: coder, body });
  await expect.poll(ran, { timeout: 10_000 }).toMatchObject({
    outcome: "run",
    result: { code: 0, stdout: "told\n", stderr: "" },
  });
  expect(readFileSync(join(on.project, "out.txt"), "utf8")).toBe("hello\n");
});

test("a needs-human call is sent, signed, to its service after a person with a fresh sign-in approved it", async () => {
  const { pages } = server.said;
  const form = new URLSearchParams({ name: "ana", passphrase: PASSPHRASE }).toString();
  const formHeaders = { "content-type": "application/x-www-form-urlencoded" };
  const { cookie } = await browsed(`${pages}/sign-in`, { method: "POST", body: form, headers: formHeaders });
  const body = { tool: "refund", args: { order: 7, amount: 5 }, callId: "c2" };
  const refused = await ask("/v1/calls", { token: coder, body });
  expect(refused).toMatchObject({ code: "LEEWAY_NEEDS_HUMAN" });
  const answer = { verdict: "approve", digest: refused.digest };
  const path = `/v1/approvals/${refused.approvalId}/reviews`;
  expect(await ask(path, { token: ana, body: answer })).toMatchObject({ error: { code: "LEEWAY_STALE_SIGN_IN" } });
  const headers = { "content-type": "application/json", cookie };
  const approved = await browsed(`${pages}${path}`, { method: "POST", body: JSON.stringify(answer), headers });
  expect(JSON.parse(approved.text)).toMatchObject({ state: "approved" });
  const ran = () => ask(`/v1/calls/${refused.id}`, { token: coder });
  await expect.poll(ran, { timeout: 10_000 }).toMatchObject({ outcome: "run", result: { refunded: 5 } });
  const [sent, ...more] = received;
  expect([more, JSON.parse(sent?.body ?? "{}")]).toMatchObject([[], { args: { order: 7, amount: 5 } }]);
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature } = sent?.headers ?? {};
  const signed = createHmac("sha256", KEY).update(`${id}.${time}.${sent?.body}`).digest("base64");
  expect(signature).toBe(`v1,${signed}`);
});

test("doctor lists what a server would run, and doctor and up report a mistake in the file with its line", async () => {
  const findings = async () => JSON.parse((await leeway(on, ["doctor", "--json"])).stdout).findings;
  expect(await findings()).toContainEqual({
    what: "runners",
    state: "ok",
    says: "a server runs shell (command), refund (http) itself",
  });
  const good = readFileSync(state("server.yaml"), "utf8");
  for (const [wrong, what] of [
    ["runners:\n  shell:\n    comand: {}\n", ":3:5: unknown key `comand`; did you mean `command`?"],
    [
      "runners:\n  pay:\n    http: { url: 'http://pay.example.com', secret: whsec_x }\n",
      ":2:3: http://pay.example.com is not an address to send calls to",
    ],
  ] as const) {
    settings(wrong);
    expect(await leeway(on, ["up", "--port", "0"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(`${state("server.yaml")}${what}`),
    });
    expect(await findings()).toContainEqual(
      expect.objectContaining({ what: "runners", state: "bad", says: expect.stringContaining(what) }),
    );
  }
  settings(good);
});

test("an agent that would write the server's settings, or read its secrets, is refused until a person reviews the call", async () => {
  for (const call of [
    { tool: "write_file", args: { path: state("server.yaml"), text: "runners: {}" } },
    { tool: "bash", args: { command: `echo x >> ${state("server.yaml")}` } },
    { tool: "read_file", args: { path: state("server.yaml") } },
    { tool: "bash", args: { command: `cat ${state("server.yaml")}` } },
  ]) {
    const { decision, error } = await ask("/v1/calls/check", { token: coder, body: { ...call, cwd: on.project } });
    expect(error).toBe(undefined);
    expect([call, decision.outcome, decision.code]).toEqual([call, "denied", "LEEWAY_NEEDS_HUMAN"]);
  }
});
