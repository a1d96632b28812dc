import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeWorld, type World } from "../../test/box/boxed.ts";
import { knownOrTried } from "./ability.ts";
import { openBoxing } from "./boxing.ts";
import { whyNot } from "./reasons.ts";

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.end());

test("the walls are tried once, and again if what was remembered is not what this user wrote about this machine", async () => {
  const file = join(world.stateFolder, "box/ability.json");
  const isTriedAgain = async () => {
    utimesSync(file, 1, 1);
    expect(await openBoxing(world, Date.now).maker.ability()).toEqual({ ok: true, rehearses: true });
    return statSync(file).mtimeMs !== 1000;
  };
  expect(await world.boxes.ability()).toEqual({ ok: true, rehearses: true });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const written = readFileSync(file, "utf8");
  expect(await isTriedAgain()).toBe(false);
  for (const forged of ["", "{", '{"ok":true}', written.replace(/[0-9a-f]{8}"/, '00000000"')]) {
    writeFileSync(file, forged);
    expect(await isTriedAgain()).toBe(true);
  }
  chmodSync(file, 0o644);
  expect(await isTriedAgain()).toBe(true);
});

test("programs that start together all get boxes, and leave nothing of their trials", async () => {
  const together = Array.from({ length: 6 }, () => openBoxing(world, Date.now).maker.ability());
  expect(await Promise.all(together)).toEqual(together.map(() => ({ ok: true, rehearses: true })));
  const left = readdirSync(join(world.stateFolder, "box")).filter((name) => /^(trial-|filter\.|empty\.)/.test(name));
  expect(left).toEqual([]);
});

test("a box that does not start says which setting is in the way, as far as bubblewrap tells", () => {
  expect(whyNot.failed("start", "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted\n")).toEqual({
    ok: false,
    why: "a box was tried and did not start (bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted)",
    hint: expect.stringContaining("NET_ADMIN"),
  });
  expect(whyNot.failed("write outside", "")).toEqual({
    ok: false,
    why: "a box was tried and this was not as it must be: write outside",
    hint: "report this: boxes are not used here",
  });
});

test("a failed trial is not repeated for a minute, and the same answer is new only once", async () => {
  let trials = 0;
  const answer = (): ReturnType<Parameters<typeof knownOrTried<object>>[3]> => {
    trials += 1;
    return Promise.resolve({ ok: false, why: "a wall did not hold", hint: "report this" });
  };
  const ask = () => knownOrTried<object>(world.stateFolder, "facts", () => ({}), answer);
  const no = { ok: false, why: "a wall did not hold", hint: "report this" };
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([{ ...no, isNew: true }, no, no]);
  expect(trials).toBe(1);
  const minuteAgo = Date.now() / 1000 - 61;
  utimesSync(join(world.stateFolder, "box/ability.json"), minuteAgo, minuteAgo);
  expect([await ask(), trials]).toEqual([no, 2]);
  // Something about the machine has changed.
  expect(await knownOrTried<object>(world.stateFolder, "others", () => ({}), answer)).toEqual({ ...no, isNew: true });
});
