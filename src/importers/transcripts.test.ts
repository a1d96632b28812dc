import { expect, test } from "vitest";
import { TRANSCRIPTS } from "./transcripts.ts";

const claude = (line: unknown) =>
  TRANSCRIPTS["claude-code"].reader()(typeof line === "string" ? line : JSON.stringify(line));

const use = (over: object = {}) => ({ type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" }, ...over });

test("a line of claude-code contains one call for each tool use of its message", () => {
  const line = {
    type: "assistant",
    cwd: "/project",
    sessionId: "s1",
    timestamp: "2026-11-01T10:00:00.000Z",
    isSidechain: true,
    message: { content: [{ type: "text", text: "so" }, use(), use({ id: "t2", name: "Read", input: {} })] },
  };
  const both = { session: "s1", atMs: Date.UTC(2026, 10, 1, 10), cwd: "/project" };
  expect(claude(line)).toEqual({
    ok: true,
    cwd: "/project",
    calls: [
      { ...both, id: "t1", tool: "Bash", args: { command: "ls" } },
      { ...both, id: "t2", tool: "Read", args: {} },
    ],
  });
});

test("a line without a call gives no calls, and a relative folder is ignored", () => {
  expect(claude({ type: "user", cwd: "project", message: { content: [use()] } })).toEqual({ ok: true, calls: [] });
  expect(claude({ type: "summary", summary: "x" })).toEqual({ ok: true, calls: [] });
  expect(claude({ type: "assistant", message: { content: "text" } })).toEqual({ ok: true, calls: [] });
});

test("a line that is not part of a transcript, or a call that no door would accept, is reported as unreadable", () => {
  let deep: unknown = 1;
  for (let i = 0; i < 100; i++) deep = [deep];
  const lines = [
    "",
    "{",
    "[]",
    "7",
    ...[{ name: 7 }, { input: "ls" }, { input: { deep } }].map((over) => ({
      type: "assistant",
      message: { content: [use(over)] },
    })),
  ];
  expect(lines.map(claude)).toEqual(lines.map(() => ({ ok: false })));
});

test("codex names the folder and the session once, and a call may name another folder", () => {
  const read = TRANSCRIPTS.codex.reader();
  const lines = [
    { type: "session_meta", payload: { id: "c1", cwd: "/project" } },
    { type: "response_item", payload: call({ command: ["ls"] }) },
    { type: "response_item", payload: call({ command: ["ls"], workdir: "/project/sub" }) },
    { type: "turn_context", payload: { cwd: "/other" } },
    { type: "response_item", payload: { type: "custom_tool_call", name: "apply_patch", input: "x", call_id: "2" } },
    { type: "response_item", payload: { type: "message", role: "assistant" } },
    { type: "response_item", payload: { type: "function_call", name: "shell", arguments: "{", call_id: "3" } },
  ].map((line) => read(JSON.stringify(line)));
  const shell = { id: "1", session: "c1", tool: "shell" };
  expect(lines).toEqual([
    { ok: true, calls: [], cwd: "/project" },
    { ok: true, cwd: "/project", calls: [{ ...shell, args: { command: ["ls"] }, cwd: "/project" }] },
    {
      ok: true,
      cwd: "/project",
      calls: [{ ...shell, args: { command: ["ls"], workdir: "/project/sub" }, cwd: "/project/sub" }],
    },
    { ok: true, calls: [], cwd: "/other" },
    {
      ok: true,
      cwd: "/other",
      calls: [{ id: "2", session: "c1", tool: "apply_patch", args: { input: "x" }, cwd: "/other" }],
    },
    { ok: true, calls: [] },
    { ok: false },
  ]);
});

function call(args: object): object {
  return { type: "function_call", name: "shell", arguments: JSON.stringify(args), call_id: "1" };
}
