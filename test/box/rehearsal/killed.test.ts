import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRehearsals } from "../../../src/box/rehearsal/rehearsals.ts";
import { bundle } from "./bundle.ts";
import { dieAt } from "./death.ts";
import { operate, treeOf } from "./operations.ts";
import { newPlace, type Place, rehearse } from "./rehearse.ts";

let folder = "";
let child = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "leeway-child-"));
  child = await bundle("killed", folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A rehearsal with every kind of change, and how the project looks before and after. */
async function prepared(place: Place) {
  const { project } = place;
  operate(project, [
    { do: "mkdir", path: "gone/deeper" },
    { do: "write", path: "gone/deeper/file", text: "removed" },
    { do: "mkdir", path: "becomes-file/deeper" },
    { do: "write", path: "becomes-file/deeper/file", text: "removed too" },
    { do: "write", path: "becomes-folder", text: "a file" },
    { do: "write", path: "changed", text: "before" },
    { do: "write", path: "mode", text: "mode" },
    { do: "link", path: "link", to: "changed" },
    { do: "mkdir", path: "closed" },
    { do: "write", path: "closed/file", text: "a" },
    { do: "chmod", path: "closed", mode: 0o555 },
  ]);
  const start = treeOf(project, true);
  const line = `rm -r gone becomes-file; echo file > becomes-file; rm becomes-folder; mkdir -p becomes-folder/x; echo y > becomes-folder/x/y
    echo after > changed; chmod 700 mode; ln -sfn gone link; mkdir -m 750 new; truncate -s 5M new/sparse; chmod 700 closed; echo b > closed/file
    chmod 555 closed`;
  const done = await rehearse(place, line);
  expect([done.errors, done.refused]).toEqual(["", []]);
  copyState(place.state, `${place.state}-before`);
  return { name: done.name, start };
}

function copyState(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  expect(spawnSync("cp", ["-a", from, to]).status).toBe(0);
}

function die(): never {
  throw new Error("died here");
}

/** What a crash may have left: nothing but the files of the project, and no staged ones. */
function expectNoRest({ state, project }: Place): void {
  const staging = join(state, "box/staging");
  expect(existsSync(staging) ? readdirSync(staging) : []).toEqual([]);
  expect(readdirSync(project).filter((name) => name.startsWith(".leeway"))).toEqual([]);
}

/** Every point in the long proofs, else every eleventh one. */
const STRIDE = process.env["LEEWAY_PROVE"] === undefined ? 11 : 1;

/** Ends `act` at many points; after `recover` the project must be in one of the two states. Returns how often in each. */
async function dieEverywhere(place: Place, act: "apply" | "undo", name: string, states: Record<string, string>[]) {
  const ends = [0, 0];
  let current = name;
  for (let point = Number(process.env["LEEWAY_SEED"]) % STRIDE; ; point += STRIDE) {
    const live = dieAt(point, die);
    const ended = await openRehearsals(place.state, () => 0)
      [act](current)
      .catch(String);
    live();
    if (typeof ended === "object") return ends;
    await place.rehearsals.recover(place.project);
    const found = treeOf(place.project);
    const end = states.findIndex((one) => JSON.stringify(one) === JSON.stringify(found));
    expect({ point, ended, found: end === -1 ? found : end }).toEqual({ point, ended, found: expect.any(Number) });
    ends[end] = (ends[end] ?? 0) + 1;
    expectNoRest(place);
    current = await startAgain(place, act, current, end === 1);
  }
}

/** Brings the project back to where `act` began; what was kept of the rehearsal is still of use. */
async function startAgain(place: Place, act: "apply" | "undo", name: string, isDone: boolean): Promise<string> {
  const undo = join(place.state, "box/undo");
  const records = existsSync(undo) ? readdirSync(undo) : [];
  expect(records.length).toBe(act === "undo" || isDone ? 1 : 0);
  const undone = isDone ? await place.rehearsals.undo(records[0] ?? "") : undefined;
  expect(undone?.ok ?? true).toBe(true);
  if (act === "undo") return undone?.ok ? undone.undo : name;
  if (!isDone) expect(existsSync(join(place.state, "box/rehearsals", name, "manifest.json"))).toBe(true);
  copyState(`${place.state}-before`, place.state);
  return name;
}

test.each(["/dev/shm", tmpdir()])(
  "a process that dies at any point of apply or undo leaves all or nothing (state in %s)",
  async (stateUnder) => {
    using place = newPlace("/dev/shm", stateUnder);
    const { name, start } = await prepared(place);
    expect(await place.rehearsals.apply(name)).toEqual({ ok: true, undo: name });
    const after = treeOf(place.project);
    await place.rehearsals.undo(name);
    expect(treeOf(place.project, true)).toEqual(start);
    const before = treeOf(place.project);
    copyState(`${place.state}-before`, place.state);
    const applied = await dieEverywhere(place, "apply", name, [before, after]);
    expect(Math.min(...applied)).toBeGreaterThan(2);
    expect(treeOf(place.project)).toEqual(after);
    const undone = await dieEverywhere(place, "undo", name, [after, before]);
    expect(Math.min(...undone)).toBeGreaterThan(2);
    expect(treeOf(place.project, true)).toEqual(start);
  },
);

test("a disk that fails once, at any point, leaves all or nothing, and it is said truly which", async () => {
  using place = newPlace();
  const { name } = await prepared(place);
  const before = treeOf(place.project);
  const ends = new Set<string>();
  for (let failsAt = 0; ; failsAt++) {
    const live = dieAt(Number.POSITIVE_INFINITY, die, failsAt);
    const ended = await place.rehearsals.apply(name).catch((error: Error) => error.message.slice(0, 19));
    if (live() <= failsAt) break;
    const isAll = (await place.rehearsals.applied(name)) !== undefined;
    const isNothing = JSON.stringify(treeOf(place.project)) === JSON.stringify(before);
    const said = ended === "nothing was changed" ? "nothing" : isAll ? "all" : "trouble";
    ends.add(said);
    expect({ failsAt, said, isNothing }).toEqual({ failsAt, said, isNothing: said !== "all" });
    if (isAll) expect(await place.rehearsals.undo(name)).toEqual(expect.objectContaining({ ok: true }));
    expect([failsAt, treeOf(place.project)]).toEqual([failsAt, before]);
    copyState(`${place.state}-before`, place.state);
  }
  expect(ends).toEqual(new Set(["trouble", "nothing", "all"]));
}, 60_000);

test("a process that dies while it puts a failed application back leaves nothing of it", async () => {
  using place = newPlace();
  const { name } = await prepared(place);
  const before = treeOf(place.project);
  const said = new Set<string>();
  const stride = STRIDE === 1 ? 3 : 29;
  for (let failsAt = stride; failsAt < 200; failsAt += stride) {
    for (const later of [1, 3, 6, 10, 1_000]) {
      const live = dieAt(failsAt + later, die, failsAt);
      const rehearsals = openRehearsals(place.state, () => 0);
      const ended = await rehearsals.apply(name).catch(String);
      live();
      await place.rehearsals.recover(place.project);
      const isAll = (await place.rehearsals.applied(name)) !== undefined;
      if (isAll) expect(await place.rehearsals.undo(name)).toEqual(expect.objectContaining({ ok: true }));
      expect({ failsAt, later, ended, tree: treeOf(place.project) }).toEqual({ failsAt, later, ended, tree: before });
      expect(await place.rehearsals.interrupted()).toEqual([]);
      if (typeof ended === "string") said.add(ended.slice(7, 27));
      copyState(`${place.state}-before`, place.state);
    }
  }
  // Then everything was in place before.
  said.delete("died here");
  expect([...said].sort()).toEqual(["nothing was changed,", "some files of " + place.project.slice(0, 6)]);
}, 60_000);

test("a process that is killed leaves all or nothing, and frees the lock", async () => {
  using place = newPlace();
  const { name } = await prepared(place);
  const before = treeOf(place.project);
  const ends = new Set<string>();
  for (const point of [5, 60, 90]) {
    const killed = spawnSync(process.execPath, [child, place.state, name, String(point)]);
    expect(killed.signal).toBe("SIGKILL");
    await place.rehearsals.recover(place.project);
    const isNothing = JSON.stringify(treeOf(place.project)) === JSON.stringify(before);
    ends.add(isNothing ? "nothing" : "all");
    if (!isNothing) await place.rehearsals.undo(name);
    expect(treeOf(place.project)).toEqual(before);
    copyState(`${place.state}-before`, place.state);
  }
  expect([...ends].sort()).toEqual(["all", "nothing"]);
});
