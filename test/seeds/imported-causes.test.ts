import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/values/json.ts";
import { deciding, faultsOf, imported } from "./importing.ts";

// Cases in which an import once allowed what the other system refused or asked about.

const AUTONOMOUS = { autonomy_level: "autonomous" };
const mayRun = (tier: string) => tier === "auto" || tier === "notify";
const notesOf = (from: string, given: unknown) => {
  const made = imported(from, given);
  return made.ok ? made.notCarriedOver : [];
};

/** The calls that would run. */
function running(tier: (tool: string, args: JsonObject) => string, calls: readonly [string, JsonObject][]) {
  return calls.filter(([tool, args]) => mayRun(tier(tool, args)));
}

describe("a command without a program", () => {
  const TEXTS = [
    ...["> src/b.txt", "&> f", ">> Makefile", "> ~/.bashrc", "< .env", "X=1 > f", "{ > src/b.txt; }", "x=$(<.env)"],
    ...[
      "for i in a; do > f; done",
      "[[ -f x ]] > src/b.txt",
      "case x in esac > f",
      "(( x = 1 )) > f",
      "X=1",
      "[[ a ]]",
    ],
    ...["", "# nothing", "(( x = 1 ))", "> src/*"],
  ];
  const calls = TEXTS.map((command): [string, JsonObject] => ["Bash", { command }]);

  test.each([
    ["harn", { tier: "act_auto", action_tiers: { "process.exec": "act_with_approval" } }],
    ["harn", { tier: "act_auto", requires_human_actions: ["process.exec"] }],
    ["clawith", { execute_code: "L3", write_workspace_files: "L1", delete_files: "L1", read_files: "L1" }],
    ["flynn", { agents: AUTONOMOUS, hooks: { confirm: ["shell.exec"] } }],
    ["flynn", { agents: AUTONOMOUS, tool_policy: { deny: ["shell.exec"] } }],
    ["flynn", { agents: AUTONOMOUS, immutable_denylist: [{ tool: "shell.exec", reason: "no" }] }],
    ["flynn", {}],
  ])("after importing %s, is subject to the rules for every command: %j", (from, given) => {
    const tier = deciding(from, given);
    expect(running((tool, args) => tier(tool, args).replace("auto + human", "ask"), calls)).toEqual([]);
  });
});

describe("a write or a read whose path gives it another class", () => {
  const PATHS = ["leeway.yaml", "Makefile", ".git/hooks/pre-commit", "/root/.ssh/authorized_keys", "/etc/cron.d/x"];
  const writes = PATHS.flatMap((path): [string, JsonObject][] => [
    ["Write", { file_path: path, content: "x" }],
    ["Edit", { file_path: path, old_string: "a", new_string: "b" }],
    ["apply_patch", { input: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch` }],
    ["Bash", { command: `echo x > ${path}` }],
  ]);
  const others = PATHS.flatMap((path): [string, JsonObject][] => [
    ["remove_file", { path }],
    ["create_directory", { path }],
  ]);

  test.each([
    ["harn", { tier: "act_auto", action_tiers: { "fs.write": "shadow" } }, writes],
    ["harn", { tier: "act_auto", agent_action_tiers: { coder: { "fs.write": "suggest" } } }, writes],
    ["harn", { tier: "act_auto", action_tiers: { "fs.delete": "shadow", "fs.mkdir": "suggest" } }, others],
    ["clawith", { write_workspace_files: "L3", delete_files: "L3" }, [...writes, ...others]],
    ["clawith", { read_files: "L3" }, [["Read", { file_path: ".env" }]] as [string, JsonObject][]],
    ["flynn", {}, writes],
    ["flynn", { agents: { autonomy_level: "conservative" } }, writes],
  ])("after importing %s, does not run either: %j", (from, given, calls) => {
    expect(running(deciding(from, given), calls)).toEqual([]);
  });

  test("needs a person if harn marked writing files", () => {
    const tier = deciding("harn", { tier: "act_auto", requires_human_actions: ["fs.write"] });
    expect(writes.map(([tool, args]) => tier(tool, args)).filter((one) => !one.endsWith("+ human"))).toEqual([]);
  });

  test("runs for an agent that harn allowed to write", () => {
    const given = { tier: "act_auto", action_tiers: { "fs.write": "shadow" } };
    const own = deciding("harn", { ...given, agent_action_tiers: { coder: { "fs.write": "act_auto" } } });
    expect(own("Write", { file_path: "Makefile", content: "x" })).toBe("auto");
    expect(own("Write", { file_path: "Makefile", content: "x" }, "intern")).toBe("shadow");
  });
});

describe("agent-core", () => {
  const grant = (target: JsonObject, level: string): JsonObject => ({ target, level });
  const command = (pattern: string) => grant({ type: "command", pattern }, "Execute");
  const path = (of: string) => grant({ type: "path", path: of, recursive: true }, "Admin");
  const commands = (texts: readonly string[]) => texts.map((text): [string, JsonObject] => ["Bash", { command: text }]);

  test("commands that agent-core's bash never ran are denied under every policy", () => {
    const blocked = [
      ...["rm -rf /", "rm -fr /", "rm -r -f /*", "sudo rm -rf /", "rm -rf src /", "mkfs /dev/sda1", "dd if=a of=b"],
      ...["mkfs.ext4 /dev/sda1", "dd if=/dev/zero of=/dev/sda", "/sbin/mkfs.ext4 /dev/sda1"],
    ];
    for (const given of [
      { policy: "AutoApprove" },
      { policy: "Interactive", grants: [command("*"), path("/")] },
      { policy: "DenyAll" },
    ]) {
      const tier = deciding("agent-core", given);
      expect(commands(blocked).map(([tool, args]) => tier(tool, args))).toEqual(blocked.map(() => "deny"));
    }
    const tier = deciding("agent-core", { policy: "AutoApprove" });
    expect([tier("Bash", { command: "rm -rf build" }), tier("Bash", { command: "ls /" })]).toEqual(["auto", "auto"]);
    expect(notesOf("agent-core", { policy: "AutoApprove" }).join()).toContain("fork bomb");
  });

  test("a grant for a command covers only that text, also together with a grant for the folder", () => {
    const tier = deciding("agent-core", {
      policy: "DenyAll",
      grants: [command("date"), command("git status"), command("make *"), command("w"), path("/project")],
    });
    expect(
      running(
        tier,
        commands([
          ...["date > README.md", "date 2> src/a.ts", "> src/a.ts date", "date | date > src/a.ts", "date; date"],
          ...[
            "git status > src/a.ts",
            "git status &> README.md",
            "(git status)",
            "> o make all",
            "A=1 git status",
            "w > o",
          ],
        ]),
      ),
    ).toEqual([]);
    expect([
      tier("Bash", { command: "date" }),
      tier("exec", { argv: ["git", "status"] }),
      tier("Bash", { command: "git status" }),
      tier("Bash", { command: ["git", "status"] }),
      tier("Bash", { command: "make > o" }),
    ]).toEqual(["auto", "auto", "auto", "auto", "auto"]);
  });

  test("a pattern that does not have single spaces between words is left out, and this is reported", () => {
    for (const pattern of [" *", "\t *", "\u3000 *", "\u00a0 *", "ls  *", "ls ", " ls"]) {
      const given = { policy: "DenyAll", grants: [command(pattern)] };
      const tried = commands(["npm publish", "sudo reboot", "kill 1", "date", "ls"]);
      expect(running(deciding("agent-core", given), tried)).toEqual([]);
      expect(notesOf("agent-core", given)[0]).toContain("grant 1: ");
    }
  });
});

describe("flynn", () => {
  const rm = { command: "rm -rf src" };

  test("a pattern of allowed tools does not match a host's prefix before a name, nor another spelling of a tool", () => {
    const tried: [string, JsonObject][] = [
      ...["functions.shell_exec", "functions/shell_exec", "functions:shell_exec", "Functions.Bash", "functions.exec"],
      ...["default_api.shell_exec", "tools.shell_exec", "shell_exec", "`shell_exec`", "Bash"],
    ].map((tool) => [tool, rm]);
    tried.push(["functions.delete_file", { path: "a" }], ["functions.process_kill", { pid: 1 }]);
    for (const allow of [["f*"], ["d*"], ["*_*"], ["*_exec"], ["*.*_e*"], ["*a*"]])
      expect(running(deciding("flynn", { agents: AUTONOMOUS, tool_policy: { allow } }), tried)).toEqual([]);
  });

  test("a tool that a pattern allows runs", () => {
    const tier = deciding("flynn", { agents: AUTONOMOUS, tool_policy: { allow: ["shell.*", "file.read"] } });
    expect([tier("shell.exec", { command: "ls" }), tier("file.read", { path: "a" })]).toEqual(["auto", "auto"]);
    const server = deciding("flynn", { agents: AUTONOMOUS, tool_policy: { allow: ["mcp:filesystem:*"] } });
    expect([
      server("mcp__filesystem__read_file", { path: "a" }),
      server("mcp__github__create_issue"),
      server("shell.exec", { command: "ls" }),
    ]).toEqual(["auto", "deny", "deny"]);
  });

  test("a server, or a tool of a server, is denied and asked about under every spelling", () => {
    const tried: [string, JsonObject][] = [
      ["mcp__filesystem__read_file", { path: "README.md" }],
      ["filesystem/read_file", { path: "README.md" }],
      ["mcp_filesystem_read_file", { path: "README.md" }],
    ];
    for (const tool of ["mcp:filesystem:read_file", "mcp:filesystem:*", "mcp:filesystem.*", "mcp:filesystem/read_file"])
      for (const given of [
        { tool_policy: { deny: [tool] } },
        { hooks: { confirm: [tool] } },
        { immutable_denylist: [{ tool, reason: "no" }] },
      ])
        expect({ tool, given, runs: running(deciding("flynn", { agents: AUTONOMOUS, ...given }), tried) }).toEqual({
          tool,
          given,
          runs: [],
        });
    expect(faultsOf("flynn", { hooks: { confirm: ["mcp:filesystem"] } })).toEqual([
      expect.stringMatching(/`mcp:filesystem` does not say which tools.*write `mcp:filesystem:\*`/),
    ]);
  });

  test("a misspelled pattern is an error with the nearest word, and one that matches no known tool is reported", () => {
    for (const [pattern, meant] of Object.entries({
      "shel.*": "shell.*",
      "fiel.*": "file.*",
      "sehll*": "shell*",
      "*.exce": "*.exec",
      "shll.*": "shell.*",
    }))
      expect(faultsOf("flynn", { tool_policy: { deny: [pattern] } })).toEqual([
        expect.stringContaining(
          `\`${pattern}\` matches no tool that Leeway knows of that system; did you mean \`${meant}\`?`,
        ),
      ]);
    expect(notesOf("flynn", { hooks: { confirm: ["exec", "gmail.*"] } })).toEqual(
      expect.arrayContaining([
        expect.stringContaining("`exec` is not a known tool of Flynn"),
        expect.stringContaining("`gmail.*` is not a known tool of Flynn"),
      ]),
    );
  });

  test("a whole family of tools is matched by its effect, also if another tool or a command has this effect", () => {
    const files: [string, JsonObject][] = [
      ...["write_file", "Write", "create_file"].map((tool): [string, JsonObject] => [
        tool,
        { path: "q", content: "x" },
      ]),
      ["Read", { file_path: "q" }],
      ["delete_file", { path: "q" }],
      ["Write", { file_path: "Makefile", content: "x" }],
      ["Bash", { command: "touch q" }],
    ];
    const web: [string, JsonObject][] = [
      ["fetch_url", { url: "https://e.com" }],
      ["WebFetch", { url: "https://e.com", prompt: "x" }],
    ];
    for (const list of [["file.*"], ["file.read", "file.write", "file.edit", "file.patch"]]) {
      expect(running(deciding("flynn", { agents: AUTONOMOUS, tool_policy: { deny: list } }), files)).toEqual([]);
      expect(running(deciding("flynn", { agents: AUTONOMOUS, hooks: { confirm: list } }), files)).toEqual([]);
    }
    expect(running(deciding("flynn", { agents: AUTONOMOUS, hooks: { confirm: ["web.*"] } }), web)).toEqual([]);
    const denied = { agents: AUTONOMOUS, immutable_denylist: [{ tool: "web.*" }] };
    expect(running(deciding("flynn", denied), web)).toEqual([]);
    expect(notesOf("flynn", { agents: AUTONOMOUS, tool_policy: { deny: ["file.write"] } }).join()).toContain(
      "file.write: other tools with the same effect are not covered",
    );
  });

  test("names of tools that look like classes are accepted", () => {
    const names = [
      "process.list",
      "browser.screenshot",
      "git.status",
      "db.query",
      "fs.read",
      "none",
      "payments.refund",
    ];
    for (const given of [
      { tool_policy: { deny: names } },
      { tool_policy: { allow: names } },
      { hooks: { confirm: names, log: names, silent: names } },
      { immutable_denylist: names.map((tool) => ({ tool, reason: "" })) },
    ])
      expect(faultsOf("flynn", given)).toEqual([]);
    const tier = deciding("flynn", { agents: AUTONOMOUS, tool_policy: { deny: ["fs.read", "git.status"] } });
    expect([tier("fs.read", { path: "a" }), tier("git_status")]).toEqual(["deny", "deny"]);
  });

  test("a sensitive mode denies or asks about the dangerous tools and every command", () => {
    const args = { path: "a", content: "x", command: "ls" };
    const of = (sensitive_mode: string) => deciding("flynn", { agents: AUTONOMOUS, sensitive_mode });
    const tiers = (tier: ReturnType<typeof of>) =>
      ["shell.exec", "file.write", "Bash", "process.kill"].map((tool) => tier(tool, args));
    expect(tiers(of("deny_without_elevation"))).toEqual(["deny", "deny", "deny", "deny"]);
    expect(tiers(of("confirm_without_elevation"))).toEqual(["ask", "ask", "ask", "ask"]);
  });
});

describe("harn", () => {
  const write = { path: "src/a", content: "x" };

  test("an agent may have any name", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      const general = deciding("harn", `{"tier":"act_auto","agent_tiers":{"${name}":"shadow"}}`);
      const rows = deciding("harn", `{"tier":"act_auto","agent_action_tiers":{"${name}":{"fs.write":"shadow"}}}`);
      expect([general("write_file", write, name), rows("write_file", write, name)]).toEqual(["shadow", "shadow"]);
      expect([general("write_file", write), rows("write_file", write)]).toEqual(["auto", "auto"]);
    }
  });

  test("if the policy names its agent, rows of other agents are left out, and this is reported", () => {
    const given = {
      agent_id: "bob",
      tier: "act_auto",
      agent_tiers: { bob: "shadow", coder: "act_auto" },
      requires_human_agents: ["eve"],
    };
    const tier = deciding("harn", given);
    expect([
      tier("write_file", write),
      tier("Bash", { command: "rm -rf src" }),
      tier("delete_file", { path: "a" }),
      tier("write_file", write, "eve"),
    ]).toEqual(["shadow", "shadow", "shadow", "shadow"]);
    expect(notesOf("harn", given)).toEqual(
      expect.arrayContaining([expect.stringContaining("rows of coder, eve: every call under this policy was bob's")]),
    );
    const rows = { coder: { "fs.write": "act_auto" } };
    const own = deciding("harn", { agent_id: "bob", autonomy_tier: "shadow", agent_action_tiers: rows });
    expect(own("write_file", write)).toBe("shadow");
  });
});

describe("clawith", () => {
  test("the policy of a template is read like the policy of an agent", () => {
    const tier = deciding("clawith", { default_autonomy_policy: { delete_files: "L3" } });
    expect([tier("delete_file", { path: "a" }), tier("web_search", { query: "a" })]).toEqual(["ask", "notify"]);
  });

  test("a level that clawith does not know is refused there, and denied here", () => {
    const given = { delete_files: "L4", execute_code: "none", send_feishu_message: "l1", send_message_to_agent: "L1" };
    const tier = deciding("clawith", given);
    expect([
      tier("delete_file", { path: "a" }),
      tier("Bash", { command: "ls" }),
      tier("send_feishu_message", { text: "hi" }),
      tier("send_message_to_agent", { text: "hi" }),
    ]).toEqual(["deny", "deny", "deny", "auto"]);
    expect(notesOf("clawith", given)[0]).toBe(
      "unknown levels (delete_files: L4, execute_code: none, send_feishu_message: l1): Clawith refused such calls, so they are deny; for another tier write L1, L2 or L3",
    );
  });
});
