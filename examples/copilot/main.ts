// Copilot CLI asks Leeway before each tool call: a file is read and written, a folder is not deleted.
import assert from "node:assert/strict";
import { onNewMachine } from "../host.ts";

await onNewMachine(async (on) => {
  on.init("copilot");
  // Copilot CLI starts the hook by a shell.
  const [{ bash }] = on.settings(".github/copilot/settings.local.json").hooks.preToolUse;
  const asked = async (tool: string, args: object) => {
    const { code, stdout } = await on.start(["/bin/sh", "-c", bash], {
      sessionId: "session-1",
      timestamp: Date.now(),
      cwd: on.project,
      toolName: tool,
      toolArgs: args,
    });
    assert.equal(code, 0);
    return JSON.parse(stdout);
  };

  const read = await asked("view", { path: `${on.project}/a.txt` });
  assert.equal(read.permissionDecision, "allow");

  const write = await asked("create", { path: `${on.project}/a.txt`, file_text: "hello" });
  assert.equal(write.permissionDecision, "allow");

  const wipe = await asked("bash", { command: "rm -rf src", description: "clean up" });
  assert.equal(wipe.permissionDecision, "deny");
  assert.match(wipe.permissionDecisionReason, /whole folders are not deleted by agents/);
});
