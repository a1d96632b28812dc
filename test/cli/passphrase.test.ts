import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDeps } from "../../src/compose.ts";
import { checkPassphrase } from "../../src/gate/people/people.ts";
import { asAna, ended, PASSPHRASE, setUpAna } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";
import { screen } from "./screen.ts";

let on: Machine;
beforeEach(async () => {
  on = machine();
  await setUpAna(on);
});
afterEach(() => on.remove());

const json = async (...args: string[]) => JSON.parse((await leeway(on, [...args, "--json"])).stdout);

async function wrongThrice(): Promise<void> {
  const shown = screen(on, ["pause", "--as", "ana"], { columns: 120 });
  for (const tries of [1, 2, 3]) {
    await shown.shows(new RegExp(`(passphrase of ana[\\s\\S]*){${tries}}`));
    shown.type("no horse at all\r");
  }
  expect(await ended(shown)).toMatchObject({ code: 5, text: expect.stringContaining("3 wrong passphrases") });
}

test("wrong passphrases are recorded, and a new process enforces the same waiting time", async () => {
  await wrongThrice();
  const lines = (await leeway(on, ["log", "--kind", "passphrase.wrong", "--json"])).stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).body.json)).toEqual([
    { to: "pause everything", tries: 1, waitMs: 0 },
    { to: "pause everything", tries: 2, waitMs: 0 },
    { to: "pause everything", tries: 3, waitMs: 5000 },
  ]);
  expect(lines.join("")).not.toContain("horse");
  await guessOnAndOn();
  const again = await asAna(on, ["pause"]);
  expect(again).toMatchObject({ code: 5, text: expect.stringContaining("LEEWAY_LOCKED") });
  expect(again.text).toMatch(/hint: wait \d+[smh]; if it was not you, see `leeway log --kind passphrase\.wrong`/);
  expect((await json("status")).pauses).toEqual([]);
});

/** Another process whose clock runs ahead, so that the wait is longer than any test. */
async function guessOnAndOn(): Promise<void> {
  let aheadMs = 0;
  const clock = { nowMs: () => Date.now() + aheadMs, sleep: async () => undefined };
  const deps = await openDeps({ env: on.env, cwd: on.project, clock });
  for (let tries = 0; tries < 8; tries++) {
    aheadMs += 16 * 60_000;
    expect((await checkPassphrase(deps, "ana", "no horse", { to: "guess" })).ok).toBe(false);
  }
  await deps.close();
}

test("a passphrase that is typed before the prompt is accepted, and never shown", async () => {
  const shown = screen(on, ["pause", "--as", "ana"], { columns: 120 });
  await shown.shows("passphrase of ana");
  shown.type("no horse at all\r");
  // The first question is answered and its passphrase is being hashed: the second question is not there yet.
  await shown.shows("◇");
  shown.type(`${PASSPHRASE}\r`);
  expect((await ended(shown)).code).toBe(0);
  expect(shown.raw()).not.toContain(PASSPHRASE);
});

test("if the input ends at a passphrase prompt, nothing changes and the exit code says so", async () => {
  const shown = screen(on, ["pause", "--as", "ana"], { columns: 120 });
  await shown.shows("passphrase of ana");
  shown.type("\x04");
  expect(await ended(shown)).toMatchObject({
    code: 5,
    text: expect.stringContaining("the input ended before there was an answer"),
  });
  expect((await json("status")).pauses).toEqual([]);
});

test("the inbox closes when its input ends", async () => {
  const inbox = screen(on, ["inbox", "--as", "ana"]);
  await inbox.shows("leeway inbox");
  inbox.type("\x04");
  expect(await inbox.ended).toBe(0);
});

test("a passphrase is changed with the old one, which no longer works afterwards", async () => {
  const shown = screen(on, ["people", "passphrase", "ana", "--as", "ana"], { columns: 120 });
  await shown.shows("passphrase of ana, to change the passphrase of ana");
  shown.type(`${PASSPHRASE}\r`);
  await shown.shows("a passphrase for ana");
  shown.type("battery staple\r");
  await shown.shows("the same passphrase again");
  shown.type("battery staple\r");
  expect(await ended(shown)).toMatchObject({ code: 0, text: expect.stringContaining("ana has a new passphrase") });
  const old = screen(on, ["pause", "--as", "ana"], { columns: 120 });
  await old.shows("passphrase of ana");
  old.type(`${PASSPHRASE}\r`);
  await old.shows(/wrong passphrase[\s\S]*passphrase of ana/);
  old.type("battery staple\r");
  expect((await ended(old)).code).toBe(0);
});

test("an admin sets a new passphrase for another person with her own, and nobody else can", async () => {
  writeFileSync(join(on.home, "ben.txt"), "ben's first one\n");
  writeFileSync(join(on.home, "new.txt"), "ben's second one\n");
  await asAna(on, ["people", "add", "ben", "--password-file", join(on.home, "ben.txt")]);
  const reset = await asAna(on, ["people", "passphrase", "ben", "--password-file", join(on.home, "new.txt")]);
  expect(reset).toMatchObject({ code: 0, text: expect.stringContaining("ben has a new passphrase") });
  const tried = screen(
    on,
    ["people", "passphrase", "ana", "--as", "ben", "--password-file", join(on.home, "new.txt")],
    {
      columns: 120,
    },
  );
  await tried.shows("passphrase of ben");
  tried.type("ben's second one\r");
  expect(await ended(tried)).toMatchObject({ code: 5, text: expect.stringContaining("only an admin may") });
  expect(await leeway(on, ["people", "passphrase", "nobody"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no person is named nobody"),
  });
});
