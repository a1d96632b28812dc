import { describe, expect, test } from "vitest";
import { deciding, faultsOf, imported } from "../../test/seeds/importing.ts";

const write = { path: "src/a.ts", content: "x" };

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

  test("a tier of the agent that the policy names applies to agents without rows", () => {
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

  test("null in place of a table of tiers is an error, because a row may be missing there", () => {
    expect(faultsOf("harn", { tier: "act_auto", action_tiers: null })).toEqual([
      expect.stringMatching(/^given\.json:1:35: expected a table of tiers, found nothing/),
    ]);
    expect(faultsOf("harn", { tier: "act_auto", agent_action_tiers: { coder: null } })).toHaveLength(1);
  });
});
