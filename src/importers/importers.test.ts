import { describe, expect, test } from "vitest";
import { deciding, faultsOf, imported } from "../../test/seeds/importing.ts";

const write = { path: "src/a.ts", content: "" };

describe("harn", () => {
  const policy = {
    autonomy_tier: "act_with_approval",
    tier: "act_auto",
    action_tiers: { "fs.write": "shadow", mkdir: "suggest" },
    agent_tiers: { trusted: "act_auto" },
    agent_action_tiers: { trusted: { write_file: "act_with_approval" }, tester: { "fs.delete": "suggest" } },
    reviewers: ["ana"],
    requires_human_actions: ["delete_file", "fs.move"],
    requires_human_agents: ["intern-bot"],
  };

  test("every field is converted, and fields without an equivalent are reported", () => {
    expect(imported("harn", policy)).toEqual({
      ok: true,
      yaml: `# imported from harn
# not converted: a difference between exec, exec_at, shell and shell_at: commands take the strictest of their tiers
# not converted: in Harn tools outside its action table ran without a check; in Leeway an unknown tool asks
version: 1
tier: ask
tiers:
  fs.write: shadow
  write_file: shadow
  write_file_bytes: shadow
  append_file: shadow
  fs.mkdir: suggest
  mkdir: suggest
  deploy.write: shadow
  permissions.change: shadow
  schedule.write: shadow
agents:
  trusted:
    tier: auto
    tiers:
      write_file: ask
  tester:
    tiers:
      write_file: shadow
      write_file_bytes: shadow
      append_file: shadow
      fs.mkdir: suggest
      mkdir: suggest
      fs.delete: suggest
      delete_file: suggest
human:
  tools: [move_file, delete_file]
  classes: [fs.move, fs.delete, deploy.write, permissions.change, schedule.write]
  agents: [intern-bot]
reviewers: [ana]
rules:
  - name: commands
    match:
      command: "*"
      when: "!(call.agent in [\\"trusted\\"])"
    tier: ask
    because: "Harn had this tier for commands"
`,
      notCarriedOver: [
        "a difference between exec, exec_at, shell and shell_at: commands take the strictest of their tiers",
        "in Harn tools outside its action table ran without a check; in Leeway an unknown tool asks",
      ],
    });
  });

  test("decisions equal those of the source: by agent and tool, agent and class, agent, tool, class, and policy", () => {
    const tier = deciding("harn", policy);
    expect([
      tier("write_file", write, "trusted"),
      tier("mkdir", { path: "a" }, "trusted"),
      tier("write_file", write),
      tier("append_file", write),
      tier("mkdir", { path: "a" }),
      tier("copy_file", { source: "a", destination: "b" }),
      tier("delete_file", { path: "a" }, "tester"),
      tier("move_file", { source: "a", destination: "b" }),
      tier("mkdir", { path: "a" }, "intern-bot"),
    ]).toEqual([
      "ask",
      "auto",
      "shadow",
      "shadow",
      "suggest",
      "ask",
      "suggest + human",
      "ask + human",
      "suggest + human",
    ]);
  });

  test("a needs-human mark on everything is kept, and without a tier a person is asked", () => {
    expect(deciding("harn", { requires_human: true, tier: "act_auto" })("write_file", write)).toBe("auto + human");
    expect(deciding("harn", {})("write_file", write)).toBe("ask");
  });

  test("a setting for commands applies to every command, whichever tool runs it", () => {
    const human = deciding("harn", { autonomy_tier: "act_auto", requires_human_actions: ["process.exec"] });
    const shadow = deciding("harn", { autonomy_tier: "act_auto", action_tiers: { exec: "shadow" } });
    const argv = { argv: ["rm", "-rf", "build"] };
    expect([human("exec", argv), human("shell", { command: "ls" }), human("Bash", { command: "whoami" })]).toEqual([
      "auto + human",
      "auto + human",
      "auto + human",
    ]);
    expect([shadow("exec", argv), shadow("shell", { command: "ls" }), shadow("write_file", write)]).toEqual([
      "shadow",
      "shadow",
      "auto",
    ]);
  });

  test("an unknown action is an error that suggests the nearest word, in every place", () => {
    const given = {
      action_tiers: { "fs.wirte": "shadow" },
      agent_action_tiers: { a: { delete_fil: "shadow" } },
      requires_human_actions: ["proces.exec", "http_post"],
    };
    expect(faultsOf("harn", given).map((fault) => fault.replace(/use one of: .*/, "…"))).toEqual([
      "given.json:1:18: unknown action `fs.wirte`; did you mean `fs.write`? …",
      "given.json:1:66: unknown action `delete_fil`; did you mean `delete_file`? …",
      "given.json:1:116: unknown action `proces.exec`; did you mean `process.exec`? …",
      "given.json:1:130: unknown action `http_post`; …",
    ]);
  });

  test("an unknown field or tier is an error, although the source system ignores unknown fields", () => {
    expect(faultsOf("harn", { autonomy_teir: "act_auto", agent_tiers: { a: "auto" } })).toEqual([
      expect.stringMatching(/^given\.json:1:2: unknown key `autonomy_teir`; did you mean `autonomy_tier`\?/),
      expect.stringMatching(/^given\.json:1:\d+: `.*` is not a tier of that system; use one of: act_auto/),
    ]);
  });
});

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
      expect.stringMatching(
        /^given\.json:1:27: expected an autonomy level, found `standart`; did you mean `standard`\?/,
      ),
      expect.stringMatching(/^given\.json:2:20: the file does not say which tools are in `group:fs`; list the tools/),
      expect.stringMatching(/^given\.json:3:1: unknown key `hoks`; did you mean `hooks`\?/),
    ]);
  });
});

describe("agent-core", () => {
  const given = {
    policy: "DenyAll",
    reason: "Sandbox mode",
    grants: [
      { target: { type: "path", path: "/project/src", recursive: true }, level: "Write" },
      { target: { type: "path", path: "docs/", recursive: false }, level: "Read" },
      { target: { type: "domain", pattern: "*.github.com" }, level: "Read" },
      { target: { type: "command", pattern: "git *" }, level: "Execute" },
      { target: { type: "tool", tool_name: "web_search" }, level: "Admin" },
      { target: { type: "path", path: "/tmp/*", recursive: false }, level: "Read" },
      { target: { type: "tool", tool_name: "x" }, level: "None" },
      { target: { type: "tool", tool_name: "x" }, level: "Read", expires: "2026-01-01T00:00:00Z" },
    ],
  };

  test("grants become rules before the policy, and grants that cannot be kept exactly are left out and reported", () => {
    expect(imported("agent-core", given)).toEqual({
      ok: true,
      yaml: expect.stringContaining(`version: 1
tier: deny
rules:
  - name: grant-1
    match:
      path: ["/project/src", "/project/src/**"]
      class: [fs.read, fs.write, fs.mkdir, fs.copy, fs.move]
    tier: auto
    because: "granted in agent-core at level Write"
  - name: grant-2
    match:
      path: [docs, "docs/*"]
      class: [fs.read]
    tier: auto
    because: "granted in agent-core at level Read"
  - name: grant-3
    match:
      domain: ["*.github.com"]
      method: [GET, HEAD, OPTIONS]
`),
      notCarriedOver: [
        "grant 6: `/tmp/*` would be read as a pattern",
        "grant 7: level None permits nothing",
        "grant 8: it expires (2026-01-01T00:00:00Z), but a rule does not; add it again with `leeway grants add`",
        "the text of a denial, `Sandbox mode`: a denial names its rule or row",
        "grants lasted one session in agent-core; as rules they apply until the file changes",
        "agent-core never ran a fork bomb, or a download that is piped into a shell; in Leeway such a command asks",
      ],
    });
  });

  test("decisions equal those of the source", () => {
    const tier = deciding("agent-core", given);
    expect([
      tier("write_file", { path: "/project/src/deep/a.ts", content: "" }),
      tier("write_file", { path: "/project/src-backup/a.ts", content: "" }),
      tier("delete_file", { path: "/project/src/a.ts" }),
      tier("read_file", { path: "docs/a.md" }),
      tier("read_file", { path: "docs/deep/a.md" }),
      tier("write_file", { path: "docs/a.md", content: "" }),
      tier("web_search", { query: "x" }),
      tier("mkdir", { path: "x" }),
    ]).toEqual(["auto", "deny", "deny", "auto", "deny", "deny", "auto", "deny"]);
    expect(deciding("agent-core", { policy: "Interactive" })("write_file", write)).toBe("ask");
    expect(deciding("agent-core", { policy: "AutoApprove" })("write_file", write)).toBe("auto");
  });

  test("a grant for files, or for a tool that takes commands, covers no command", () => {
    const tier = deciding("agent-core", {
      policy: "Interactive",
      grants: [
        { target: { type: "path", path: "/project", recursive: true }, level: "Admin" },
        { target: { type: "tool", tool_name: "shell" }, level: "Admin" },
        { target: { type: "command", pattern: "whoami" }, level: "Execute" },
      ],
    });
    expect(
      ["rm -rf build", "whoami", "/usr/bin/whoami", "whoami; ls"].map((command) => tier("shell", { command })),
    ).toEqual(["ask", "auto", "ask", "ask"]);
  });

  test("unknown policies, kinds and levels are errors", () => {
    expect(
      faultsOf("agent-core", {
        policy: "AutoAprove",
        grants: [
          { target: { type: "paht", path: "/", recursive: true }, level: "Write" },
          { target: { type: "path", path: "/" }, level: "write" },
        ],
      }),
    ).toEqual([
      expect.stringMatching(/not a policy of that system; did you mean `AutoApprove`\?/),
      expect.stringMatching(/not a type of target of that system; did you mean `path`\?/),
      expect.stringMatching(/a path target needs the key `recursive`/),
      expect.stringMatching(/expected a level, found `write`; did you mean `Write`\?/),
    ]);
  });
});

describe("calls that the source system refused do not run here", () => {
  test("harn: a tier of the agent that the policy names applies to agents without rows", () => {
    const tier = deciding("harn", { agent_id: "bot", agent_tiers: { bot: "shadow" }, autonomy_tier: "act_auto" });
    expect([tier("write_file", write, "coder"), tier("mkdir", { path: "a" }, "bot")]).toEqual(["shadow", "shadow"]);
    const rows = { bot: { "fs.write": "suggest" } };
    const own = deciding("harn", {
      agent_id: "bot",
      agent_action_tiers: rows,
      action_tiers: { write_file: "act_auto" },
    });
    expect(own("write_file", write, "coder")).toBe("suggest");
  });

  test("harn: null in place of a table of tiers counts as an empty table", () => {
    expect(imported("harn", { tier: "shadow", agent_action_tiers: { coder: null } })).toMatchObject({ ok: true });
  });

  test("agent-core: a star in a tool's name stays a literal star, and covers no other tool", () => {
    const target = { type: "tool", tool_name: "*" };
    const made = imported("agent-core", { policy: "DenyAll", grants: [{ target, level: "Admin" }] });
    expect(made).toMatchObject({ ok: true, notCarriedOver: ["grant 1: `*` would be read as a pattern"] });
  });
});
