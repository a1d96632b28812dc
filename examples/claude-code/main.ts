// Claude Code asks Leeway before each tool call: a file is read and written, a folder is not deleted.
import assert from "node:assert/strict";
import { onNewMachine } from "../host.ts";

await onNewMachine(async (on) => {
  on.init("claude-code");
  // Claude Code starts the hook without a shell.
  const [{ command, args }] = on.settings(".claude/settings.local.json").hooks.PreToolUse[0].hooks;
  let calls = 0;
  const asked = async (tool: string, input: object) => {
    calls += 1;
    const { code, stdout } = await on.start([command, ...args], {
      hook_event_name: "PreToolUse",
      session_id: "session-1",
      cwd: on.project,
      tool_name: tool,
      tool_input: input,
      tool_use_id: `toolu_${calls}`,
    });
    assert.equal(code, 0);
    return JSON.parse(stdout).hookSpecificOutput;
  };

  const read = await asked("Read", { file_path: `${on.project}/a.txt` });
  assert.equal(read.permissionDecision, "allow");

  const write = await asked("Write", { file_path: `${on.project}/a.txt`, content: "hello" });
  assert.equal(write.permissionDecision, "allow");

  const wipe = await asked("Bash", { command: "rm -rf src" });
  assert.equal(wipe.permissionDecision, "deny");
  assert.match(wipe.permissionDecisionReason, /whole folders are not deleted by agents/);
});
