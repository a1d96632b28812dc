import { describe, expect, test } from "vitest";
import { deciding, faultsOf, imported } from "../../test/seeds/importing.ts";

const write = { path: "src/a.ts", content: "x" };

describe("flynn", () => {
  test("hooks, level and tool policy become rules", () => {
    const made = imported("flynn", {
      hooks: { confirm: ["web.*"], log: ["file.read"], silent: [] },
      agents: { autonomy_level: "autonomous" },
      tool_policy: { allow: ["web.*", "file.read"], deny: ["web.delete"] },
      immutable_denylist: [{ tool: "shell.exec", args_pattern: "rm -rf", reason: "never" }],
    });
    expect(made).toEqual({
      ok: true,
      yaml: `# imported from flynn
# not converted: args_pattern of shell.exec: every call of it is denied; narrow the rule with match.args or match.command
# not converted: \`web.delete\` is not a known tool of Flynn: the rule applies only to tools with exactly this name
# not converted: louder logging of log hooks: everything is in the ledger
# not converted: in Flynn an unknown tool ran silently; in Leeway it asks until \`tools\` says what it does
version: 1
tier: auto
rules:
  - name: hooks-confirm
    match:
      tool: ["tool:web.*"]
    tier: ask
    because: "a confirm hook names it"
  - name: hooks-confirm-classes
    match:
      class: [network.read, network.write]
    tier: ask
    because: "a confirm hook names it"
  - name: hooks-log
    match:
      tool: [file.read]
    tier: auto
    because: "a log hook names it"
  - name: tool-policy-deny
    match:
      tool: ["tool:web.delete"]
    tier: deny
    because: "the tool policy denies it"
  - name: tool-policy-allow
    match:
      when: "!re2(call.tool, \\"^(web[.].*|file[.]read)$\\")"
    tier: deny
    because: "the tool policy does not allow it"
  - name: tool-policy-spelling
    match:
      when: "!re2(call.tool, \\"^[A-Za-z0-9_.:/-]+$\\") || re2(call.tool, \\"(?i)^(functions|function|default_api|default-api|tools|tool|copilot|container|multi_tool_use)[.:/]\\")"
    tier: deny
    because: "the tool policy does not allow it"
  - name: tool-policy-closed
    match:
      tool: [file.edit, file.patch, file.write, process.kill, process.start, shell.exec, "tool:shell.run", browser.click, "tool:browser.eval", browser.type, cron.create, cron.delete, "tool:media.send", "tool:memory.write", "tool:agent.delegate", "tool:message.send", "tool:sessions.delete"]
    tier: deny
    because: "the tool policy does not allow it"
  - name: immutable-1
    match:
      tool: [shell.exec]
    tier: deny
    because: never
    firm: true
  - name: immutable-1-commands
    match:
      command: "*"
    tier: deny
    because: never
    firm: true
`,
      notCarriedOver: expect.any(Array),
    });
  });

  test("a tool that is not allowed is denied, a denied tool stays denied, and a confirm hook never allows a denied tool", () => {
    const tier = deciding("flynn", {
      hooks: { confirm: ["file.write"] },
      agents: { autonomy_level: "autonomous" },
      tool_policy: { allow: ["file.write", "read_file"], deny: ["file.patch"] },
    });
    expect([
      tier("file.write", write),
      tier("read_file", { path: "a" }),
      tier("file.edit", write),
      tier("file.patch", write),
      tier("shell.exec", { command: "ls" }),
    ]).toEqual(["ask", "auto", "deny", "deny", "deny"]);
  });

  test("a level or a hook that confirms shell.exec makes every command ask", () => {
    const level = deciding("flynn", {});
    const hook = deciding("flynn", { agents: { autonomy_level: "autonomous" }, hooks: { confirm: ["shell.*"] } });
    for (const tier of [level, hook]) {
      expect([tier("exec", { argv: ["rm", "-rf", "build"] }), tier("Bash", { command: "ls" })]).toEqual(["ask", "ask"]);
    }
    expect([level("Write", { file_path: "a.ts" }), hook("Write", { file_path: "a.ts" })]).toEqual(["ask", "auto"]);
  });

  test("a misspelled tool name is an error, and so is a profile together with a list of allowed tools", () => {
    expect(faultsOf("flynn", { hooks: { confirm: ["file.wrte"] } })).toEqual([
      expect.stringMatching(/`file\.wrte` is not a known tool; did you mean `file\.write`\?/),
    ]);
    expect(faultsOf("flynn", { tool_policy: { profile: "coding", allow: ["file.read"] } })).toEqual([
      expect.stringMatching(/the file does not say which tools are in the profile `coding`; remove `profile`/),
    ]);
  });

  test("a word or a group that the file does not define is an error", () => {
    expect(
      faultsOf("flynn", "agents: { autonomy_level: standart }\nhooks: { confirm: ['group:fs'] }\nhoks: {}"),
    ).toEqual([
      expect.stringMatching(/^given\.json:3:1: unknown key `hoks`, which is almost `hooks`/),
      expect.stringMatching(
        /^given\.json:1:27: expected an autonomy level, found `standart`; did you mean `standard`\?/,
      ),
      expect.stringMatching(/^given\.json:2:20: the file does not say which tools are in `group:fs`; list the tools/),
    ]);
  });
});
