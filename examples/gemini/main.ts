// Gemini CLI asks Leeway before each tool call: a file is read and written, a folder is not deleted.
import assert from "node:assert/strict";
import { onNewMachine } from "../host.ts";

await onNewMachine(async (on) => {
  on.init("gemini");
  // Gemini CLI starts the hook by a shell.
  const [{ command }] = on.settings(".gemini/settings.json").hooks.BeforeTool[0].hooks;
  const asked = async (tool: string, input: object) => {
    const { code, stdout } = await on.start(["/bin/sh", "-c", command], {
      hook_event_name: "BeforeTool",
      session_id: "session-1",
      cwd: on.project,
      tool_name: tool,
      tool_input: input,
    });
    assert.equal(code, 0);
    return JSON.parse(stdout);
  };

  const read = await asked("read_file", { file_path: `${on.project}/a.txt` });
  assert.equal(read.decision, "allow");

  const write = await asked("write_file", { file_path: `${on.project}/a.txt`, content: "hello" });
  assert.equal(write.decision, "allow");

  const wipe = await asked("run_shell_command", { command: "rm -rf src" });
  assert.equal(wipe.decision, "deny");
  assert.match(wipe.reason, /whole folders are not deleted by agents/);
});
