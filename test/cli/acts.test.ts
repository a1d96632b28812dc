import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDeps } from "../../src/compose.ts";
import type { JsonObject } from "../../src/core/values/json.ts";
import { createGate } from "../../src/library/create-gate.ts";
import { asAna, ended, PASSPHRASE, setUpAna } from "./person.ts";
import { asking, leeway, machine } from "./program.ts";
import { screen } from "./screen.ts";

const on = machine();
beforeAll(() => setUpAna(on, POLICY));
afterAll(() => on.remove());

const POLICY = `version: 1
tools:
  lookup: { class: db.read }
tiers: { fs.read: auto }
tier: ask
approvals: { selfReview: true }
`;

const json = async (...args: string[]) => JSON.parse((await leeway(on, [...args, "--json"])).stdout);
const tierOf = async (tool: string, args: object) =>
  (await json("check", "--agent", "coder", "--tool", tool, "--args", JSON.stringify(args))).tier;
/** The first call registers the agent. */
const introduce = async (agent: string) => {
  const running = asking(on, ["run", "--agent", agent, "--", "true"]);
  await asAna(on, ["approve", await running.asked]);
  expect((await running.ended).code).toBe(0);
};

test("a grant is added, listed, covers what it says and nothing else, and is revoked", async () => {
  expect(await json("grants", "list")).toEqual([]);
  expect(await tierOf("write_file", { path: "src/a.ts", text: "" })).toBe("ask");
  const added = await asAna(on, [
    "grants",
    "add",
    "--agent",
    "coder",
    "--class",
    "fs.write",
    "--path",
    "src/**",
    "--for",
    "2h,5x",
    "--because",
    "today",
  ]);
  expect(added).toMatchObject({ code: 0, text: expect.stringMatching(/granted grt_/) });
  expect(await tierOf("write_file", { path: "src/deep/a.ts", text: "" })).toBe("auto");
  expect(await tierOf("write_file", { path: "src-backup/a.ts", text: "" })).toBe("ask");
  expect(await tierOf("delete_file", { path: "src/a.ts" })).toBe("ask");
  const [{ grant }] = await json("grants", "list");
  expect(grant).toMatchObject({
    state: "live",
    subject: { agent: "coder" },
    usesMax: 5,
    grantedBy: { person: "ana" },
    because: "today",
  });
  expect((await leeway(on, ["grants", "list"])).stdout).toMatch(
    /live +coder +in 1 h .*, 0 of 5x\n {2}auto for everything under .*\/src\/ \(fs\.write\)\n$/,
  );
  expect((await asAna(on, ["grants", "revoke", grant.id.slice(0, 20)])).text).toContain("it no longer covers anything");
  expect(await tierOf("write_file", { path: "src/deep/a.ts", text: "" })).toBe("ask");
  expect(await json("grants", "list")).toEqual([]);
  expect(await json("grants", "list", "--all")).toHaveLength(1);
});

test("an admin adds a person, who answers with their own passphrase, and removes them", async () => {
  writeFileSync(join(on.home, "ben.txt"), "bens passphrase\n");
  expect(
    (await asAna(on, ["people", "add", "ben", "--group", "leads", "--password-file", join(on.home, "ben.txt")])).code,
  ).toBe(0);
  expect(await json("people", "list")).toMatchObject([
    { name: "ana", admin: true, hasPassphrase: true },
    { name: "ben", admin: false, groups: ["leads"], hasPassphrase: true },
  ]);
  expect(JSON.stringify(await json("people", "list"))).not.toContain("scrypt");
  expect((await asAna(on, ["people", "change", "ben", "--group", "ops, leads"])).text).toContain(
    "ben is reviewer now, in ops, leads",
  );
  expect((await asAna(on, ["people", "change", "ben", "--group", "-"])).text).toContain(
    "ben is reviewer now, in no group",
  );
  expect((await asAna(on, ["people", "change", "ana", "--role", "reviewer"])).text).toContain("ana is the last admin");
  const tried = screen(on, ["people", "add", "cleo", "--as", "ben", "--password-file", join(on.home, "ben.txt")], {
    columns: 120,
  });
  await tried.shows("passphrase of ben");
  tried.type("bens passphrase\r");
  expect(await ended(tried)).toMatchObject({ code: 5, text: expect.stringContaining("only an admin may add people") });
  expect((await asAna(on, ["people", "remove", "ben"])).text).toContain("removed ben");
  expect((await json("people", "list")).filter(({ state }: { state: string }) => state === "active")).toHaveLength(1);
});

test("an admin changes a person's role, and a mistyped role changes nothing", async () => {
  writeFileSync(join(on.home, "eve.txt"), "eves passphrase\n");
  await asAna(on, ["people", "add", "eve", "--auditor", "--password-file", join(on.home, "eve.txt")]);
  expect(await leeway(on, ["people", "change", "eve", "--role", "admn"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("did you mean `admin`?"),
  });
  expect(await leeway(on, ["people", "change", "eve"])).toMatchObject({ code: 2 });
  expect((await asAna(on, ["people", "change", "eve", "--role", "admin"])).code).toBe(0);
  const lines = (await leeway(on, ["log", "--kind", "person.changed", "--json"])).stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({
      actor: "person:ana",
      subject: { person: "eve" },
      body: expect.objectContaining({
        json: expect.objectContaining({ admin: true, was: { admin: false, auditor: true, groups: [] } }),
      }),
    }),
  );
});

test("a pause applies from the next call, and a person ends it", async () => {
  expect((await asAna(on, ["pause", "--agent", "coder", "--because", "it loops"])).text).toContain(
    "agent coder is paused",
  );
  const check = await leeway(on, [
    "check",
    "--agent",
    "coder",
    "--tool",
    "read_file",
    "--args",
    '{"path":"a"}',
    "--json",
  ]);
  expect(check.code).toBe(5);
  expect(JSON.parse(check.stdout)).toMatchObject({
    tier: "deny",
    code: "LEEWAY_PAUSED",
    because: [expect.stringMatching(/^paused by .+: it loops$/)],
  });
  expect((await leeway(on, ["status"])).stdout).toMatch(/paused +agent coder: it loops/);
  expect(await leeway(on, ["resume"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("everything is not paused"),
  });
  expect((await asAna(on, ["agents", "resume", "coder"])).text).toContain("agent coder is no longer paused");
  expect(await tierOf("read_file", { path: "a" })).toBe("auto");
});

test("a person promotes and demotes an agent with a reason, and its record is shown", async () => {
  await introduce("coder");
  expect(await json("agents", "list")).toMatchObject([{ name: "coder", owner: "ana" }]);
  expect(await tierOf("lookup", {})).toBe("ask");
  expect(
    (
      await asAna(on, [
        "agents",
        "promote",
        "coder",
        "--tier",
        "notify",
        "--class",
        "db.read",
        "--because",
        "142 of 142",
        "--for",
        "7d",
      ])
    ).code,
  ).toBe(0);
  expect(await tierOf("lookup", {})).toBe("notify");
  expect(
    (await asAna(on, ["agents", "demote", "coder", "--tier", "suggest", "--because", "a wrong folder"])).code,
  ).toBe(0);
  expect(await tierOf("lookup", {})).toBe("suggest");
  const shown = (await leeway(on, ["agents", "show", "coder"])).stdout;
  expect(shown).toMatch(/suggest by ana: a wrong folder/);
  expect(shown).toMatch(/none +1 +1 +0 +0 +0 +0 +0/);
  expect((await leeway(on, ["trust", "coder"])).stdout).toMatch(/^CLASS +CALLS +OK/);
});

/** A call from a program that uses the library. */
async function asks(tool: string, args: JsonObject): Promise<string> {
  const deps = await openDeps({ env: on.env, cwd: on.project });
  const gate = createGate(deps, { agent: "editor" });
  const { approvalId } = await gate.submit({ tool, args, cwd: on.project });
  await gate.close();
  if (approvalId === undefined) throw new Error("nobody was asked");
  return approvalId;
}

test("approving with remember shows the literal grant and creates it in the same step", async () => {
  const id = await asks("write_file", { path: "notes/a.md", text: "x" });
  const { code, text } = await asAna(on, ["approve", id, "--remember", "24h,5x"]);
  expect(text).toMatch(/calls like this will run without a question: .*notes\/a\.md/);
  expect(code).toBe(0);
  const [held] = await json("grants", "list");
  expect(held.grant).toMatchObject({ state: "live", subject: { agent: "editor" }, fromApproval: id, usesMax: 5 });
});

test("`show` lists the grants that could be remembered, literally, and approving selects one by its width", async () => {
  const id = await asks("Bash", { command: "git commit -m one" });
  const shown = (await leeway(on, ["show", id])).stdout.replaceAll(/\s+/g, " ");
  expect(shown).toMatch(/--width 2 `git commit`, any arguments, in this folder \(git\.write\); 1 of its last \d/);
  expect((await leeway(on, ["show", id, "--html"])).stdout).toContain(
    "<p>changes the git repository with git commit -m one</p>",
  );
  const { code, text } = await asAna(on, ["approve", id, "--remember", "1h", "--width", "2"]);
  expect(text.replaceAll(/\s+/g, " ")).toMatch(
    /this will run without a question: `git commit`, any arguments, in this folder/,
  );
  expect(code).toBe(0);
  const tiers = [];
  for (const command of ["git commit -m two", "git commit -m two && rm x"]) {
    const checked = await leeway(on, ["check", "--agent", "editor", "--command", command, "--json"]);
    tiers.push(JSON.parse(checked.stdout).tier);
  }
  expect(tiers).toEqual(["auto", "ask"]);
});

test("in the inbox, remembering asks one more question, and says so if nothing can be remembered", async () => {
  await asks("write_file", { path: "notes/b.md", text: "x" });
  const shown = screen(on, ["inbox", "--as", "ana"], { rows: 50 });
  await shown.shows("1 question");
  shown.type("\rr");
  await shown.shows(/calls like this will run without a question[^:]*:\s+.*notes\/b\.md[\s\S]*for how long\?/);
  shown.type("2x\r");
  await shown.shows("passphrase of ana");
  shown.type(`${PASSPHRASE}\r`);
  await shown.shows("approved: ");
  expect(await json("grants", "list")).toHaveLength(3);

  const asked = leeway(on, ["run", "--agent", "release-bot", "--", "env", "true"]);
  await shown.shows("1 question");
  shown.type("\rr");
  await shown.shows("cannot be remembered: `env` can start any other program");
  shown.type("a");
  await shown.shows(/approved: env true/);
  shown.type("q");
  expect((await asked).code).toBe(0);
  await ended(shown);
});
