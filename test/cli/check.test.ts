import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setUpAna } from "./person.ts";
import { leeway, machine } from "./program.ts";
import { screen } from "./screen.ts";

const on = machine();
beforeAll(() => setUpAna(on));
writeFileSync(join(on.home, "human.yaml"), "version: 1\npreset: standard\n");
afterAll(() => on.remove());

/** Each exit code, reached by a call. */
const EXITS: readonly [what: string, args: readonly string[], code: number, tier: string, outcome: string][] = [
  ["auto runs", ["--tool", "read_file", "--args", '{"path":"a.txt"}'], 0, "auto", "run"],
  ["notify runs", ["--tool", "write_file", "--args", '{"path":"a.txt","text":""}'], 0, "notify", "run"],
  ["ask asks", ["--tool", "delete_file", "--args", '{"path":"a.txt"}'], 3, "ask", "pending"],
  ["a command asks", ["--command", "make install"], 3, "ask", "pending"],
  ["suggest is not executed", ["--tool", "git.push", "--args", "{}"], 4, "suggest", "not_executed"],
  ["shadow is not executed", ["--tool", "memo", "--args", "{}"], 4, "shadow", "not_executed"],
  ["deny denies", ["--command", "rm -rf build"], 5, "deny", "denied"],
];

test.each(EXITS)("%s", async (_what, args, code, tier, outcome) => {
  const ran = await leeway(on, ["check", ...args, "--json"]);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code, stderr: "" });
  const checked = JSON.parse(ran.stdout);
  expect(checked).toMatchObject({ tier, outcome });
  expect(Object.keys(checked)).toEqual([
    "tier",
    "outcome",
    "code",
    "classes",
    "understood",
    "targets",
    "rules",
    "because",
    "box",
  ]);
});

test("the text output says what would happen and why", async () => {
  const { stdout, code } = await leeway(on, ["check", "--agent", "coder", "--command", "rm -rf build"]);
  expect(code).toBe(5);
  expect(stdout).toMatch(/^deny: shell would be refused \(LEEWAY_DENIED\)\n/);
  expect(stdout).toMatch(/because +rule never-wipe says deny: trees are not an agent's business/);
});

test("the text output says if the file on disk is not the one in force", async () => {
  const file = join(on.project, "leeway.yaml");
  const accepted = readFileSync(file, "utf8");
  const check = async (...more: string[]) =>
    (await leeway(on, ["check", "--tool", "read_file", "--args", '{"path":"a.txt"}', ...more])).stderr;
  expect(await check()).toBe("");
  writeFileSync(file, `${accepted}\n# changed\n`);
  expect(await check()).toMatch(
    /leeway\.yaml can only make decisions stricter: it differs from the version that ana accepted, which is in force; run `leeway policy accept` to put it in force\n$/,
  );
  expect(await check("--json")).toBe("");
  rmSync(file);
  expect(await check()).toMatch(/leeway\.yaml no longer exists; the accepted version is in force\n$/);
  writeFileSync(file, accepted);
  const inner = join(on.project, "inner");
  mkdirSync(inner);
  writeFileSync(join(inner, "leeway.yaml"), "version: 1\ntier: ask\n");
  const there = await leeway({ ...on, project: inner }, ["check", "--command", "ls"]);
  expect(there.stderr).toMatch(/inner\/leeway\.yaml can only make decisions stricter: nobody has accepted it; /);
  rmSync(inner, { recursive: true });
});

test("the text output describes a command program by program, in the same words as its card", async () => {
  const { stdout } = await leeway(on, ["check", "--command", "cd build && rm x; git status"]);
  expect(stdout.split("\n").slice(0, 6)).toEqual([
    "ask: shell would wait for a person",
    "agent       cli",
    "does        deletes build/x, cannot be undone",
    "parts       `cd build` - changes nothing",
    "            `⟦rm x⟧` in build - deletes build/x, cannot be undone",
    "            `git status` in . or build - only reads",
  ]);
});

test("the output for a call that needs a person names the next step", async () => {
  const { stdout, code } = await leeway(on, [
    "check",
    "--command",
    "cat .env",
    "--policy",
    join(on.home, "human.yaml"),
  ]);
  expect(code).toBe(5);
  expect(stdout).toContain(
    "would be asked about, and would not run before a person has approved it (LEEWAY_NEEDS_HUMAN)",
  );
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "The agent does not wait for it: after the approval the call runs once, when the agent makes it again",
  );
});

test("a batch returns one answer for each line in order, with exactly these keys", async () => {
  const lines = [
    { agent: "coder", tool: "read_file", args: { path: "a" } },
    { agent: "coder", tool: "shell", args: { command: "rm -rf x" }, cwd: on.project },
    { tool: "nobody_knows_this", args: {} },
  ];
  const ran = await leeway(on, ["check", "--batch", "-"], {
    stdin: lines.map((line) => JSON.stringify(line)).join("\n"),
  });
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: "" });
  const answers = ran.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers).toMatchObject([
    { tier: "auto", outcome: "run", code: null, classes: ["fs.read"], understood: "fully", rules: [] },
    { tier: "deny", outcome: "denied", code: "LEEWAY_DENIED", classes: ["fs.delete"], rules: ["never-wipe"] },
    { tier: "ask", outcome: "pending", classes: ["unknown"], understood: "not" },
  ]);
  for (const answer of answers) {
    expect(Object.keys(answer)).toEqual([
      "tier",
      "outcome",
      "code",
      "classes",
      "understood",
      "targets",
      "rules",
      "because",
      "box",
    ]);
  }
});

test("a batch from a file denies a line that is not a call, and says so at the end", async () => {
  writeFileSync(
    join(on.project, "calls.jsonl"),
    '{"tool":"read_file","args":{"path":"a"}}\n\n{"tool":"x"}\n{"tool":"read_file","args":{},"surprise":1}\n',
  );
  const ran = await leeway(on, ["check", "--batch", "calls.jsonl"]);
  expect(ran.code).toBe(2);
  expect(
    ran.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).code),
  ).toEqual([null, "LEEWAY_BAD_CALL", "LEEWAY_BAD_CALL"]);
  expect(ran.stderr).toMatch(/^leeway: 2 of the lines are not calls\n {2}hint: /);
});

test("checking records nothing", async () => {
  const entries = async () => JSON.parse((await leeway(on, ["status", "--json"])).stdout).ledger.entries;
  const before = await entries();
  await leeway(on, ["check", "--command", "ls"]);
  expect(await entries()).toBe(before);
});

test("if a policy is named, only this policy applies", async () => {
  writeFileSync(join(on.home, "free.yaml"), "version: 1\ntier: auto\n");
  const ran = await leeway(on, [
    "check",
    "--policy",
    join(on.home, "free.yaml"),
    "--tool",
    "delete_file",
    "--args",
    '{"path":"a"}',
    "--json",
  ]);
  expect(JSON.parse(ran.stdout)).toMatchObject({ tier: "auto", outcome: "run" });
});

test("a named policy that is missing or broken denies everything", async () => {
  const ran = await leeway(on, [
    "check",
    "--policy",
    "missing.yaml",
    "--tool",
    "read_file",
    "--args",
    '{"path":"a"}',
    "--json",
  ]);
  expect(ran.code).toBe(5);
  expect(JSON.parse(ran.stdout)).toMatchObject({ tier: "deny", outcome: "denied", code: "LEEWAY_POLICY_INVALID" });
});

test("colours are used only on terminals, and NO_COLOR turns them off", async () => {
  const args = ["check", "--command", "rm -rf build"];
  const painted = screen(on, args, { env: { NO_COLOR: "" } });
  await painted.ended;
  await painted.settled();
  expect(painted.raw()).toContain("\u001b[31mdeny\u001b[39m");
  const plain = screen(on, args);
  await plain.ended;
  await plain.settled();
  expect(plain.raw()).not.toContain("\u001b[");
  expect((await leeway(on, args, { env: { NO_COLOR: "", FORCE_COLOR: "1" } })).stdout).not.toContain("\u001b[");
});

test("a command that is denied does not run and ends with 5", async () => {
  const ran = await leeway(on, ["run", "--receipt", "denied.json", "--", "rm", "-rf", "calls.jsonl"]);
  expect(ran.code).toBe(5);
  expect(ran.stderr).toContain("the command did not run: rule never-wipe says deny");
  expect((await leeway(on, ["check", "--batch", "calls.jsonl"])).stderr).not.toContain("does not exist");
});

test("brackets are letters of a name where a tool writes exactly this file, and a pattern in a command", async () => {
  const policy = join(on.home, "env.yaml");
  writeFileSync(
    policy,
    'version: 1\npreset: standard\nrules:\n  - name: env\n    match: { class: fs.write, path: ["**/.env", "**/.env.*"] }\n    tier: ask\n    because: passwords\n',
  );
  const asks = async (...args: string[]) =>
    JSON.parse((await leeway(on, ["check", "--json", "--policy", policy, ...args])).stdout).tier === "ask";
  const writes = (path: string) => asks("--tool", "write_file", "--args", JSON.stringify({ path, content: "x" }));
  const applies = (changed: object) =>
    asks(
      "--tool",
      "leeway.apply",
      "--args",
      JSON.stringify({ call: "c", rehearsal: "r", changes: 1, content: "x", ...changed }),
    );
  for (const path of ["app/[id].tsx", "[slug]/page.tsx", "[slug]/settings.json", "app/[...all].js", "[.]env"])
    expect([path, await writes(path), await applies({ written: [path] })]).toEqual([path, false, false]);
  for (const path of ["[slug]/.env", ".env.[a]", "[id]*", "[slug]/Makefile"])
    expect([path, await writes(path)]).toEqual([path, true]);
  expect(await applies({ written: ["[slug]/**"] })).toBe(true);
  for (const command of ["echo x > [.]env", "echo x > app/[id].tsx"])
    expect([command, await asks("--command", command)]).toEqual([command, true]);
});
