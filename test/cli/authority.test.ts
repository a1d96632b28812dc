import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openGate } from "../../src/compose.ts";
import { asAna, ended, PASSPHRASE, setUpAna } from "./person.ts";
import { leeway, machine } from "./program.ts";
import { screen } from "./screen.ts";

// A variable chooses the database and the workspace, and an agent can set variables: this must not give it any rights.

const on = machine();
beforeAll(async () => {
  await setUpAna(on);
  writeFileSync(join(on.home, "mallory.txt"), "mallory's own\n");
});
afterAll(() => on.remove());

const SET_UP = () => ["init", "--yes", "--name", "mallory", "--password-file", join(on.home, "mallory.txt")];
const peopleIn = async (env: Record<string, string>) =>
  JSON.parse((await leeway(on, ["people", "list", "--json"], { env })).stdout).map(
    ({ name }: { name: string }) => name,
  );

test("another workspace is not set up unattended: an admin of the default workspace must prove their presence", async () => {
  const env = { LEEWAY_WORKSPACE: "squatted" };
  expect(await leeway(on, SET_UP(), { env })).toMatchObject({
    code: 5,
    stdout: "",
    stderr: expect.stringContaining("a person at a terminal is needed to set up the workspace squatted"),
  });
  const unknown = { code: 1, stdout: "", stderr: expect.stringContaining("there is no workspace squatted") };
  expect(await leeway(on, ["people", "list", "--json"], { env })).toMatchObject(unknown);
  const guessing = screen(on, [...SET_UP(), "--as", "ana"], { env, columns: 120, rows: 60 });
  await guessing.shows("passphrase of ana, to set up the workspace squatted");
  guessing.type("mallory's own\r");
  await guessing.shows(/wrong passphrase[\s\S]*passphrase of ana/);
  guessing.type("\x03");
  expect((await ended(guessing)).code).toBe(1);
  expect(await leeway(on, ["run", "--", "echo", "unseen"], { env })).toMatchObject(unknown);
  const allowed = screen(on, [...SET_UP(), "--as", "ana"], { env, columns: 120, rows: 60 });
  await allowed.shows("passphrase of ana, to set up the workspace squatted");
  allowed.type(`${PASSPHRASE}\r`);
  expect((await ended(allowed)).code).toBe(0);
  expect(await peopleIn(env)).toEqual(["mallory"]);
});

test("if the default workspace has nobody, no other workspace can be set up before it", async () => {
  const fresh = machine();
  writeFileSync(join(fresh.home, "pw"), `${PASSPHRASE}\n`);
  const args = ["init", "--yes", "--name", "eve", "--password-file", join(fresh.home, "pw")];
  expect(await leeway(fresh, args, { env: { LEEWAY_WORKSPACE: "first" } })).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("run `leeway init` without LEEWAY_WORKSPACE first"),
  });
  fresh.remove();
});

test("another database is not set up unattended on a machine that has people", async () => {
  const env = { LEEWAY_DB: join(on.home, "other.db") };
  expect(await leeway(on, SET_UP(), { env })).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("a person at a terminal is needed to set up"),
  });
  expect(await peopleIn(env)).toEqual([]);
});

test("a second set-up says who can answer questions", async () => {
  expect((await leeway(on, ["init"])).stdout).toContain("ana can answer questions");
});

test("naming another workspace or another database does not allow to replace the database and the keys", async () => {
  const folder = join(on.home, "backup");
  expect((await leeway(on, ["backup", folder])).code).toBe(0);
  const key = readFileSync(join(on.home, "state", "leeway", "leeway.key"));
  for (const env of [{ LEEWAY_WORKSPACE: "squatted" }, { LEEWAY_DB: join(on.home, "not-there.db") }]) {
    expect(await leeway(on, ["restore", folder, "--yes"], { env })).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("a person at a terminal is needed to replace the database"),
    });
  }
  expect(readFileSync(join(on.home, "state", "leeway", "leeway.key"))).toEqual(key);
});

const GARBAGE: readonly [what: string, make: (folder: string) => void][] = [
  ["an empty folder", () => undefined],
  [
    "a folder with a text instead of a database",
    (folder) => writeFileSync(join(folder, "leeway.db"), "garbage ".repeat(1000)),
  ],
  ["a folder with a folder instead of a database", (folder) => mkdirSync(join(folder, "leeway.db"))],
  [
    "a folder with half a database",
    (folder) => {
      const whole = readFileSync(join(on.home, "state", "leeway", "leeway.db"));
      writeFileSync(join(folder, "leeway.db"), whole.subarray(0, whole.length / 2));
    },
  ],
];

test.each(GARBAGE)("%s is not a backup, and this is found before anything is replaced or asked", async (_, make) => {
  const folder = mkdtempSync(join(on.home, "garbage-"));
  make(folder);
  const state = join(on.home, "state", "leeway");
  const before = readdirSync(state).sort();
  const ran = await leeway(on, ["restore", folder, "--as", "ana"]);
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).toMatch(/^leeway: .+\n {2}hint: .+\n$/);
  expect(ran.stderr).not.toMatch(/\n\s+at |undefined/);
  expect(readdirSync(state).sort()).toEqual(before);
  expect((await leeway(on, ["verify"])).code).toBe(0);
});

test("a path to a file is refused as a backup", async () => {
  expect(await leeway(on, ["restore", join(on.home, "mallory.txt")])).toMatchObject({ code: 1, stdout: "" });
});

test("a person may replace an unreadable database by a backup, and the unreadable file is kept", async () => {
  const folder = join(on.home, "before-damage");
  await leeway(on, ["backup", folder]);
  const db = join(on.home, "state", "leeway", "leeway.db");
  writeFileSync(db, "garbage ".repeat(1000));
  expect(await leeway(on, ["restore", folder, "--yes"])).toMatchObject({ code: 5, stdout: "" });
  const answered = async (key: string) => {
    const shown = screen(on, ["restore", folder], { columns: 200 });
    await shown.shows("cannot be read; replace it?");
    shown.type(key);
    return ended(shown);
  };
  expect(await answered("\r")).toMatchObject({ code: 1, text: expect.stringContaining("nothing was changed") });
  const { code, text } = await answered("y");
  expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining("verified") });
  const [kept] = readdirSync(join(on.home, "state", "leeway")).filter((name) => name.startsWith("before-restore"));
  expect(readFileSync(join(on.home, "state", "leeway", kept ?? "", "leeway.db"), "utf8")).toMatch(/^garbage /);
  expect((await asAna(on, ["policy", "accept"])).code).toBe(0);
  expect(existsSync(join(on.home, "state", "leeway", "leeway.key"))).toBe(true);
});

const VOUCHING = "version: 1\ntier: ask\napprovals: { assurance: any, selfReview: true }\n";

test("a policy file named by a program cannot let the program act as a person until a person accepted that file", async () => {
  const policy = join(on.home, "vouching.yaml");
  writeFileSync(policy, VOUCHING);
  let tries = 0;
  const attempt = async () => {
    const gate = await openGate({ env: on.env, cwd: on.project, policy });
    try {
      const { approvalId = "", digest } = await gate.submit({
        agent: "coder",
        tool: "delete_file",
        args: { path: String(tries++) },
      });
      const outcomes = await Promise.allSettled([
        gate.people.add({ name: "mallory", admin: true, by: "ana" }),
        gate.review(approvalId, { by: "ana", verdict: "approve", digest }),
      ]);
      return outcomes.map((one) => (one.status === "fulfilled" ? "done" : one.reason.code));
    } finally {
      await gate.close();
    }
  };
  expect(await attempt()).toEqual(["LEEWAY_ASSURANCE", "LEEWAY_ASSURANCE"]);
  const accepted = await asAna(on, ["policy", "accept", policy]);
  expect(accepted.text).toContain(`accepted ${policy}`);
  // What is accepted is shown before the passphrase is asked for.
  expect(accepted.text.indexOf("assurance: any")).toBeGreaterThan(-1);
  expect(accepted.text.indexOf("assurance: any")).toBeLessThan(accepted.text.indexOf("passphrase of ana"));
  expect(await attempt()).toEqual(["done", "done"]);
  writeFileSync(policy, `${VOUCHING}# changed\n`);
  expect(await attempt()).toEqual(["LEEWAY_ASSURANCE", "LEEWAY_ASSURANCE"]);
});
