import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDeps } from "../../src/compose.ts";
import { tick } from "../../src/gate/time/tick.ts";
import { openDatabase } from "../../src/store/sqlite/file/driver.ts";
import { asAna, openQuestion, setUpAna } from "./person.ts";
import { asking, leeway, machine, program } from "./program.ts";
import { screen } from "./screen.ts";

const on = machine();
const json = async (...args: string[]) => JSON.parse((await leeway(on, [...args, "--json"])).stdout);
const lines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

let approval: string;
beforeAll(async () => {
  await setUpAna(on);
  const running = asking(on, ["run", "--agent", "coder", "--", "echo", "hello"]);
  approval = await running.asked;
  await asAna(on, ["approve", approval, "--note", "fine"]);
  expect((await running.ended).code).toBe(0);
  expect((await leeway(on, ["run", "--agent", "coder", "--", "rm", "-rf", "x"])).code).toBe(5);
});
afterAll(() => on.remove());

test("the log lists what happened, can be filtered, and can be JSON lines", async () => {
  const all = lines((await leeway(on, ["log", "--json"])).stdout);
  // Acts of people are signed immediately, in parallel with everything else.
  expect(all.map(({ kind }) => kind).filter((kind) => kind !== "ledger.sealed")).toEqual([
    "person.added",
    "policy.accepted",
    "agent.registered",
    "policy.loaded",
    "call.decided",
    "approval.opened",
    "approval.reviewed",
    "approval.approved",
    "execution.claimed",
    "execution.succeeded",
    "call.decided",
  ]);
  const denied = lines((await leeway(on, ["log", "--agent", "coder", "--outcome", "denied", "--json"])).stdout);
  expect(denied.map(({ subject }) => subject.tier)).toEqual(["deny"]);
  expect(
    lines((await leeway(on, ["log", "--person", "ana", "--kind", "approval.reviewed", "--json"])).stdout),
  ).toHaveLength(1);
  expect((await leeway(on, ["log", "--limit", "1"])).stdout).toMatch(/call\.decided +agent:coder exec: rm -rf x deny/);
  expect(await leeway(on, ["log", "--session", "nowhere"])).toMatchObject({ code: 0, stdout: "" });
  expect(await leeway(on, ["log", "--agent", "nobody"])).toMatchObject({ code: 0, stdout: "" });
  expect((await leeway(on, ["log", "--since", "1h", "--until", "1s", "--json"])).code).toBe(0);
});

test("following the log shows new entries as they happen, until it is stopped", async () => {
  const child = spawn(process.execPath, [program(), "log", "--follow", "--kind", "call.decided", "--json"], {
    cwd: on.project,
    env: on.env,
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  const seen = async (count: number) => {
    for (let tries = 0; tries < 600 && out.split("\n").length <= count; tries++)
      await new Promise((resolve) => setTimeout(resolve, 25));
    return out.trim().split("\n").length;
  };
  expect(await seen(2)).toBe(2);
  await leeway(on, ["run", "--agent", "coder", "--", "rm", "-rf", "y"]);
  expect(await seen(3)).toBe(3);
  child.kill("SIGINT");
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
});

test("`why` tells the whole history of a call, from any of its ids or the start of one", async () => {
  const told = await json("why", approval.slice(0, 20));
  expect(told).toMatchObject({
    agent: "coder",
    tool: "exec",
    because: expect.arrayContaining([expect.stringContaining("ask")]),
  });
  expect(told.args).toBeUndefined();
  expect(told.history.map(({ kind }: { kind: string }) => kind)).toEqual(
    expect.arrayContaining(["call.decided", "approval.opened", "approval.approved", "execution.succeeded"]),
  );
  expect((await leeway(on, ["why", approval])).stdout).toMatch(/because +\S/);
  for (const word of ["why", "show"])
    expect((await leeway(on, [word, approval])).stdout).toMatch(/ended +succeeded, exit code 0, took \d+/);
  expect((await leeway(on, ["show", approval])).stdout).toContain("already approved");
  expect((await leeway(on, ["show", told.executionId ?? told.id])).stdout).toContain("coder");
});

test("the record verifies, with a progress bar on a terminal, and so does an export", async () => {
  expect(await json("verify")).toMatchObject({ ok: true });
  const shown = screen(on, ["verify"]);
  expect(await shown.shows(/✓ \d+ entries, all hashes correct/)).not.toContain("█");
  expect(await shown.ended).toBe(0);
  const exported = (await leeway(on, ["export"])).stdout;
  writeFileSync(join(on.home, "record.jsonl"), exported);
  expect(await json("verify", "--file", join(on.home, "record.jsonl"))).toMatchObject({
    ok: true,
    entries: lines(exported).length,
  });
  const forged = exported.replace('"agent:coder"', '"agent:ghost"');
  writeFileSync(join(on.home, "forged.jsonl"), forged);
  const ran = await leeway(on, ["verify", "--file", join(on.home, "forged.jsonl")]);
  expect(ran).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^leeway: the record is broken at entry \d+: /),
  });
});

test("an export is compared with a checkpoint only if the named key signed it", async () => {
  const notes = join(on.home, "state", "leeway", "checkpoints", "default");
  const note = join(notes, readdirSync(notes).sort().at(-1) ?? "");
  const file = join(on.home, "signed.jsonl");
  const exported = (await leeway(on, ["export"])).stdout;
  writeFileSync(file, exported);
  const { signedBy } = (await json("status")).ledger;
  const against = ["--checkpoint", note, "--key", signedBy];
  expect(await json("verify", "--file", file, ...against)).toMatchObject({ ok: true, checkpoints: 1 });
  writeFileSync(file, exported.split("\n").slice(0, 2).join("\n"));
  const cut = await leeway(on, ["verify", "--file", file, ...against]);
  expect(cut).toMatchObject({ code: 1, stderr: expect.stringContaining("entries were signed") });
  for (const wrong of [
    against,
    ["--file", file, "--checkpoint", note],
    ["--file", file, "--checkpoint", note, "--key", "x"],
  ]) {
    expect((await leeway(on, ["verify", ...wrong])).code).toBe(2);
  }
});

test("one entry is exported with its proof, which is valid only for the key that signed it", async () => {
  const { signedBy } = (await json("status")).ledger;
  const file = join(on.home, "entry.json");
  const { stdout } = await leeway(on, ["export", "--entry", "3"]);
  writeFileSync(file, stdout);
  const proof = ["verify", "--proof", file];
  expect(await json(...proof, "--key", signedBy)).toMatchObject({ ok: true, entry: { index: 3 } });
  expect((await leeway(on, [...proof, "--key", signedBy])).stdout).toMatch(/^✓ entry 3 of \d+ signed entries: /);
  writeFileSync(file, stdout.replace('"index":3', '"index":4'));
  const forged = await leeway(on, [...proof, "--key", signedBy]);
  expect(forged).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^leeway: the proof of the entry is not valid: its hash/),
  });
  const wrong = [
    proof,
    [...proof, "--key", "x"],
    [...proof, "--key", signedBy, "--file", file],
    ["export", "--entry", "x"],
  ];
  for (const args of wrong) expect((await leeway(on, args)).code).toBe(2);
  expect((await leeway(on, ["export", "--entry", "999999"])).stderr).toContain("there is no entry 999999");
});

test("a row that somebody edited in the database is named by verify and by doctor", async () => {
  const backup = join(on.home, "before-editing");
  await json("backup", backup);
  const db = openDatabase(join(on.home, "state", "leeway", "leeway.db"));
  db.exec("update people set row = json_set(row, '$.groups', json('[\"security\"]')) where id = 'ana'");
  db.close();
  const verified = await leeway(on, ["verify"]);
  expect(verified).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^✗ the person ana: it is not the row that entry \d+ recorded\nleeway: the chain is complete, but 1 row is different from what it recorded\n/,
    ),
  });
  expect(JSON.parse((await leeway(on, ["verify", "--json"])).stdout)).toMatchObject({
    ok: false,
    rows: [{ table: "people", id: "ana", hint: expect.stringContaining("restore a backup") }],
  });
  expect(JSON.parse((await leeway(on, ["doctor", "--json"])).stdout).findings).toContainEqual({
    what: "ledger",
    state: "bad",
    says: expect.stringContaining("the person ana"),
    hint: expect.stringContaining("restore a backup"),
  });
  expect(await asAna(on, ["restore", backup])).toMatchObject({ code: 0 });
  expect(await json("verify")).toMatchObject({ ok: true });
});

test("the track record is exported as an OpenTrustGraph chain", async () => {
  const exported = (await leeway(on, ["export", "--format", "opentrustgraph", "--agent", "coder"])).stdout;
  const chain = JSON.parse(exported);
  const file = join(on.home, "coder.json");
  writeFileSync(file, exported);
  expect(await json("trust", "--import", file)).toMatchObject({ ok: true, rootHash: chain.chain.root_hash });
  writeFileSync(file, exported.replaceAll("coder", "saint"));
  expect(await leeway(on, ["trust", "--import", file])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("is not valid: "),
  });
  expect(chain.chain).toMatchObject({ verified: true, total: chain.records.length });
  expect(chain.records.length).toBeGreaterThan(0);
});

test("a backup restores database, keys and checkpoints, and what was there before is kept", async () => {
  const folder = join(on.home, "backup");
  // Acts of a person are signed immediately: what comes after the backup is then too new to be signed, however slow the machine is.
  expect(await asAna(on, ["pause", "--tool", "fax", "--because", "before a backup"])).toMatchObject({ code: 0 });
  expect(await json("backup", folder)).toMatchObject({
    folder,
    files: expect.arrayContaining(["leeway.db", "leeway.key", "leeway.sign"]),
  });
  for (const file of ["leeway.db", "leeway.key"]) expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
  const before = await json("verify");
  await leeway(on, ["run", "--agent", "coder", "--", "rm", "-rf", "z"]);
  const restored = await asAna(on, ["restore", folder]);
  expect(restored).toMatchObject({ code: 0, text: expect.stringMatching(/\d+ entries, verified/) });
  const after = await json("verify");
  expect(after).toMatchObject({ ok: true, checkpoints: before.checkpoints });
  expect(lines((await leeway(on, ["log", "--kind", "ledger.restored", "--json"])).stdout).at(-1)).toMatchObject({
    index: before.entries + 1,
  });

  rmSync(join(on.home, "state"), { recursive: true });
  const fresh = await leeway(on, ["restore", folder, "--json"]);
  expect(JSON.parse(fresh.stdout)).toMatchObject({ entries: after.entries, kept: null });
  expect(await json("show", approval)).toMatchObject({ id: approval, state: "approved" });
  expect(existsSync(join(on.home, "state", "leeway", "leeway.key"))).toBe(true);
  expect(readFileSync(join(folder, "leeway.key"))).toEqual(
    readFileSync(join(on.home, "state", "leeway", "leeway.key")),
  );
});

test("doctor checks that the gate works and names what could let calls through unchecked", async () => {
  const found = await json("doctor");
  expect(found.ok).toBe(true);
  expect(found.findings.map(({ what, state }: { what: string; state: string }) => [what, state])).toEqual([
    ["folder", "ok"],
    ["key", "ok"],
    ["database", "ok"],
    ["store", "ok"],
    ["clock", "ok"],
    ["ledger", "ok"],
    ["policy", "ok"],
    ["decision", "ok"],
    ["decision", "ok"],
    ["people", "ok"],
    ["server", "ok"],
    ["box", "ok"],
    ["fails open", "warn"],
  ]);
});

test("a command whose gate was killed is unknown until a person says how it ended", async () => {
  const child = spawn(
    process.execPath,
    [program(), "run", "--agent", "coder", "--", "sh", "-c", "touch started; sleep 20"],
    {
      cwd: on.project,
      env: on.env,
      stdio: "ignore",
    },
  );
  const { id } = await openQuestion(on);
  await asAna(on, ["approve", id]);
  while (!existsSync(join(on.project, "started"))) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGKILL");
  // The claim of the killed process expires half a minute later; the test moves a clock instead of waiting.
  const clock = { nowMs: () => Date.now() + 40_000, sleep: async () => undefined };
  const later = await openDeps({ env: on.env, cwd: on.project, clock });
  expect(await tick(later)).toMatchObject({ lapsed: 1 });
  await later.close();
  const status = await json("status");
  expect(status.unknown).toBe(1);
  const { executionId } = await json("show", id);
  expect(await json("show", executionId)).toMatchObject({ state: "unknown" });
  const without = await leeway(on, ["show", executionId, "--settle", "failed"]);
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining("--note is missing") });
  const settled = await asAna(on, ["show", executionId, "--settle", "failed", "--note", "nothing was there"]);
  expect(settled).toMatchObject({ code: 0, text: expect.stringContaining(`${executionId} is failed`) });
  expect(await json("verify")).toMatchObject({ ok: true });
});

test("a policy is tried on recorded calls, and compared with the one in force", async () => {
  writeFileSync(join(on.home, "strict.yaml"), "version: 1\ntier: deny\n");
  const tried = await json("policy", "try", join(on.home, "strict.yaml"));
  expect(tried.calls.every(({ tier }: { tier: string }) => tier === "deny")).toBe(true);
  const { stdout } = await leeway(on, ["policy", "try"]);
  expect(stdout).toMatch(
    /^of \d+ calls: [12] would be asked, 0 would run, 0 would be proposed, \d+ would be refused\n/,
  );
  expect(stdout).toContain("exec: echo hello");
  const diffed = await json("policy", "diff", join(on.home, "strict.yaml"));
  expect(diffed).toMatchObject({
    changed: [
      { before: { tier: "ask" }, after: { tier: "deny" } },
      { before: { tier: "ask" }, after: { tier: "deny" } },
    ],
    skipped: [],
  });
  expect((await leeway(on, ["policy", "diff", join(on.home, "strict.yaml")])).stdout).toContain("ask → deny");
});

test("an admin erases the content of an entry with the passphrase and a reason, and the record stays valid", async () => {
  const [first] = lines((await leeway(on, ["log", "--kind", "call.decided", "--limit", "1", "--json"])).stdout);
  const index = String((first as { index: number }).index);
  expect(await leeway(on, ["erase", index, "--because", "x"])).toMatchObject({ code: 5, stdout: "" });
  expect((await leeway(on, ["erase", index])).code).toBe(2);
  const erased = await asAna(on, ["erase", index, "--because", "it named a customer"]);
  expect(erased).toMatchObject({ code: 0, text: expect.stringContaining(`erased the content of entry ${index}`) });
  const [last] = lines((await leeway(on, ["log", "--kind", "body.erased", "--json"])).stdout);
  expect(last).toMatchObject({ actor: "person:ana", body: { json: { because: "it named a customer" } } });
  expect(await json("verify")).toMatchObject({ ok: true });
});
