import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
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
    "1      ask   curl            curl -H 'Authorization: Bearer [masked, 40 characters]' -d a=b https://example.com",
    "1      ask   git push        git push origin main",
    "1      ask   mcp__other__do  mcp__other__do",
    "1      ask   npm run build   git status && npm run build",
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
