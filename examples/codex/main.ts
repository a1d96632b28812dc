// Codex asks Leeway before each tool call: a file is read and written, a folder is not deleted. Codex runs a call if its
// hook says nothing, and does not run it if the hook ends with exit code 2.
import assert from "node:assert/strict";
import { onNewMachine } from "../host.ts";

await onNewMachine(async (on) => {
  on.init("codex");
  // Codex starts the hook by a shell.
  const [{ command }] = on.settings(".codex/hooks.json").hooks.PreToolUse[0].hooks;
  let calls = 0;
  const asked = (tool: string, input: object) => {
    calls += 1;
    return on.start(["/bin/sh", "-c", command], {
      hook_event_name: "PreToolUse",
      session_id: "session-1",
      turn_id: "turn-1",
      cwd: on.project,
      tool_name: tool,
      tool_input: input,
      tool_use_id: `call_${calls}`,
    });
  };
  const RUNS = { code: 0, stdout: "", stderr: "" };

  assert.deepEqual(await asked("exec_command", { cmd: "cat a.txt" }), RUNS);

  const patch = "*** Begin Patch\n*** Add File: a.txt\n+hello\n*** End Patch\n";
  assert.deepEqual(await asked("apply_patch", { command: patch }), RUNS);

  const wipe = await asked("exec_command", { cmd: "rm -rf src" });
  assert.equal(wipe.code, 2);
  assert.match(wipe.stderr, /whole folders are not deleted by agents/);
});
