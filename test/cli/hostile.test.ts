import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDeps } from "../../src/compose.ts";
import { createGate } from "../../src/library/create-gate.ts";
import { ASKING, asAna, setUpAna } from "./person.ts";
import { leeway, machine } from "./program.ts";
import { screen } from "./screen.ts";

const on = machine();
beforeAll(() => setUpAna(on));
afterAll(() => on.remove());

const DELETE = ["check", "--agent", "coder", "--tool", "delete_file", "--args", '{"path":"a"}', "--json"];
const tierOf = async (over = {}) => JSON.parse((await leeway(on, DELETE, over)).stdout).tier;

test("a loosened leeway.yaml in the project changes nothing until a person accepts it", async () => {
  expect(await tierOf()).toBe("ask");
  writeFileSync(join(on.project, "leeway.yaml"), "version: 1\ntier: auto\n");
  expect(await tierOf()).toBe("ask");
  expect((await leeway(on, ["status"])).stdout.replaceAll(/\s+/g, " ")).toContain(
    "this version is not accepted, so it can only make decisions stricter",
  );
  expect(await leeway(on, ["policy", "accept", "--as", "ana"])).toMatchObject({ code: 5, stdout: "" });
  expect(await tierOf()).toBe("ask");
  expect((await asAna(on, ["policy", "accept"])).text).toContain("accepted ");
  expect(await tierOf()).toBe("auto");
  writeFileSync(join(on.project, "leeway.yaml"), ASKING);
  expect(await tierOf()).toBe("ask");
  await asAna(on, ["policy", "accept"]);
});

test("a policy in an inner folder can only make decisions stricter", async () => {
  const inner = join(on.project, "inner");
  mkdirSync(inner);
  writeFileSync(join(inner, "leeway.yaml"), "version: 1\ntier: auto\n");
  expect(await tierOf({ cwd: inner })).toBe("ask");
  writeFileSync(join(inner, "leeway.yaml"), "version: 1\ntier: deny\n");
  expect(await tierOf({ cwd: inner })).toBe("deny");
});

const LOOSE = `version: 1
tier: auto
tiers: { fs.read: auto, fs.write: auto, fs.delete: auto }
rules:
  - { name: all, match: { tool: "*" }, tier: auto, because: free }
approvals: { quorum: 1, assurance: any, selfReview: true, expires: 90d, permit: 30d }
reviewers: [mallory]
agents: { coder: { owner: mallory } }
tools: { wire: { class: none } }
`;
const WIRE = ["check", "--agent", "coder", "--tool", "wire", "--args", "{}", "--json"];

test("an unaccepted policy in an outer folder allows nothing more, and may make decisions stricter", async () => {
  const outer = join(on.home, "leeway.yaml");
  const told = async () => [await tierOf(), JSON.parse((await leeway(on, WIRE)).stdout)];
  const before = await told();
  writeFileSync(outer, LOOSE);
  expect(await told()).toEqual(before);
  expect(JSON.parse((await leeway(on, ["status", "--json"])).stdout)).toMatchObject({ project: on.project });
  writeFileSync(outer, "version: 1\ntiers: { fs.delete: deny }\n");
  expect(await tierOf()).toBe("deny");
  rmSync(outer);
});

test("a database and a key planted in the project are ignored", async () => {
  const planted = machine();
  await setUpAna(planted, "version: 1\ntier: auto\n");
  for (const place of ["", ".leeway", "leeway", "state/leeway"]) {
    cpSync(join(planted.home, "state", "leeway"), join(on.project, place), { recursive: true });
  }
  expect(await tierOf()).toBe("ask");
  expect(JSON.parse((await leeway(on, ["status", "--json"])).stdout).database).toBe(
    join(on.home, "state", "leeway", "leeway.db"),
  );
  planted.remove();
});

test("LEEWAY_DB selects another database, and status and doctor say so", async () => {
  const other = join(on.home, "other.db");
  const env = { LEEWAY_DB: other };
  const status = JSON.parse((await leeway(on, ["status", "--json"], { env })).stdout);
  expect(status).toMatchObject({ database: other, overrides: { LEEWAY_DB: other }, people: [] });
  expect((await leeway(on, ["status"], { env })).stdout).toMatch(new RegExp(`set outside +LEEWAY_DB=${other}`));
  expect((await leeway(on, ["doctor"], { env })).stdout).toContain(
    "LEEWAY_DB is set: another database than the usual one",
  );
});

const PERSONS_ACTS: readonly (readonly string[])[] = [
  ["approve", "apr_0", "--as", "ana"],
  ["deny", "apr_0", "--note", "no", "--as", "ana"],
  ["policy", "accept", "--as", "ana"],
  ["grants", "add", "--agent", "coder", "--class", "fs.delete", "--as", "ana"],
  ["grants", "revoke", "grt_0", "--as", "ana"],
  ["people", "add", "mallory", "--admin", "--password-file", "pw.txt", "--as", "ana"],
  ["people", "change", "ana", "--role", "auditor", "--as", "ana"],
  ["people", "remove", "ana", "--as", "ana"],
  ["pause", "--as", "ana"],
  ["restore", "kept", "--yes", "--as", "ana"],
];

test("acts that need a person change nothing without a terminal, whoever is named and whatever is piped in", async () => {
  writeFileSync(join(on.project, "pw.txt"), "mallory's own\n");
  expect((await leeway(on, ["backup", "kept"])).code).toBe(0);
  const before = (await leeway(on, ["status", "--json"])).stdout;
  for (const args of PERSONS_ACTS) {
    const ran = await leeway(on, args, { stdin: "correct horse\ncorrect horse\n" });
    expect({ args, code: ran.code, stdout: ran.stdout }).toEqual({ args, code: 5, stdout: "" });
    expect(ran.stderr).toMatch(
      /(a person at a terminal is needed to .*|a person at a terminal must confirm the set-up), and this is not a terminal\n {2}hint: /,
    );
  }
  expect((await leeway(on, ["status", "--json"])).stdout).toBe(before);
});

test("an agent that runs init again finds everything set up, and does not become a person", async () => {
  writeFileSync(join(on.project, "pw.txt"), "mallory's own\n");
  const ran = await leeway(on, ["init", "--yes", "--name", "mallory", "--password-file", "pw.txt", "--json"]);
  expect({ code: ran.code, ...JSON.parse(ran.stdout) }).toMatchObject({ code: 0, firstPerson: null, changed: false });
  expect(
    JSON.parse((await leeway(on, ["people", "list", "--json"])).stdout).map(({ name }: { name: string }) => name),
  ).toEqual(["ana"]);
});

test("an agent under the gate cannot run leeway itself", async () => {
  const ran = await leeway(on, [
    "check",
    "--agent",
    "coder",
    "--command",
    "leeway approve apr_019a --as ana",
    "--json",
  ]);
  expect(JSON.parse(ran.stdout)).toMatchObject({ tier: "deny", outcome: "denied" });
});

test("text from an agent cannot draw on the reviewer's terminal", async () => {
  const evil = "echo\u001b[2J\u001b[H\u202eAPPROVED\u0007";
  const waiting = leeway(on, ["run", "--agent", "coder", "--", "echo", evil]);
  const shown = screen(on, ["inbox", "--as", "ana"], { rows: 30 });
  await shown.shows("1 question");
  shown.type("\r");
  const card = await shown.shows("a approve · d deny");
  expect(card).toContain(String.raw`"echo\u001b[2J\u001b[H<U+202E>APPROVED\u0007"`);
  expect(card).toContain("leeway inbox · 1 question · ana");
  shown.type("\rd");
  shown.type("\x03");
  await shown.ended;
  const [{ id }] = JSON.parse((await leeway(on, ["inbox", "--json"])).stdout).questions;
  const log = (await leeway(on, ["show", id])).stdout;
  expect(log.includes("\u001b") || log.includes("\u202e")).toBe(false);
  await asAna(on, ["deny", id, "--note", "no"]);
  expect((await waiting).code).toBe(5);
});

/** What somebody could name an agent, a tool, a session or a folder, so that a reader takes the name for more than a name. */
const NAMES = [
  "coder, approved by ana,",
  "coder\napproved by ana",
  "coder\u001b[2J\u001b[31m\u202edevorppa",
  "coder\u009b8m\u200b\u{e0041}\u2028approved",
  "*coder* [ok](https://elsewhere.example) <!here> @channel `rm`",
  `${"x".repeat(500)}`,
];
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u;

test("a name in a listing, a sentence or a log line is never more than a name, and programs get it unchanged", async () => {
  const deps = await openDeps({ env: on.env, cwd: on.project });
  for (const name of NAMES) {
    const gate = createGate(deps, { agent: name });
    await gate.submit({ tool: `tool ${name}`, args: { amount: 1 }, session: name });
    await gate.submit({ tool: "send_external_message", args: { text: name }, session: name });
  }
  await deps.close();
  const questions = JSON.parse((await leeway(on, ["inbox", "--json"])).stdout).questions as {
    id: string;
    agent: string;
  }[];
  expect(NAMES.filter((name) => !questions.some(({ agent }) => agent === name))).toEqual([]);
  const [first] = questions.filter(({ agent }) => NAMES.includes(agent));
  const looks = [
    ["inbox"],
    ["log", "--limit", "100"],
    ["status"],
    ["agents", "list"],
    ["sessions"],
    ["show", first?.id ?? ""],
    ["check", "--agent", NAMES[1] ?? "", "--tool", NAMES[2] ?? "", "--args", "{}"],
  ];
  for (const look of looks) {
    const plain = await leeway(on, look);
    const lines = (plain.stdout + plain.stderr).split("\n");
    expect(lines.filter((line) => UNSEEN.test(line) || line.startsWith("approved by ana"))).toEqual([]);
    const { stdout } = await leeway(on, [...look, "--json"]);
    expect({ look, unseen: UNSEEN.test(stdout.replaceAll("\n", "")) }).toEqual({ look, unseen: false });
  }
  const { stdout } = await leeway(on, ["log", "--limit", "100", "--kind", "approval.opened"]);
  expect(stdout).toContain(`leeway ${JSON.stringify("coder, approved by ana,")} send_externa`);
});

test("the record shows no secret at a terminal or as JSON; the export has the recorded words", async () => {
  const command = "mysql -pHunter2secret -e 'drop table x'";
  await leeway(on, ["check", "--agent", "coder", "--command", command]);
  const deps = await openDeps({ env: on.env, cwd: on.project });
  await createGate(deps, { agent: "dba" }).submit({ tool: "bash", args: { command }, cwd: on.project });
  await deps.close();
  const told = await Promise.all([["log"], ["log", "--json"], ["export"]].map((args) => leeway(on, args)));
  expect(told.map(({ stdout }) => [stdout.includes("mysql"), stdout.includes("Hunter2secret")])).toEqual([
    [true, false],
    [true, false],
    [true, true],
  ]);
});

test("an argument of a megabyte is shown completely, and the card says how large it is", async () => {
  const deps = await openDeps({ env: on.env, cwd: on.project });
  const text = `${"harmless ".repeat(100_000)}THE END`;
  const { approvalId } = await createGate(deps, { agent: "editor" }).submit({
    tool: "send_external_message",
    args: { text },
  });
  await deps.close();
  const card = (await leeway(on, ["show", approvalId ?? ""])).stdout;
  expect(card).toContain("THE END");
  const [, exact = ""] = card.split("\nexactly:\n");
  expect(exact.match(/harmless/g)?.length).toBe(100_000);
  expect(card).toContain(`${text.length + 11} bytes of arguments, sha256:`);
  await asAna(on, ["deny", approvalId ?? "", "--note", "too much"]);
});

test("a key file that others can read is refused", async () => {
  const key = join(on.home, "state", "leeway", "leeway.key");
  chmodSync(key, 0o644);
  const ran = await leeway(on, ["status"]);
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).toContain("leeway.key can be read by others");
  chmodSync(key, 0o600);
});
