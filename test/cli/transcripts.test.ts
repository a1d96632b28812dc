import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../../src/open.ts";
import { leeway, machine } from "./program.ts";

const on = machine();
afterAll(() => on.remove());

const TOKEN = `ghp_${"a1B2".repeat(9)}`;
let ids = 0;

/** A line as Claude Code writes it for a call of the assistant. */
function called(name: string, input: object, over: Record<string, unknown> = {}): string {
  return JSON.stringify({
    type: "assistant",
    cwd: on.project,
    sessionId: "s1",
    timestamp: "2026-11-01T10:00:00.000Z",
    message: { role: "assistant", content: [{ type: "tool_use", id: `toolu_${++ids}`, name, input }] },
    ...over,
  });
}

const bash = (command: string, over?: Record<string, unknown>) => called("Bash", { command }, over);

/** Writes a session; `day` is when it was last written to. */
function session(name: string, lines: readonly string[], day: number): void {
  const folder = join(on.home, ".claude", "projects", "-project");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
  const at = new Date(Date.UTC(2026, 10, day));
  utimesSync(join(folder, name), at, at);
}

const said = JSON.stringify({ type: "user", cwd: on.project, message: { role: "user", content: "please" } });
const copied = bash("npm test");
session("old.jsonl", [said, copied, bash("npm test -- a"), bash("git push origin main")], 1);
session(
  "new.jsonl",
  [
    said,
    copied,
    "{ this is half a li",
    called("Read", { file_path: join(on.project, "src/a.ts") }),
    called("Edit", { file_path: join(on.project, "src/a.ts"), old_string: "a", new_string: "b" }),
    bash("git status && npm run build", { isSidechain: true }),
    bash(`curl -H 'Authorization: Bearer ${TOKEN}' -d a=b https://example.com`),
    called("mcp__other__do", { x: 1 }),
    JSON.stringify({ type: "assistant", message: { content: [{ type: "tool_use", id: "x", name: 7, input: "no" }] } }),
  ],
  2,
);

const CLAUDE = ["policy", "try", "--from", "claude-code"];

test("a policy is tried on transcripts of claude-code, and its decisions are counted by program", async () => {
  const stdout = [
    "of 8 calls: 6 would be asked, 1 would run, 1 would run with a notice, 0 would be proposed, 0 would be refused",
    `from 2 sessions under ${on.home}/.claude/projects; grants and limits are not considered. 2 lines could not be read.`,
    "",
    "CALLS  KEPT BY",
    "3      preset standard, process.exec",
    "1      not fully understood",
    "1      preset standard, git.write",
    "1      preset standard, network.write",
    "1      preset standard, unknown",
    "",
    "CALLS  TIER  WHAT            FOR EXAMPLE",
    "2      ask   npm test        npm test",
    "1      ask   curl            curl -H 'Authorization: [masked, 47 characters]' -d a=b https://example.com",
    "1      ask   git push        git push origin main",
    "1      ask   mcp__other__do  mcp__other__do",
    "1      ask   npm run build   git status && npm run build",
    "A call can be counted in several rows.",
    "",
    "CALLS  WOULD NOT ASK WITH A GRANT FOR",
    "2      `npm test`, any arguments after `--`, in this folder (process.exec)",
    "1      exactly `git status`, in this folder; exactly `npm run build`, in this folder (any class up to execute)",
    "1      exactly `git push origin main`, in this folder (git.write)",
    "To make such a grant, approve a call in the inbox and remember it, or use `leeway grants add`; --json has each as a rule.",
    "",
  ].join("\n");
  expect(await leeway(on, CLAUDE)).toEqual({ code: 0, stdout, stderr: "" });
});

test("a policy file is evaluated as if it were in the project of each session", async () => {
  writeFileSync(
    join(on.home, "free.yaml"),
    [
      "version: 1",
      "preset: standard",
      "rules:",
      '  - { name: src, match: { class: fs.write, path: "src/**" }, tier: auto, because: tests }',
      "  - { name: tests, match: { command: npm test * }, tier: auto, because: tests }",
      "  - { name: pushes, match: { command: git push * }, tier: deny, because: people push }",
    ].join("\n"),
  );
  const { stdout } = await leeway(on, [...CLAUDE, join(on.home, "free.yaml"), "--json"]);
  const { tiers, causes, kept, each } = JSON.parse(stdout);
  expect(tiers).toEqual({ auto: 4, notify: 0, ask: 3, suggest: 0, shadow: 0, deny: 1 });
  expect(causes[0]).toEqual({ cause: "not fully understood", calls: 1 });
  expect(causes).toContainEqual({ cause: "rule pushes", calls: 1 });
  expect(kept).toContainEqual({ what: "git push", tier: "deny", calls: 1, example: "git push origin main" });
  expect(each.at(-1)).toEqual({
    session: "s1",
    at: "2026-11-01T10:00:00.000Z",
    cwd: on.project,
    tool: "Bash",
    what: "npm test -- a",
    tier: "auto",
    classes: ["process.exec"],
    because: [`rule tests says auto: tests (${on.home}/free.yaml:5)`],
  });
  expect(stdout).not.toContain(TOKEN);
});

test("the newest calls come first, up to the limit and since a time", async () => {
  const whats = async (...more: string[]) => {
    const { each } = JSON.parse((await leeway(on, [...CLAUDE, "--json", ...more])).stdout);
    return each.map(({ what }: { what: string }) => what);
  };
  expect(await whats("--limit", "2")).toEqual(["mcp__other__do", expect.stringContaining("curl")]);
  expect(await whats("--since", "2026-11-02", "--limit", "1")).toEqual([]);
  expect((await whats("--since", "2026-10-01")).length).toBe(8);
});

test("a line longer than a buffer is read completely, and lines and files that are not transcripts are skipped", async () => {
  const folder = join(on.home, "elsewhere", "deep");
  mkdirSync(folder, { recursive: true });
  const picture = JSON.stringify({ type: "user", message: { content: "ü€".repeat(700_000) } });
  writeFileSync(join(folder, "a.jsonl"), [picture, bash("ls"), "", "7", "null"].join("\n"));
  writeFileSync(join(folder, "notes.txt"), "not a transcript");
  const { stdout } = await leeway(on, [...CLAUDE, "--transcripts", join(on.home, "elsewhere"), "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ sessions: 1, calls: 1, badLines: 2, badFiles: 0, tiers: { auto: 1 } });
});

test("for each group of questions a grant is proposed, with the rule that says the same, never for an interpreter", async () => {
  const folder = join(on.home, "groups");
  mkdirSync(folder, { recursive: true });
  const commands = ["git commit -m a", "git commit -m b", "git push", "python3 x.py", "bash x.sh", "sudo ls"];
  writeFileSync(join(folder, "a.jsonl"), commands.map((command) => bash(command)).join("\n"));
  const { stdout } = await leeway(on, [...CLAUDE, "--transcripts", folder, "--json"]);
  const { tiers, proposals } = JSON.parse(stdout);
  const rule = (command: string) => ({
    name: command,
    match: { agent: "claude-code", class: "git.write", command: [command] },
    tier: "auto",
    because: "it was asked about often",
  });
  expect(tiers.ask).toBe(6);
  expect(proposals).toEqual([
    { calls: 2, grant: "`git commit`, any arguments, in this folder (git.write)", rule: rule("git commit *") },
    { calls: 1, grant: "exactly `git push`, in this folder (git.write)", rule: rule("git push") },
  ]);
});

test("sessions of Gemini CLI are read, and a message that is written again counts once", async () => {
  const slug = join(on.home, ".gemini", "tmp", "project");
  mkdirSync(join(slug, "chats"), { recursive: true });
  writeFileSync(join(slug, ".project_root"), on.project);
  const message = (status: string) =>
    JSON.stringify({
      id: "m1",
      type: "gemini",
      timestamp: "2026-11-01T10:00:00.000Z",
      toolCalls: [{ id: "c1", name: "run_shell_command", args: { command: "npm test" }, status }],
    });
  writeFileSync(
    join(slug, "chats", "session-2026-11-01T10-00-abc.jsonl"),
    [JSON.stringify({ sessionId: "g1", kind: "main" }), message("executing"), message("success")].join("\n"),
  );
  const older = { sessionId: "g0", messages: [{ type: "gemini", toolCalls: [{ id: "c0", name: "glob", args: {} }] }] };
  writeFileSync(join(slug, "chats", "session-2026-10-01T10-00-abc.json"), JSON.stringify(older, null, 2));
  const { stdout } = await leeway(on, ["policy", "try", "--from", "gemini", "--json"]);
  const { sessions, calls, each } = JSON.parse(stdout);
  expect([sessions, calls]).toEqual([2, 2]);
  expect(each).toContainEqual({
    session: "g1",
    at: "2026-11-01T10:00:00.000Z",
    cwd: on.project,
    tool: "run_shell_command",
    what: "npm test",
    tier: "ask",
    classes: ["process.exec"],
    because: [expect.stringContaining("process.exec")],
  });
});

test("sessions of opencode are read from its database", async () => {
  const folder = join(on.home, ".local", "share", "opencode");
  mkdirSync(folder, { recursive: true });
  const database = openDatabase(join(folder, "opencode.db"));
  database.exec("create table session (id text, directory text, time_updated integer)");
  database.exec("create table part (id text, session_id text, time_created integer, data text)");
  database.prepare("insert into session values (?, ?, ?)").run("o1", on.project, Date.UTC(2026, 10, 1));
  const part = database.prepare("insert into part values (?, ?, ?, ?)");
  const state = { status: "completed", input: { command: "git push" } };
  part.run("p1", "o1", 1, JSON.stringify({ type: "step-finish" }));
  part.run("p2", "o1", Date.UTC(2026, 10, 1), JSON.stringify({ type: "tool", tool: "bash", callID: "c1", state }));
  part.run("p3", "o1", 3, JSON.stringify({ type: "tool", tool: 7 }));
  database.close();
  const { stdout } = await leeway(on, ["policy", "try", "--from", "opencode", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    sessions: 1,
    calls: 1,
    badLines: 1,
    each: [
      { session: "o1", at: "2026-11-01T00:00:00.000Z", cwd: on.project, tool: "bash", what: "git push", tier: "ask" },
    ],
  });
});

test("transcripts of codex can be read too", async () => {
  const folder = join(on.home, ".codex", "sessions", "2026", "11", "01");
  mkdirSync(folder, { recursive: true });
  const item = (payload: object) =>
    JSON.stringify({ timestamp: "2026-11-01T10:00:00.000Z", type: "response_item", payload });
  const shell = JSON.stringify({ command: ["bash", "-lc", "npm test"], workdir: on.project });
  writeFileSync(
    join(folder, "rollout-a.jsonl"),
    [
      JSON.stringify({ type: "session_meta", payload: { id: "c1", cwd: on.project } }),
      item({ type: "function_call", name: "shell", arguments: shell, call_id: "1" }),
      item({ type: "local_shell_call", call_id: "2", action: { type: "exec", command: ["ls", "-la"] } }),
      item({ type: "function_call_output", call_id: "2", output: "a" }),
    ].join("\n"),
  );
  const { stdout } = await leeway(on, ["policy", "try", "--from", "codex", "--json"]);
  const { kept, tiers } = JSON.parse(stdout);
  expect(tiers).toMatchObject({ auto: 1, ask: 1 });
  expect(kept.map(({ what }: { what: string }) => what)).toContain("npm test");
});

test("nothing is recorded, and a folder that does not exist is named", async () => {
  expect((await leeway(on, ["log", "--json"])).stdout).toBe("");
  expect(await leeway(on, [...CLAUDE, "--transcripts", "nowhere"])).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining(`the folder ${join(on.project, "nowhere")} does not exist`),
  });
});
