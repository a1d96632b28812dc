import { afterAll, beforeAll, expect, test } from "vitest";
import { cookieOf } from "./cast.ts";
import { type Served, served } from "./served.ts";

// Data about running work: tokens, limits, notices, sessions, several answers together.

let on: Served;
let token: string;
let admin: { cookie: string };
beforeAll(async () => {
  on = await served({
    policy: `version: 1
preset: standard
approvals: { selfReview: true }
tools:
  refund: { class: store.write }
  memo: { class: metadata.write }
tiers: { refund: ask, memo: notify }
rules:
  - { name: by-hand, match: { tool: wire }, tier: ask, human: true, because: money leaves }
limits:
  - { name: reads, match: { class: fs.read }, max: 100, per: 1h, by: agent, then: ask }
  - { name: sums, match: { tool: refund }, sum: /amount, max: 1000, per: 1d, by: tool, then: deny }
  - { name: talk, match: { class: metadata.write }, max: 10, per: 1h, by: session, then: ask }
`,
  });
  token = await on.token({ agent: "coder" });
  admin = { cookie: await cookieOf(on, "ana") };
});
afterAll(() => on.remove());

const call = (body: object) => on.ask("POST", "/v1/calls", { token, body });
const asking = async (amount: number) => (await call({ tool: "refund", args: { amount }, session: "s1" })).body;

test("a token that was just used stops working once it is revoked, on this server and on any other", async () => {
  const other = await on.beside();
  try {
    const shown = { token: await on.token({ agent: "short" }), body: { tool: "read_file", args: { path: "a" } } };
    await on.ask("GET", "/v1/tokens", admin);
    for (const server of [on, other]) expect((await server.ask("POST", "/v1/calls", shown)).status).toBe(200);
    const { tokens } = (await on.ask("GET", "/v1/tokens", admin)).body;
    const { id, usedMs } = tokens.find((one: { holder: { agent?: string } }) => one.holder.agent === "short");
    expect([usedMs, (await on.ask("DELETE", `/v1/tokens/${id}`, admin)).body.state]).toEqual([
      expect.any(Number),
      "revoked",
    ]);
    for (const server of [on, other]) expect((await server.ask("POST", "/v1/calls", shown)).status).toBe(401);
  } finally {
    await other.close();
  }
});

test("limits are listed with their use, for known agents and for the agent that is asked about", async () => {
  await call({ tool: "read_file", args: { path: "a" } });
  await call({ tool: "read_file", args: { path: "b" } });
  await call({ tool: "memo", args: {}, session: "s9" });
  const { limits } = (await on.ask("GET", "/v1/limits?session=s9", admin)).body;
  expect(limits).toMatchObject([
    { name: "reads", max: 100, per: "1h", by: "agent" },
    { name: "sums", max: 1000, per: "1d", by: "tool", sum: "/amount" },
    { name: "talk", by: "session", fills: [{ name: "s9", used: 1 }] },
  ]);
  expect(limits[0].fills).toContainEqual({ name: "coder", used: 2 });
  expect((await on.ask("GET", "/v1/limits?agent=nobody", admin)).body.limits[0].fills).toEqual([
    { name: "nobody", used: 0 },
  ]);
});

test("checking a call says what would happen, and records nothing", async () => {
  const before = await on.deps.store.read({ ask: "head", workspace: "default" });
  const body = { tool: "refund", args: { amount: 1 } };
  expect((await on.ask("POST", "/v1/calls/check", { token, body })).body).toMatchObject({
    decision: { tier: "ask", outcome: "pending" },
    effect: { parts: [{ class: "store.write" }] },
    digest: expect.stringMatching(/^sha256:/),
  });
  expect(await on.deps.store.read({ ask: "head", workspace: "default" })).toEqual(before);
});

test("a person reads their notices and marks them as read, and nobody can mark those of another", async () => {
  await asking(3);
  const { notices } = (await on.ask("GET", "/v1/notices?unread=true", admin)).body;
  expect(notices[0]).toMatchObject({ kind: "pending", ref: expect.stringMatching(/^apr_/) });
  const path = `/v1/notices/${notices[0].id}/read`;
  expect((await on.ask("POST", path, { cookie: await cookieOf(on, "ben"), body: {} })).status).toBe(404);
  expect((await on.ask("POST", path, { ...admin, body: {} })).body.readMs).toEqual(expect.any(Number));
  const left = (await on.ask("GET", "/v1/notices?unread=true", admin)).body.notices;
  expect(left.map(({ id }: { id: string }) => id)).not.toContain(notices[0].id);
});

test("several questions are answered together, each with its own digest, and never one that needs a human", async () => {
  const [one, two, human] = [await asking(11), await asking(12), (await call({ tool: "wire", args: {} })).body];
  expect(human.code).toBe("LEEWAY_NEEDS_HUMAN");
  const items = [
    { id: one.approvalId, digest: one.digest },
    { id: two.approvalId, digest: one.digest },
    { id: human.approvalId, digest: human.digest },
    { id: "apr_none", digest: one.digest },
  ];
  const { outcomes } = (await on.ask("POST", "/v1/reviews", { ...admin, body: { verdict: "approve", items } })).body;
  expect(outcomes).toMatchObject([
    { id: one.approvalId, approval: { state: "approved" } },
    { id: two.approvalId, error: { code: "LEEWAY_DIGEST_MISMATCH" } },
    { id: human.approvalId, error: { code: expect.stringMatching(/^LEEWAY_/) } },
    { id: "apr_none", error: { code: "LEEWAY_NOT_FOUND" } },
  ]);
  const states = await Promise.all(
    [two, human].map(async ({ approvalId }) => (await on.ask("GET", `/v1/approvals/${approvalId}`, admin)).body.state),
  );
  expect(states).toEqual(["pending", "pending"]);
});

test("an agent ends its own part of a session: its open questions and permits end, those of others stay", async () => {
  const other = await on.token({ agent: "other" });
  const open = await asking(21);
  const theirs = { tool: "refund", args: { amount: 22 }, session: "s1" };
  const { approvalId } = (await on.ask("POST", "/v1/calls", { token: other, body: theirs })).body;
  const ended = await on.ask("POST", "/v1/sessions/s1/end", { token, body: {} });
  expect(ended.body.approvals).toBeGreaterThan(0);
  expect((await on.ask("GET", `/v1/calls/${open.id}`, { token })).body.code).toBe("LEEWAY_CANCELLED");
  expect((await on.ask("GET", `/v1/approvals/${approvalId}`, admin)).body.state).toBe("pending");
});

test("the next page of a list continues after the last one, whatever was added meanwhile", async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 20; pages++) {
    const query = `limit=2${cursor === undefined ? "" : `&cursor=${cursor}`}`;
    const { approvals, next } = (await on.ask("GET", `/v1/approvals?${query}`, admin)).body;
    seen.push(...approvals.map(({ id }: { id: string }) => id));
    await asking(100 + pages);
    cursor = next;
    if (next === undefined) break;
  }
  expect(cursor).toBe(undefined);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.length).toBeGreaterThan(5);
});
