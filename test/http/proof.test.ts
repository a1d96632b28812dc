import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Deps } from "../../src/gate/deps.ts";
import { endSignIn, listSignIns } from "../../src/gate/people/sign-in.ts";
import { addToken, listTokens, revokeToken } from "../../src/gate/people/tokens.ts";
import { apiRoutes } from "../../src/http/api.ts";
import { type Reply, type Served, served, turnedClock } from "./served.ts";

// A token is looked up in the last known standing, and the Change proves that it was still valid. `beside` is another
// process on the same database: the first one is not told what is revoked there.

const clock = turnedClock();
let on: Served;
let beside: Served;
let token: string;
let count = 0;
const called = () => ({ tool: "memo", args: { n: ++count }, callId: `c${count}` });

beforeAll(async () => {
  on = await served({ clock });
  beside = await on.beside();
});
afterAll(async () => {
  await beside.close();
  await on.remove();
});

/** A token that both processes have seen and used, so that nothing about it is left to be recorded. */
beforeEach(async () => {
  token = await on.token({ agent: "coder" });
  for (const server of [on, beside]) expect((await submitted(server)).status).toBe(200);
});

const submitted = (server = on, body: object = called()) => server.ask("POST", "/v1/calls", { token, body });
const idOf = (text: string) => `tok_${text.split("_")[1]}`;
async function revoke(by: Served, text = token): Promise<void> {
  expect(await revokeToken(by.deps, idOf(text), { by: "ana" })).toMatchObject({ ok: true });
}
const refusal = ({ status, body }: Reply) => [status, body.error?.code];
const UNAUTHENTICATED = [401, "LEEWAY_UNAUTHENTICATED"];
const head = async (server = on) =>
  (await server.deps.store.read({ ask: "head", workspace: server.deps.workspace })).index;
/** What the gate records by itself, at any time. */
const IN_TIME: readonly string[] = ["ledger.sealed", "execution.lapsed"];
const entriesSince = async (index: number) => {
  const { store, workspace } = on.deps;
  const newest = await store.read({ ask: "entries", workspace, where: {}, limit: 500, order: "newest" });
  const kinds = newest.flatMap(({ kind, index: at }) => (at >= index && !IN_TIME.includes(kind) ? [kind] : []));
  return kinds.reverse();
};

/** Does something immediately before the next Change is committed here, as another process may at any time. */
async function meanwhile<T>(act: () => Promise<void>, ask: () => Promise<T>): Promise<T> {
  const { store } = on.deps;
  let isDone = false;
  on.deps.store = {
    ...store,
    commit: async (change) => {
      // The gate's own timers also commit, at any time.
      const isAsked = change.writes.some(
        (write) => write.do === "start" || (write.do === "step" && write.right.state !== "handed"),
      );
      if (isAsked && !isDone) {
        isDone = true;
        await act();
      }
      return store.commit(change);
    },
  };
  try {
    const reply = await ask();
    expect(isDone).toBe(true);
    return reply;
  } finally {
    on.deps.store = store;
  }
}

describe("a token that was revoked in another process", () => {
  test("is refused with the same answer for every request, valid or not, and changes nothing", async () => {
    const first = called();
    const { body: receipt } = await submitted(on, first);
    await revoke(beside);
    const before = await head();
    const asks: [method: string, path: string, body?: unknown][] = [
      ["POST", "/v1/calls", called()],
      ["POST", "/v1/calls", first],
      ["POST", "/v1/calls", { tool: "" }],
      ["POST", "/v1/calls", { tool: "memo", agent: "sub" }],
      ["POST", "/v1/calls", []],
      ["POST", "/v1/calls/batch", { calls: [called()] }],
      ["POST", "/v1/calls/batch", { calls: [] }],
      ["POST", "/v1/calls/check", called()],
      ["POST", `/v1/calls/${receipt.id}/settle`, { attempt: receipt.attempt, ok: true }],
      ["POST", `/v1/calls/${receipt.executionId}/settle`, { attempt: receipt.attempt, ok: true }],
      ["POST", `/v1/calls/${receipt.id}/settle`, { attempt: receipt.attempt }],
      ["POST", `/v1/calls/${receipt.executionId}/renew`, { attempt: receipt.attempt }],
      ["POST", `/v1/calls/${receipt.executionId}/claim`, {}],
      ["POST", "/v1/calls/call_nothing/settle", { attempt: "att_1", ok: true }],
      ["GET", `/v1/calls/${receipt.id}`],
      ["GET", "/v1/calls?callId=nothing"],
    ];
    for (const [method, path, body] of asks) {
      expect([path, refusal(await on.ask(method, path, { token, body }))]).toEqual([path, UNAUTHENTICATED]);
      expect(on.logged.at(-1)?.who).toBe("nobody");
      // Another token for the next test; this process has not heard of its revocation either.
      token = await on.token({ agent: "coder" });
      await submitted();
      await revoke(beside);
    }
    const kinds = await entriesSince(before + 1);
    expect(kinds.filter((kind) => kind === "call.decided").length).toBe(asks.length);
    expect(kinds.filter((kind) => kind.startsWith("execution.s") || kind === "execution.claimed")).toEqual([]);
  });

  test("counts as a guess, like any other invalid token", async () => {
    await revoke(beside);
    const codes = new Set<string>();
    // Twice as many as one minute allows, in case a minute ends in between.
    for (let n = 0; n < 130 && !codes.has("LEEWAY_LOCKED"); n++) codes.add((await submitted()).body.error.code);
    expect([...codes]).toEqual(["LEEWAY_UNAUTHENTICATED", "LEEWAY_LOCKED"]);
    clock.advance(60_000);
  });
});

describe("a token that is revoked between its check and the commit", () => {
  test("decides no call, and reveals nothing about calls sent before", async () => {
    const before = await head();
    const reply = await meanwhile(() => revoke(beside), submitted);
    expect(refusal(reply)).toEqual(UNAUTHENTICATED);
    expect(await entriesSince(before + 1)).toEqual(["token.revoked"]);
  });

  test("decides none of the further calls of a batch", async () => {
    const before = await head();
    const body = { calls: [called(), called()] };
    const reply = await meanwhile(
      () => revoke(beside),
      () => on.ask("POST", "/v1/calls/batch", { token, body }),
    );
    expect(refusal(reply)).toEqual(UNAUTHENTICATED);
    expect(await entriesSince(before + 1)).toEqual(["token.revoked"]);
  });

  test("settles, renews and claims nothing", async () => {
    const { body: receipt } = await submitted();
    const at = (verb: string, body: object) => () =>
      on.ask("POST", `/v1/calls/${receipt.executionId}/${verb}`, { token, body });
    const settled = at("settle", { attempt: receipt.attempt, ok: true });
    expect(refusal(await meanwhile(() => revoke(beside), settled))).toEqual(UNAUTHENTICATED);
    const read = { ask: "row", workspace: on.deps.workspace, table: "executions", id: receipt.executionId } as const;
    const held = await on.deps.store.read(read);
    expect(held?.row.state).toBe("claimed");
    token = await on.token({ agent: "coder" });
    await submitted();
    const renewed = at("renew", { attempt: receipt.attempt });
    expect(refusal(await meanwhile(() => revoke(beside), renewed))).toEqual(UNAUTHENTICATED);
    expect(await on.deps.store.read(read)).toEqual(held);
  });
});

test("if the standing changes meanwhile, a token that is still valid works, and the call is decided once", async () => {
  const before = await head();
  const turn = async () => void (await beside.token({ agent: `other-${count}` }));
  const reply = await meanwhile(turn, submitted);
  expect([reply.status, reply.body.outcome]).toEqual([200, "run"]);
  const { executionId, attempt } = reply.body;
  const body = { attempt, ok: true };
  const settled = await meanwhile(turn, () => on.ask("POST", `/v1/calls/${executionId}/settle`, { token, body }));
  expect([settled.status, settled.body.state]).toEqual([200, "succeeded"]);
  expect(await entriesSince(before + 1)).toEqual(["token.added", "call.decided", "token.added", "execution.succeeded"]);
});

test("a pause from another process applies to a call whose token is already known", async () => {
  const ana = await beside.signIn();
  const paused = await beside.ask("POST", "/v1/pauses", { cookie: ana, body: { of: "everything", because: "stop" } });
  expect(paused.status).toBe(201);
  expect((await submitted()).body.code).toBe("LEEWAY_PAUSED");
  const lifted = await beside.ask("DELETE", `/v1/pauses/${paused.body.id}`, { cookie: ana, body: { because: "go" } });
  expect([lifted.status, (await submitted()).body.outcome]).toEqual([200, "run"]);
});

test("an expired token is refused, even if nothing else changed", async () => {
  const made = await addToken(on.deps, { agent: "coder" }, { by: "ana", assurance: "tty", forMs: 90_000 });
  if (!made.ok) throw new Error(made.reason.say);
  token = made.value.text;
  expect((await submitted()).status).toBe(200);
  expect((await submitted()).status).toBe(200);
  clock.advance(90_000);
  expect(refusal(await submitted())).toEqual(UNAUTHENTICATED);
});

test("the time of a token's last use is recorded once a minute", async () => {
  const usedMs = async () => (await listTokens(on.deps)).find(({ id }) => id === idOf(token))?.usedMs ?? 0;
  const first = await usedMs();
  clock.advance(61_000);
  await submitted();
  expect((await usedMs()) - first).toBeGreaterThanOrEqual(60_000);
});

test("a person's token and a sign-in that ended in another process are refused here", async () => {
  const mine = await on.token({ person: "ana", can: "approve" });
  const cookie = await on.signIn("ben");
  const me = (given: object) => on.ask("GET", "/v1/me", given);
  expect([(await me({ token: mine })).status, (await me({ cookie })).status]).toEqual([200, 200]);
  await revoke(beside, mine);
  for (const { id } of await listSignIns(beside.deps, "ben")) await endSignIn(beside.deps, id, { by: "ben" });
  expect(refusal(await me({ token: mine }))).toEqual(UNAUTHENTICATED);
  expect(refusal(await me({ cookie }))).toEqual(UNAUTHENTICATED);
  const body = { verdict: "approve", digest: "sha256:0" };
  expect(refusal(await on.ask("POST", "/v1/approvals/apr_1/reviews", { token: mine, body }))).toEqual(UNAUTHENTICATED);
});

test("the routes on which a Change checks the token are for agents, and they act only by Changes", () => {
  const byChange = apiRoutes("0").filter((route) => route.byChange === true);
  expect(byChange.map(({ method, path, for: who }) => `${method} ${path} ${who.join()}`)).toEqual([
    "POST /v1/calls agent",
    "POST /v1/calls/batch agent",
    "POST /v1/calls/:id/claim agent",
    "POST /v1/calls/:id/renew agent",
    "POST /v1/calls/:id/release agent",
    "POST /v1/calls/:id/settle agent",
  ]);
});

test("for deciding and settling a call, the standing is not read again", async () => {
  const looks = looksOf(on.deps);
  const { body } = await submitted();
  const settled = await on.ask("POST", `/v1/calls/${body.executionId}/settle`, {
    token,
    body: { attempt: body.attempt, ok: true, result: { n: 1 } },
  });
  expect([settled.body.state, looks()]).toEqual(["succeeded", 0]);
});

/** Counts how often the standing is read from the store, from now on. */
function looksOf(deps: Deps): () => number {
  const { standing } = deps;
  let looks = 0;
  deps.standing = {
    ...standing,
    current: () => {
      looks++;
      return standing.current();
    },
  };
  return () => {
    deps.standing = standing;
    return looks;
  };
}
