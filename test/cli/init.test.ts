import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ended, PASSPHRASE } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";
import { screen } from "./screen.ts";

let on: Machine;
beforeEach(() => {
  on = machine();
});
afterEach(() => on.remove());

test("at a terminal, a person sees what will be written, agrees, and chooses a passphrase", async () => {
  const shown = screen(on, ["init", "--name", "ana"], { columns: 100, rows: 60 });
  const plan = await shown.shows("set this up?");
  expect(plan).toContain("ana as admin, with a passphrase");
  expect(plan).toContain(`${on.project}/leeway.yaml, with this text:`);
  expect(plan).toContain("preset: standard");
  expect(existsSync(join(on.project, "leeway.yaml"))).toBe(false);
  shown.type("y");
  await shown.shows("a passphrase for ana");
  shown.type("short\r");
  await shown.shows("the passphrase needs at least 8 characters");
  shown.type(`${PASSPHRASE}\r`);
  await shown.shows("the same passphrase again");
  shown.type("something else\r");
  await shown.shows("the two passphrases are different");
  shown.type(`${PASSPHRASE}\r`);
  await shown.shows(/the same passphrase again[\s\S]*the same passphrase again/);
  shown.type(`${PASSPHRASE}\r`);
  const { code, text } = await ended(shown);
  expect({ code, passphrase: text.includes(PASSPHRASE) }).toEqual({ code: 0, passphrase: false });
  expect(text).toContain("ana is an admin and signs in with the passphrase");
  expect(statSync(join(on.home, "state", "leeway")).mode & 0o777).toBe(0o700);
  const status = JSON.parse((await leeway(on, ["status", "--json"])).stdout);
  expect(status).toMatchObject({
    people: [{ name: "ana", admin: true }],
    policy: { layers: [{ from: "accepted", by: "ana" }] },
  });
});

test("answering no changes nothing", async () => {
  const shown = screen(on, ["init"], { rows: 60 });
  await shown.shows("set this up?");
  shown.type("n");
  const { code, text } = await ended(shown);
  expect({ code, told: text.includes("leeway: cancelled") }).toEqual({ code: 1, told: true });
  expect(existsSync(join(on.project, "leeway.yaml"))).toBe(false);
  expect(JSON.parse((await leeway(on, ["people", "list", "--json"])).stdout)).toEqual([]);
});

test("Ctrl-C at the passphrase of the admin changes nothing", async () => {
  writeFileSync(join(on.home, "pw"), `${PASSPHRASE}\n`);
  const person = ["people", "add", "ana", "--admin", "--password-file", join(on.home, "pw")];
  expect((await leeway(on, person)).code).toBe(0);
  const shown = screen(on, ["init"], { rows: 60 });
  await shown.shows("set this up?");
  shown.type("y");
  await shown.shows("passphrase");
  shown.type("\x03");
  const { code, text } = await ended(shown);
  expect({ code, told: text.includes("nothing was changed") }).toEqual({ code: 1, told: true });
  expect(existsSync(join(on.project, "leeway.yaml"))).toBe(false);
});

test("unattended set-up needs no terminal, a second one changes nothing, and undoing removes only its own file", async () => {
  writeFileSync(join(on.home, "pw"), `${PASSPHRASE}\n`);
  const args = [
    "init",
    "--yes",
    "--name",
    "ana",
    "--preset",
    "conservative",
    "--password-file",
    join(on.home, "pw"),
    "--json",
  ];
  expect(JSON.parse((await leeway(on, args)).stdout)).toEqual({
    policy: join(on.project, "leeway.yaml"),
    wrotePolicy: true,
    firstPerson: "ana",
    accepted: true,
    adopted: [],
    changed: true,
  });
  const written = readFileSync(join(on.project, "leeway.yaml"), "utf8");
  expect(written).toContain("preset: conservative");
  expect(JSON.parse((await leeway(on, args)).stdout)).toMatchObject({ changed: false, firstPerson: null });
  expect((await leeway(on, ["policy", "test"])).code).toBe(0);

  writeFileSync(join(on.project, "leeway.yaml"), `${written}# mine\n`);
  expect(await leeway(on, ["init", "--undo"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("was changed after init wrote it"),
  });
  writeFileSync(join(on.project, "leeway.yaml"), written);
  expect(JSON.parse((await leeway(on, ["init", "--undo", "--json"])).stdout)).toEqual({
    removed: join(on.project, "leeway.yaml"),
  });
  expect(existsSync(join(on.project, "leeway.yaml"))).toBe(false);
  expect(JSON.parse((await leeway(on, ["init", "--undo", "--json"])).stdout)).toEqual({ removed: null });
  const check = await leeway(on, ["check", "--tool", "write_file", "--args", '{"path":"a","text":""}', "--json"]);
  expect(JSON.parse(check.stdout).tier).toBe("ask");
});

test("a policy that came with the project is shown before it is accepted", async () => {
  const theirs = "version: 1\npreset: autonomous\ntiers: { git.push: auto }\n";
  writeFileSync(join(on.project, "leeway.yaml"), theirs);
  const shown = screen(on, ["init", "--name", "ana"], { columns: 120, rows: 60 });
  const plan = await shown.shows("set this up?");
  expect(plan).toContain("a policy is here already");
  for (const line of theirs.trim().split("\n")) expect(plan).toContain(line);
  shown.type("n");
  expect((await ended(shown)).code).toBe(1);
  writeFileSync(join(on.home, "pw"), `${PASSPHRASE}\n`);
  const ran = await leeway(on, ["init", "--yes", "--name", "ana", "--password-file", join(on.home, "pw")]);
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("tiers: { git.push: auto }")]);
});

test("a dry run on a fresh machine shows the set-up and the hook, asks nothing, and makes no file", async () => {
  const before = readdirSync(on.home, { recursive: true });
  const ran = await leeway(on, ["init", "claude-code", "--dry-run", "--name", "ana"]);
  expect([ran.code, readdirSync(on.home, { recursive: true })]).toEqual([0, before]);
  for (const shown of ["Leeway would set up:", "ana as admin", "preset: standard", "this would change", "PreToolUse"])
    expect(ran.stderr).toContain(shown);
  expect(ran.stdout).toBe(
    `claude-code: would write ${join(on.project, ".claude", "settings.local.json")}\nThis was a dry run: nothing was changed.\n`,
  );
  const bare = await leeway(on, ["init", "--dry-run", "--json"]);
  expect([JSON.parse(bare.stdout), readdirSync(on.home, { recursive: true })]).toEqual([
    {
      policy: join(on.project, "leeway.yaml"),
      wrotePolicy: false,
      firstPerson: null,
      accepted: false,
      changed: false,
    },
    before,
  ]);
});

test("a dry run of undo removes nothing", async () => {
  writeFileSync(join(on.home, "pw"), `${PASSPHRASE}\n`);
  await leeway(on, ["init", "claude-code", "--yes", "--name", "ana", "--password-file", join(on.home, "pw")]);
  const files = [join(on.project, "leeway.yaml"), join(on.project, ".claude", "settings.local.json")];
  const undone = [await leeway(on, ["init", "--undo", "--dry-run"])];
  undone.push(await leeway(on, ["init", "claude-code", "--undo", "--dry-run"]));
  expect(undone.map(({ code, stdout }) => [code, stdout.includes("nothing was changed")])).toEqual([
    [0, true],
    [0, true],
  ]);
  expect(files.map((file) => existsSync(file))).toEqual([true, true]);
});

test("each line of a comment in the policy that is shown begins with a number sign, also on a narrow screen", async () => {
  const shown = screen(on, ["init"], { columns: 60, rows: 120 });
  const plan = await shown.shows("set this up?");
  const comment = plan.slice(plan.indexOf("# Written by"), plan.indexOf("version: 1"));
  expect(comment.trim().split("\n").length).toBeGreaterThan(3);
  for (const line of comment.trim().split("\n")) expect(line.trim()).toMatch(/^# /);
  shown.type("n");
  await ended(shown);
});

test("without a terminal and without the flags for unattended set-up, nothing is set up", async () => {
  expect(await leeway(on, ["init"])).toMatchObject({
    code: 5,
    stdout: "",
    stderr: expect.stringContaining("a person at a terminal must confirm the set-up"),
  });
  expect(await leeway(on, ["init", "--yes"])).toMatchObject({
    code: 2,
    // Nothing is shown before it: who reads a log of an unattended machine finds the reason in the first line.
    stderr: expect.stringMatching(/^leeway: --yes without a terminal also needs --password-file/),
  });
  expect(existsSync(join(on.project, "leeway.yaml"))).toBe(false);
});
