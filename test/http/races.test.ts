import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addPerson } from "../../src/gate/people/people.ts";
import { addToken } from "../../src/gate/people/tokens.ts";
import { functionRunner } from "../../src/runners/function.ts";
import { cookieOf } from "./cast.ts";
import { type Reply, type Served, served, turnedClock } from "./served.ts";

// Who wins when two things happen at the same time, tested over HTTP. The gate runs `refund`, the caller runs `shell`.

const AT_ONCE = 100;
const ROUNDS = process.env["LEEWAY_PROVE"] === undefined ? 5 : 100;
const NAMES = ["ana", "ben", "dan", "eve", "fay", "gus", "hal", "ida", "jon", "kim"] as const;
const policyOf = (more: string) => `version: 1
preset: standard
reviewers: [${NAMES.join(", ")}]
tools:
  refund: { class: store.write }
  refund_two: { class: store.write }
tiers: { refund: ask }
approvals: { selfReview: true, expires: 10m }
rules:
  - { name: two, match: { tool: refund_two }, tier: ask, quorum: 2, because: it takes two }
${more}`;

let on: Served;
let agent: string;
const tokens = new Map<string, string>();
const clock = turnedClock();
const ran: unknown[] = [];
let count = 0;

beforeAll(async () => {
  const runner = functionRunner("refund", async (args) => {
    ran.push(args);
    return "refunded";
  });
  on = await served({ policy: policyOf(""), clock, runners: [runner] });
  agent = await on.token({ agent: "coder" });
  for (const name of NAMES) {
    if (!["ana", "ben"].includes(name)) await addPerson(on.deps, { name, by: "ana", assurance: "tty" });
    // Each has their own: with tokens that ana made for all, all approvals would count as ana's.
    const made = await addToken(on.deps, { person: name, can: "approve" }, { by: name, assurance: "tty" });
    if (!made.ok) throw new Error(made.reason.say);
    tokens.set(name, made.value.text);
  }
});
afterAll(() => on.remove());

type Asked = { id: string; approvalId: string; digest: string; amount: number };
async function asked(tool = "refund", server = on): Promise<Asked> {
  const amount = ++count;
  const args = tool === "shell" ? { command: `git push origin b${amount}` } : { amount };
  const body = { tool, args, callId: `c${amount}`, ...(tool === "refund" ? { runBy: "leeway" } : {}) };
  const reply = await server.ask("POST", "/v1/calls", { token: agent, body });
  expect([reply.status, reply.body.outcome]).toEqual([202, "pending"]);
  return { ...reply.body, amount };
}
function answer(to: Asked, by: string, verdict: string, more: object = {}, server = on): Promise<Reply> {
  const body = { verdict, digest: to.digest, ...more };
  return server.ask("POST", `/v1/approvals/${to.approvalId}/reviews`, { token: tokens.get(by) ?? "", body });
}
const claim = (to: Asked, server = on) => server.ask("POST", `/v1/calls/${to.id}/claim`, { token: agent, body: {} });
const stands = async (to: Asked, server = on) =>
  (await server.ask("GET", `/v1/calls/${to.id}/wait?timeout=10`, { token: agent })).body;
const stateOf = async (to: Asked) =>
  (await on.ask("GET", `/v1/approvals/${to.approvalId}`, { token: tokens.get("ana") ?? "" })).body.state;
const ranFor = (to: Asked) => ran.filter((args) => (args as { amount: number }).amount === to.amount).length;
const codes = (replies: readonly Reply[]) => [...new Set(replies.map(({ body }) => body.error?.code ?? "fine"))].sort();
const kinds = async (to: Asked) => {
  const { body } = await on.ask("GET", `/v1/ledger?approval=${to.approvalId}&limit=500`, {
    token: tokens.get("ana") ?? "",
  });
  return body.entries.map(({ kind }: { kind: string }) => kind) as string[];
};

describe("a hundred requests at once", () => {
  test("answers of ten people, for and against: there is one outcome, and the call ran once or never", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const to = await asked();
      const replies = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) => answer(to, NAMES[n % 10] ?? "ana", n % 3 === 0 ? "deny" : "approve")),
      );
      expect(replies.filter(({ status }) => status === 200).length).toBe(1);
      expect(codes(replies)).toEqual(["LEEWAY_ALREADY_RESOLVED", "fine"]);
      const state = await stateOf(to);
      const { outcome, result } = await stands(to);
      expect({ state, outcome, result, ran: ranFor(to) }).toEqual(
        state === "approved"
          ? { state: "approved", outcome: "run", result: "refunded", ran: 1 }
          : { state: "denied", outcome: "denied", ran: 0 },
      );
      const ends = (await kinds(to)).filter((kind) => ["approval.approved", "approval.denied"].includes(kind));
      expect(ends).toEqual([`approval.${state}`]);
    }
  });

  test("answers of one person where two are needed: they count once", async () => {
    const to = await asked("refund_two");
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => answer(to, "ana", "approve")));
    expect(replies.filter(({ status }) => status === 200).length).toBe(1);
    expect(codes(replies)).toEqual(["LEEWAY_ALREADY_REVIEWED", "fine"]);
    expect(await stateOf(to)).toBe("pending");
    const more = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) => answer(to, NAMES[n % 10] ?? "", "approve")),
    );
    expect(more.filter(({ status, body }) => status === 200 && body.state === "approved").length).toBe(1);
    expect(await stateOf(to)).toBe("approved");
  });

  test("claims of one call: exactly one succeeds", async () => {
    const to = await asked("shell");
    await answer(to, "ana", "approve");
    const claims = await Promise.all(Array.from({ length: AT_ONCE }, () => claim(to)));
    expect(claims.filter(({ status }) => status === 200).length).toBe(1);
    expect(codes(claims)).toEqual(["LEEWAY_ALREADY_CLAIMED", "fine"]);
  });

  test("sign-ins by one link: exactly one succeeds", async () => {
    const made = await addToken(on.deps, { person: "ana", can: "sign-in" }, { by: "ana", assurance: "tty" });
    if (!made.ok) throw new Error(made.reason.say);
    const path = `/sign-in/link/${made.value.text}`;
    // Opening the link, as a mail scanner does, does not use it up.
    for (let n = 0; n < 3; n++) expect((await on.ask("GET", path)).headers.get("set-cookie")).toBe(null);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => on.ask("POST", path, { headers: { origin: on.url } })),
    );
    const cookies = replies.flatMap(({ headers }) => headers.get("set-cookie") ?? []);
    expect(cookies.length).toBe(1);
    const me = await on.ask("GET", "/v1/me", { cookie: cookies[0]?.split(";")[0] ?? "" });
    // A link proves only that somebody has it: nobody typed a passphrase, and nothing says that somebody did.
    expect(me.body).toMatchObject({ name: "ana", signIns: [expect.objectContaining({ assurance: "token" })] });
  });
});

describe("an approval at the same time as", () => {
  test("the end of its time: from that moment the question is expired, even before this is recorded", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const to = await asked();
      clock.advance(10 * 60_000);
      const replies = await Promise.all(NAMES.map((name) => answer(to, name, "approve")));
      expect(codes(replies)).toEqual(["LEEWAY_ALREADY_RESOLVED"]);
      expect(await stands(to)).toMatchObject({ outcome: "denied", code: "LEEWAY_EXPIRED" });
      expect([await stateOf(to), ranFor(to)]).toEqual(["expired", 0]);
    }
  });

  test("the end of the time to run: the call is approved, but can no longer be claimed", async () => {
    const to = await asked("shell");
    await answer(to, "ana", "approve");
    clock.advance(24 * 3_600_000);
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(to)));
    expect(claims.filter(({ status }) => status === 200)).toEqual([]);
  });

  test("a withdrawal: a withdrawn call never runs", async () => {
    for (let round = 0; round < ROUNDS * 4; round++) {
      const to = await asked("shell");
      const withdraw = on.ask("POST", `/v1/approvals/${to.approvalId}/cancel`, { token: agent, body: {} });
      const [approved, cancelled, claimed] = await Promise.all([answer(to, "ana", "approve"), withdraw, claim(to)]);
      const late = await claim(to);
      const isWithdrawn = cancelled.status === 200;
      expect([approved.status === 200 || isWithdrawn, claimed.status === 200 && isWithdrawn]).toEqual([true, false]);
      if (isWithdrawn) expect([late.status === 200, ranFor(to)]).toEqual([false, 0]);
    }
  });

  test("an edit: one of them wins, and exactly what the winner saw runs", async () => {
    for (let round = 0; round < ROUNDS * 2; round++) {
      const to = await asked();
      const edits = { amount: to.amount + 0.5 };
      const [plain, edited] = await Promise.all([
        answer(to, "ana", "approve"),
        answer(to, "ben", "approve", { edits }),
      ]);
      expect([plain.status, edited.status].sort()).toEqual([200, 409]);
      await stands(to);
      const mine = ran.filter((args) => Math.floor((args as { amount: number }).amount) === to.amount);
      expect(mine).toEqual([plain.status === 200 ? { amount: to.amount } : edits]);
    }
  });

  test("a policy that became stricter: the call is decided again when it starts, and the stricter policy applies", async () => {
    const to = await asked("shell");
    await answer(to, "ana", "approve");
    writeFileSync(
      join(on.project, "leeway.yaml"),
      policyOf("  - { name: none, match: { class: git.write }, tier: deny, because: not now }\n"),
    );
    clock.advance(2_000);
    const refused = await claim(to);
    expect([refused.status, refused.body.error.code]).toEqual([409, "LEEWAY_VOID"]);
    writeFileSync(join(on.project, "leeway.yaml"), policyOf(""));
    clock.advance(2_000);
    expect((await claim(to)).status).toBe(409);
  });

  test("a pause: the start is refused, and the execution stays ready", async () => {
    const admin = { cookie: await cookieOf(on, "ana") };
    for (let round = 0; round < ROUNDS; round++) {
      const to = await asked("shell");
      await answer(to, "ana", "approve");
      const set = on.ask("POST", "/v1/agents/coder/pause", { ...admin, body: { because: "a look" } });
      const [paused, early] = await Promise.all([set, claim(to)]);
      const late = await claim(to);
      expect([paused.status, late.body.error.code]).toEqual([
        201,
        early.status === 200 ? "LEEWAY_ALREADY_CLAIMED" : "LEEWAY_PAUSED",
      ]);
      await on.ask("DELETE", `/v1/pauses/${paused.body.id}`, { cookie: await cookieOf(on, "ana") });
      expect((await claim(to)).status).toBe(early.status === 200 ? 409 : 200);
    }
  });
});

describe("a server that stops and starts again", () => {
  test("at every step keeps the state of a call, and runs it once", async () => {
    const runsBefore = ran.length;
    const own = await asked("shell");
    on = await on.again();
    // A pending question stays pending; the same call sent again gives the same question.
    expect(await stateOf(own)).toBe("pending");
    const resent = { tool: "shell", args: { command: `git push origin b${own.amount}` }, callId: `c${own.amount}` };
    expect((await on.ask("POST", "/v1/calls", { token: agent, body: resent })).body).toMatchObject({
      id: own.id,
      approvalId: own.approvalId,
    });
    expect((await on.ask("GET", `/v1/calls?callId=c${own.amount}`, { token: agent })).body.id).toBe(own.id);
    await answer(own, "ana", "approve");
    on = await on.again();
    expect(await stands(own)).toMatchObject({ outcome: "run" });
    const { attempt } = (await claim(own)).body;
    on = await on.again();
    expect((await claim(own)).status).toBe(409);
    const settle = { token: agent, body: { attempt, ok: true, result: "pushed" } };
    expect((await on.ask("POST", `/v1/calls/${own.id}/settle`, settle)).body.state).toBe("succeeded");
    on = await on.again();
    expect(await stands(own)).toMatchObject({ outcome: "run", result: "pushed" });
    // Reported again after a lost answer: still the same result, and still once.
    expect((await on.ask("POST", `/v1/calls/${own.id}/settle`, settle)).body.state).toBe("succeeded");
    expect(ran.length).toBe(runsBefore);
  });

  test("between the approval and the run: the call runs once, on either server", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const to = await asked();
      const replies = Promise.allSettled([answer(to, "ana", "approve"), answer(to, "ben", "approve")]);
      await new Promise((resolve) => setTimeout(resolve, round * 2));
      on = await on.again();
      await replies;
      await answer(to, "dan", "approve");
      expect(await stands(to)).toMatchObject({ outcome: "run", result: "refunded" });
      expect(ranFor(to)).toBe(1);
    }
  });

  test("tells waiting clients to come back, and they find their call by its id", async () => {
    const to = await asked("shell");
    const body = {
      tool: "shell",
      args: { command: `git push origin b${to.amount}` },
      callId: `c${to.amount}`,
      wait: 30,
    };
    const begun = clock.nextSleep();
    const waiting = on.ask("POST", "/v1/calls", { token: agent, body });
    await begun;
    on = await on.again();
    expect(await waiting).toMatchObject({ status: 202, body: { id: to.id, outcome: "pending" } });
    const again = on.ask("POST", "/v1/calls", { token: agent, body });
    await answer(to, "ana", "approve");
    expect((await again).body).toMatchObject({ id: to.id, outcome: "run" });
  });
});

describe("two servers on one database", () => {
  test("give one answer, one execution and one run together", async () => {
    const other = await on.beside();
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const [to, own] = [await asked(), await asked("shell")];
        const waiting = other.ask("GET", `/v1/calls/${own.id}/wait?timeout=20`, { token: agent });
        const servers = [on, other];
        const replies = await Promise.all(
          Array.from({ length: 20 }, (_, n) => answer(to, NAMES[n % 10] ?? "", "approve", {}, servers[n % 2])),
        );
        expect(replies.filter(({ status }) => status === 200).length).toBe(1);
        expect(await stands(to, other)).toMatchObject({ result: "refunded" });
        expect(ranFor(to)).toBe(1);
        await answer(own, "ana", "approve");
        expect((await waiting).body).toMatchObject({ outcome: "run" });
        const claims = await Promise.all(Array.from({ length: 20 }, (_, n) => claim(own, servers[n % 2])));
        expect(claims.filter(({ status }) => status === 200).length).toBe(1);
      }
      const pause = { of: "agent", name: "coder", because: "across" };
      const paused = await on.ask("POST", "/v1/pauses", { token: tokens.get("ana") ?? "", body: pause });
      expect((await other.ask("POST", "/v1/calls", { token: agent, body: { tool: "read_file" } })).body).toMatchObject({
        code: "LEEWAY_PAUSED",
      });
      await other.ask("DELETE", `/v1/pauses/${paused.body.id}`, { cookie: await cookieOf(other, "ana") });
      expect((await on.ask("GET", "/v1/ledger/verify", { token: tokens.get("ana") ?? "" })).body.ok).toBe(true);
    } finally {
      await other.close();
    }
  });
});
