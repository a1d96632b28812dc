import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { type Gate, httpRunner, openGate } from "../../src/index.ts";
import { POLICY } from "../library/gates.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
let gate: Gate | undefined;
let server: Server | undefined;
afterEach(async () => {
  await gate?.close();
  server?.close();
});

/** A service for refunds, on this port or any free one, and the idempotency keys that it received. */
async function refunds(port = 0): Promise<{ port: number; keys: unknown[] }> {
  const keys: unknown[] = [];
  const here = createServer((request, response) => {
    keys.push(request.headers["idempotency-key"]);
    request.resume().on("end", () => response.end('{"refunded":5}'));
  });
  server = here;
  await new Promise<void>((resolve) => here.listen(port, "127.0.0.1", resolve));
  return { port: (here.address() as AddressInfo).port, keys };
}

/** A proposal that ana approved after its caller had stopped waiting. */
async function approvedLater(port: number): Promise<{ gate: Gate; id: string; approvalId: string }> {
  const url = `http://127.0.0.1:${port}/refunds`;
  const runners = [httpRunner("propose", { url, secret, idempotent: true, nearby: true })];
  const opened = await openGate({ db: ":memory:", policy: POLICY, runners });
  gate = opened;
  await opened.people.add({ name: "ana" });
  const { id, approvalId = "", digest, outcome } = await opened.submit({ tool: "propose", args: { amount: 5 } });
  expect(outcome).toBe("not_executed");
  await opened.review(approvalId, { by: "ana", verdict: "approve", digest });
  return { gate: opened, id, approvalId };
}

test("a proposal that is approved later is sent to its service once, and the answer is the result", async () => {
  const { port, keys } = await refunds();
  const { gate: opened, approvalId } = await approvedLater(port);
  const receipt = await opened.wait(approvalId, { timeoutMs: 20_000 });
  expect(receipt).toMatchObject({ outcome: "run", result: { refunded: 5 } });
  expect(keys).toEqual([receipt.executionId]);
});

test("a service that could not be reached gets the call when it is available again", async () => {
  const { port } = await refunds();
  await new Promise((resolve) => server?.close(resolve));
  const { gate: opened, approvalId } = await approvedLater(port);
  await vi.waitFor(
    async () => {
      const released = await opened.ledger.entries({ kinds: ["execution.released"] });
      expect(released.length).toBeGreaterThan(0);
    },
    { timeout: 20_000, interval: 100 },
  );
  const { keys } = await refunds(port);
  const receipt = await opened.wait(approvalId, { timeoutMs: 50_000 });
  expect([receipt.result, keys.length]).toEqual([{ refunded: 5 }, 1]);
});
