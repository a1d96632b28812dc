import { expect, test } from "vitest";
import { everything, policyOf, send, worldOf } from "../../../test/ledger/world.ts";
import type { Deps } from "../deps.ts";
import { addPerson } from "../people/people.ts";
import { demote, listAgents, type Move, promote, setOwner } from "./agents.ts";

const write = (deps: Deps, agent = "coder") => send(deps, "write_file", { path: "src/a.ts", text: "x" }, { agent });
const move: Move = { agent: "coder", tier: "auto", because: "142 of 142 approved", by: "ana" };
const sure = { assurance: "tty" as const };

async function withCoder(over: Parameters<typeof policyOf>[1] = {}) {
  const world = await worldOf(policyOf({ "fs.write": "shadow", "fs.delete": "ask" }, over));
  await write(world.deps);
  return world;
}

const tierOf = async (deps: Deps) => (await write(deps)).decision.tier;

test("every agent that made a call is listed, with its owner", async () => {
  const { deps } = await withCoder();
  await write(deps, "builder");
  const agents = await listAgents(deps);
  expect(agents.map(({ name, owner }) => [name, owner])).toEqual([
    ["builder", "ana"],
    ["coder", "ana"],
  ]);
});

test("a promotion applies from the next call, is recorded, and ends at its time", async () => {
  const { deps, clock } = await withCoder();
  expect(await tierOf(deps)).toBe("shadow");
  const untilMs = clock.nowMs() + 60_000;
  const done = await promote(deps, { ...move, class: "fs.write", untilMs, ...sure });
  expect(done).toMatchObject({ ok: true, value: { kind: "promote", agent: "coder", tier: "auto", class: "fs.write" } });
  expect((await everything(deps)).at(-1)).toMatchObject({
    kind: "trust.promoted",
    actor: "person:ana",
    subject: { agent: "coder", tier: "auto", class: "fs.write", person: "ana" },
    body: { json: { because: move.because, untilMs, assurance: "tty" } },
  });
  expect(await tierOf(deps)).toBe("auto");
  clock.advance(60_000);
  expect(await tierOf(deps)).toBe("shadow");
});

test("after a promotion and a demotion, the newer one applies", async () => {
  const { deps, clock } = await withCoder();
  await promote(deps, { ...move, ...sure });
  clock.advance(1);
  await demote(deps, { ...move, tier: "deny" });
  expect(await tierOf(deps)).toBe("deny");
  clock.advance(1);
  await promote(deps, { ...move, tier: "notify", ...sure });
  expect(await tierOf(deps)).toBe("notify");
});

test("a promotion without a class never applies to deletions", async () => {
  const { deps } = await withCoder();
  await promote(deps, { ...move, ...sure });
  const receipt = await send(deps, "delete_file", { path: "src/a.ts" });
  expect(receipt.decision.tier).toBe("ask");
});

test("only an agent's owner or an admin can promote it, never an agent", async () => {
  const { deps } = await withCoder();
  await addPerson(deps, { name: "eve", auditor: true, by: "ana", assurance: "tty" });
  const codes = [];
  for (const by of ["coder", "builder", "runtime", "", "ben", "eve"]) {
    const done = await promote(deps, { ...move, by, ...sure });
    codes.push(done.ok ? "ok" : done.code);
  }
  expect(codes).toEqual(Array(6).fill("LEEWAY_FORBIDDEN"));
  expect(await tierOf(deps)).toBe("shadow");
});

test("an owner can promote only their own agent", async () => {
  const { deps } = await withCoder();
  await write(deps, "builder");
  expect(await setOwner(deps, { agent: "coder", owner: "ben", by: "ana", assurance: "tty" })).toMatchObject({
    ok: true,
    value: { name: "coder", owner: "ben" },
  });
  expect((await promote(deps, { ...move, by: "ben", ...sure })).ok).toBe(true);
  expect(await promote(deps, { ...move, agent: "builder", by: "ben", ...sure })).toMatchObject({
    code: "LEEWAY_FORBIDDEN",
  });
});

test("a program that only names a person cannot promote, but may demote", async () => {
  const { deps } = await withCoder({ approvals: { assurance: "person" } });
  expect(await promote(deps, { ...move, assurance: "process" })).toMatchObject({ code: "LEEWAY_ASSURANCE" });
  expect((await demote(deps, { ...move, tier: "deny" })).ok).toBe(true);
});

test("an unknown agent, a missing reason, an end in the past and a wrong tier are refused", async () => {
  const { deps, clock } = await withCoder();
  const tries = [
    promote(deps, { ...move, agent: "nobody", ...sure }),
    promote(deps, { ...move, because: " ", ...sure }),
    promote(deps, { ...move, untilMs: clock.nowMs(), ...sure }),
    promote(deps, { ...move, tier: "deny", ...sure }),
    demote(deps, { ...move, tier: "auto" }),
  ];
  const codes = (await Promise.all(tries)).map((done) => (done.ok ? "ok" : done.code));
  expect(codes).toEqual(["LEEWAY_NOT_FOUND", ...Array(4).fill("LEEWAY_BAD_INPUT")]);
});

test("only an admin sets an owner, and only an existing person can be one", async () => {
  const { deps } = await withCoder();
  const tries = [
    setOwner(deps, { agent: "coder", owner: "ben", by: "ben", assurance: "tty" }),
    setOwner(deps, { agent: "coder", owner: "nobody", by: "ana", assurance: "tty" }),
    setOwner(deps, { agent: "nobody", owner: "ben", by: "ana", assurance: "tty" }),
  ];
  const codes = (await Promise.all(tries)).map((done) => (done.ok ? "ok" : done.code));
  expect(codes).toEqual(["LEEWAY_FORBIDDEN", "LEEWAY_NOT_FOUND", "LEEWAY_NOT_FOUND"]);
});
