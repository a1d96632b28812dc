import { describe, expect, test } from "vitest";
import { deciding, faultsOf, imported } from "../../test/seeds/importing.ts";

const write = { path: "src/a.ts", content: "x" };

describe("clawith", () => {
  const everything = `# imported from clawith
# not converted: the difference between L2 and no level at all: read_files, send_feishu_message, send_external_message, send_message_to_agent, send_file_to_agent, web_search, execute_code, modify_soul, manage_tasks, access_business_system_read, access_business_system_write, financial_operations, create_calendar_event are written out as notify
# not converted: several kinds of message, and several kinds of agent state, share a class in Leeway: a tool that is not named gets the strictest of them
# not converted: Clawith did not enforce the levels for deleting, paying and business systems for most tools; Leeway does
# not converted: in Clawith an unknown tool ran under L2 or unchecked; in Leeway it asks
version: 1
tier: notify
tiers:
  fs.read: notify
  fs.write: auto
  fs.delete: ask
  deploy.write: ask
  permissions.change: ask
  schedule.write: ask
  message.send: notify
  network.read: notify
  process.exec: notify
  agent_state.write: notify
  db.read: notify
  db.write: notify
  payments.move: notify
  read_files: notify
  write_file: auto
  move_file: auto
  write_workspace_files: auto
  delete_file: ask
  delete_files: ask
  send_feishu_message: notify
  send_external_message: notify
  send_message_to_agent: notify
  send_file_to_agent: notify
  web_search: notify
  execute_code: notify
  execute_code_e2b: notify
  modify_soul: notify
  manage_tasks: notify
  access_business_system_read: notify
  access_business_system_write: notify
  financial_operations: notify
  create_calendar_event: notify
`;

  test("levels become rows by class and by mapped tool, and a missing key becomes the source's default, L2", () => {
    const made = imported("clawith", { write_workspace_files: "L1", delete_files: "L3" });
    expect(made.ok && made.yaml).toBe(everything);
  });

  test("decisions equal those of the source", () => {
    const tier = deciding("clawith", {
      read_files: "L1",
      write_workspace_files: "L1",
      delete_files: "L3",
      send_feishu_message: "L1",
      send_external_message: "L3",
    });
    expect([
      tier("read_file", { path: "a" }),
      tier("write_file", write),
      tier("move_file", { source: "a", destination: "b" }),
      tier("delete_file", { path: "a" }),
      tier("send_feishu_message", { text: "hi" }),
      tier("send_external_message", { text: "hi" }),
      tier("send_message_to_agent", { text: "hi" }),
      tier("web_search", { query: "x" }),
    ]).toEqual(["auto", "auto", "auto", "ask", "auto", "ask", "notify", "notify"]);
  });

  test("without a policy, every action has the level L2", () => {
    const tier = deciding("clawith", "null");
    expect([tier("write_file", write), tier("delete_file", { path: "a" })]).toEqual(["notify", "notify"]);
  });

  test("a value that is not a level, or an unknown kind of action, is an error", () => {
    expect(faultsOf("clawith", { delete_files: 4, delete_file: "L3" })).toEqual([
      expect.stringMatching(/^given\.json:1:17: .* is not a level of that system; use one of: L1, L2, L3$/),
      expect.stringMatching(/^given\.json:1:\d+: unknown kind of action `delete_file`; did you mean `delete_files`\?/),
    ]);
    expect(faultsOf("clawith", ["L1"])).toEqual([
      expect.stringMatching(/expected an autonomy policy, found a list; write a map/),
    ]);
  });
});
