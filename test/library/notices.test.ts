import { afterEach, expect, test } from "vitest";
import { dispatch } from "../../src/gate/notices/dispatch.ts";
import { createGate } from "../../src/library/create-gate.ts";
import { DAY_MS, MINUTE_MS, type Office, office } from "../verbs/kit.ts";

const SAVE = `
version: 1
tier: ask
tiers: { store.write: notify }
tools: { save: { class: store.write } }
agents: { coder: { owner: ben } }
`;

let open: Office | undefined;
afterEach(async () => open?.deps.store.close());
const opened = async (policy = SAVE, over: Parameters<typeof office>[1] = {}) => {
  open = await office(policy, over);
  return { ...open, gate: createGate(open.deps) };
};

test("calls under notify are combined in one notice per time window, with the number of calls", async () => {
  const { gate, submit } = await opened();
  for (const n of [1, 2, 3]) await submit("save", { n });
  const told = await gate.notices.list({ to: "ben" });
  expect(told).toMatchObject([{ kind: "ran", to: "ben", channel: "inbox", title: "3 calls ran under notify" }]);
  expect(told[0]?.text).toBe("coder: save 1, save 2, save 3");
  expect(await gate.notices.list({ to: "ana" })).toEqual([]);
  expect(await gate.notices.list()).toEqual(told);
});

test("a read notice stays in the list but is no longer new; reading it again changes nothing", async () => {
  const { gate, submit, clock } = await opened();
  await submit("save", { n: 1 });
  const [told] = await gate.notices.list({ unread: true });
  const read = await gate.notices.read(told?.id ?? "");
  expect(read).toMatchObject({ id: told?.id, readMs: clock.nowMs() });
  clock.advance(MINUTE_MS);
  expect((await gate.notices.read(read.id)).readMs).toBe(read.readMs);
  expect(await gate.notices.list({ unread: true })).toEqual([]);
  expect((await gate.notices.list()).map(({ id }) => id)).toEqual([read.id]);
  await submit("save", { n: 2 });
  expect(await gate.notices.list({ unread: true })).toMatchObject([{ title: "2 calls ran under notify" }]);
});

test("a combined notice keeps its number after its counter expired", async () => {
  const { gate, submit, clock, deps } = await opened();
  await submit("save", { n: 1 });
  await submit("save", { n: 2 });
  const { nowMs } = clock;
  clock.advance(10 * MINUTE_MS);
  const taken = await deps.store.take("notices", {
    workspace: deps.workspace,
    max: 5,
    leaseMs: 1000,
    owner: "test",
    nowMs: nowMs(),
  });
  for (const one of taken) if (one.table === "notices") await dispatch(deps, one);
  clock.advance(30 * DAY_MS);
  expect(await gate.notices.list()).toMatchObject([{ title: "2 calls ran under notify", state: "delivered" }]);
});

test("a notice to admins from before the set-up is shown to the current admins", async () => {
  const { gate, submit } = await opened(
    "version: 1\ntier: notify\ntools: { save: { class: store.write } }\napprovals: { assurance: any }",
    {
      people: false,
    },
  );
  await submit("save", { n: 1 });
  await gate.people.add({ name: "ana" });
  await gate.people.add({ name: "ben", by: "ana" });
  expect(await gate.notices.list({ to: "ana" })).toMatchObject([{ to: "admins", title: "1 call ran under notify" }]);
  expect(await gate.notices.list({ to: "ben" })).toEqual([]);
});

test("notices are listed newest first, up to the limit", async () => {
  const { gate, submit, clock } = await opened();
  for (const n of [1, 2, 3]) {
    await submit("save", { n });
    clock.advance(10 * MINUTE_MS);
  }
  const all = await gate.notices.list();
  expect(all.map(({ createdMs }) => createdMs)).toEqual(
    [...all.map(({ createdMs }) => createdMs)].sort((a, b) => b - a),
  );
  expect(await gate.notices.list({ limit: 2 })).toEqual(all.slice(0, 2));
});

test("an unknown notice is refused", async () => {
  const { gate } = await opened();
  await expect(gate.notices.read("ntc_nothing")).rejects.toMatchObject({ code: "LEEWAY_NOT_FOUND" });
});
