import { chmodSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../src/client/index.ts";
import type { Gate } from "../../src/index.ts";
import { type Served, served } from "./served.ts";

// A callback of a server is a webhook: a service that takes part in decisions.

const POLICY = `version: 1
tools: { pay: { class: db.write }, look: { class: db.read } }
tiers: { pay: ask, look: auto }
`;
const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

type Asked = { call: { tool: string; args: { amount: number } }; effect: { parts: { class: string }[] } };
const asked: Asked[] = [];
let service: Server;
let allowing: Server;
let elsewhere: number;
let on: Served;
let gate: Gate;

/** Answers by the amount, so that each test can choose an answer. */
function answerTo({ call }: Asked): string | number {
  const { amount } = call.args;
  if (amount === 1) return JSON.stringify({ answer: "allow" });
  if (amount === 2) return JSON.stringify({ answer: "deny", reason: "the account is closed" });
  if (amount === 3) return "";
  if (amount === 4) return JSON.stringify({ answer: "sure" });
  return amount === 6 ? 307 : 500;
}

beforeAll(async () => {
  service = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      // Throws if the signature is wrong.
      const question = new Webhook(secret).verify(body, headers) as Asked;
      asked.push(question);
      const answer = answerTo(question);
      response.statusCode = typeof answer === "number" ? answer : 200;
      // Whoever answers there was not asked.
      if (answer === 307) response.setHeader("location", `http://127.0.0.1:${elsewhere}/decide`);
      response.end(String(answer));
    });
  });
  allowing = createServer((_, response) => response.end(JSON.stringify({ answer: "allow" })));
  for (const one of [service, allowing]) await new Promise<void>((listening) => one.listen(0, "127.0.0.1", listening));
  elsewhere = (allowing.address() as AddressInfo).port;
  const { port } = service.address() as AddressInfo;
  const first = await served({ policy: POLICY });
  const settings = `callback: { name: risk, url: "http://127.0.0.1:${port}/decide", secret: ${secret}, nearby: true }\n`;
  on = await first.again({
    between: async () => {
      writeFileSync(join(first.state, "server.yaml"), settings);
      chmodSync(join(first.state, "server.yaml"), 0o600);
    },
  });
  gate = createClient({ url: on.url, token: await on.token({ agent: "shop" }) });
});
afterAll(async () => {
  await gate.close();
  await on.remove();
  service.close();
  allowing.close();
});

test("the service is asked with the call and its effect, signed, and can turn an ask into a run", async () => {
  const receipt = await gate.submit({ tool: "pay", args: { amount: 1 } });
  expect([receipt.outcome, receipt.decision.tier]).toEqual(["run", "auto"]);
  expect(asked.at(-1)).toMatchObject({
    call: { tool: "pay", args: { amount: 1 }, agent: "shop" },
    effect: { parts: [{ class: "db.write" }] },
  });
});

test("the service can deny a call that the policy would run, with its reason", async () => {
  const receipt = await gate.submit({ tool: "look", args: { amount: 2 } });
  expect([receipt.outcome, receipt.decision.because.join()]).toEqual([
    "denied",
    expect.stringContaining("the account is closed"),
  ]);
});

test("a service without an opinion leaves the decision to the policy", async () => {
  const tiers = [];
  for (const tool of ["pay", "look"]) tiers.push((await gate.submit({ tool, args: { amount: 3 } })).decision.tier);
  expect(tiers).toEqual(["ask", "auto"]);
});

test("a service that fails, redirects, or answers something else, denies the call", async () => {
  const outcomes = [];
  for (const amount of [4, 5, 6]) outcomes.push((await gate.submit({ tool: "look", args: { amount } })).outcome);
  expect(outcomes).toEqual(["denied", "denied", "denied"]);
});
