// opencode asks Leeway before each tool call: a file is read and written, a folder is not deleted. opencode has plugins in
// place of hooks; this program loads the plugin that `leeway init` has written, as opencode does.
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { onNewMachine } from "../host.ts";

await onNewMachine(async (on) => {
  on.init("opencode");
  const plugin = await import(pathToFileURL(join(on.project, ".opencode", "plugin", "leeway.js")).href);
  const client = {
    config: { get: async () => ({ data: {} }) },
    tui: { showToast: async () => undefined },
  };
  const hooks = await plugin.Leeway({ client, directory: on.project });
  let calls = 0;
  const asked = (tool: string, args: object): Promise<void> => {
    calls += 1;
    return hooks["tool.execute.before"]({ tool, sessionID: "session-1", callID: `call-${calls}` }, { args });
  };

  // A call runs unless the plugin throws.
  await asked("read", { filePath: `${on.project}/a.txt` });
  await asked("write", { filePath: `${on.project}/a.txt`, content: "hello" });
  await assert.rejects(asked("bash", { command: "rm -rf src" }), /whole folders are not deleted by agents/);
});
