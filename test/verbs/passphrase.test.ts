import { expect, test } from "vitest";
import { addPerson, checkPassphrase, setPassphrase } from "../../src/gate/people/people.ts";
import { standingView } from "../../src/gate/standing/standing.ts";
import { office } from "./kit.ts";

const RIGHT = "correct horse";
const TO = { to: "approve this" };

async function withBen() {
  const made = await office();
  await setPassphrase(made.deps, "ben", { passphrase: RIGHT, by: "ben", assurance: "tty" });
  const say = (passphrase: string) => checkPassphrase(made.deps, "ben", passphrase, TO);
  return { ...made, say };
}

test("a wrong passphrase is recorded with the person and the purpose, never with the text", async () => {
  const { deps, say } = await withBen();
  await say("battery staple");
  const [newest] = await deps.store.read({
    ask: "entries",
    workspace: deps.workspace,
    where: {},
    limit: 1,
    order: "newest",
  });
  expect(newest).toMatchObject({
    kind: "passphrase.wrong",
    actor: "leeway",
    subject: { person: "ben" },
    body: { json: { to: "approve this", tries: 1, waitMs: 0 } },
  });
  expect(JSON.stringify(newest)).not.toContain("battery");
});

test("from the third wrong passphrase, each costs a waiting time that doubles, during which even the right one is not checked", async () => {
  const { clock, say } = await withBen();
  const waits: (number | undefined)[] = [];
  await say("wrong");
  await say("wrong");
  for (const expected of [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]) {
    expect(await say("wrong")).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
    clock.advance(expected * 1000 - 1);
    const early = await say(RIGHT);
    waits.push(early.ok ? undefined : early.code === "LEEWAY_LOCKED" ? expected : -1);
    clock.advance(1);
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
  expect((await say(RIGHT)).ok).toBe(true);
  expect([(await say("wrong")).ok, (await say(RIGHT)).ok]).toEqual([false, true]);
});

test("guesses made at the same time, by any number of processes, are not all checked", async () => {
  const { say } = await withBen();
  const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => say(at === 39 ? RIGHT : `guess ${at}`)));
  const codes = answers.map((one) => (one.ok ? "ok" : one.code));
  expect(codes.filter((code) => code !== "LEEWAY_LOCKED" && code !== "LEEWAY_BUSY").length).toBeLessThanOrEqual(3);
});

test("a new passphrase resets the count", async () => {
  const { deps, say } = await withBen();
  for (let at = 0; at < 3; at++) await say("wrong");
  expect(await say(RIGHT)).toMatchObject({ code: "LEEWAY_LOCKED" });
  await setPassphrase(deps, "ben", { passphrase: "another one", by: "ana", assurance: "tty" });
  expect((await say("another one")).ok).toBe(true);
});

test("the first person of another workspace is added by an admin of the default one who proved their identity", async () => {
  const { deps } = await office();
  const other = { ...deps, workspace: "other", standing: standingView(deps.store, "other", deps.policies) };
  const eve = { name: "eve", admin: true, by: "eve", assurance: "tty" } as const;
  for (const given of [eve, { ...eve, by: "ben" }, { ...eve, by: "ana", assurance: "process" } as const]) {
    expect(await addPerson(other, given)).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  }
  expect(await addPerson(other, { ...eve, by: "ana" })).toMatchObject({
    ok: true,
    value: { name: "eve", admin: true },
  });
});
