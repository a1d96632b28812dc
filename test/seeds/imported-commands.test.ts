import { expect, test } from "vitest";
import { deciding, faultsOf } from "./importing.ts";

// What one of their tools was refused or asked about, a command with the same effect must not do here.

const runs = (tier: string) => tier === "auto" || tier === "notify";

test("harn: a rule for a git builtin applies to the git command", () => {
  for (const [builtin, command] of Object.entries({
    "git.fetch": "git fetch origin",
    "git.push": "git push origin main",
    "git.rebase": "git rebase main",
    "git.worktree.create": "git worktree add ../a",
    "git.worktree.remove": "git worktree remove ../a",
  })) {
    for (const policy of [
      { autonomy_tier: "act_auto", action_tiers: { [builtin]: "act_with_approval" } },
      { autonomy_tier: "act_auto", action_tiers: { "git.write": "shadow" } },
      { autonomy_tier: "act_auto", requires_human_actions: [builtin] },
      { autonomy_tier: "act_auto", requires_human_actions: ["git.write"] },
      { autonomy_tier: "act_auto", agent_action_tiers: { coder: { [builtin]: "suggest" } } },
    ])
      expect({ policy, command, runs: runs(deciding("harn", policy)("Bash", { command })) }).toEqual({
        policy,
        command,
        runs: false,
      });
  }
  const other = deciding("harn", { autonomy_tier: "act_auto", action_tiers: { "git.push": "act_with_approval" } });
  expect(other("Bash", { command: "git status" })).toBe("auto");
});

test("harn: if every builtin of a class has a rule, commands of that class have it too", () => {
  const tries = { mkdir: "mkdir a", copy_file: "cp a b", move_file: "mv a b", delete_file: "rm a" };
  for (const [builtin, command] of Object.entries(tries)) {
    for (const policy of [
      { autonomy_tier: "act_auto", action_tiers: { [builtin]: "act_with_approval" } },
      { autonomy_tier: "act_auto", requires_human_actions: [builtin] },
    ])
      expect({ policy, runs: runs(deciding("harn", policy)("Bash", { command })) }).toEqual({ policy, runs: false });
  }
  const one = deciding("harn", { autonomy_tier: "act_auto", action_tiers: { append_file: "act_with_approval" } });
  expect(one("write_file", { path: "a", content: "b" })).toBe("auto");
});

test("clawith: writing files at L3 includes moving, copying and making folders", () => {
  const tier = deciding("clawith", { write_workspace_files: "L3", execute_code: "L1" });
  for (const command of ["mv a b", "cp a b", "mkdir a", "touch a"])
    expect({ command, tier: tier("Bash", { command }) }).toEqual({ command, tier: "ask" });
});

test("clawith: a policy may be under the name of the agent's field", () => {
  const bare = deciding("clawith", { delete_files: "L3" });
  const around = deciding("clawith", { autonomy_policy: { delete_files: "L3" } });
  expect([bare("delete_file", { path: "a" }), around("delete_file", { path: "a" })]).toEqual(["ask", "ask"]);
  expect(deciding("clawith", { autonomy_policy: null })("web_search", { query: "a" })).toBe("notify");
  expect(faultsOf("clawith", { autonomy_polcy: { delete_files: "L3" } }).join()).toContain(
    "did you mean `autonomy_policy`?",
  );
});

test("harn: without a general tier, a class that was only suggested stays so for a path with a special meaning", () => {
  const tier = deciding("harn", { action_tiers: { "fs.write": "suggest" } });
  expect(tier("write_file", { path: ".git/hooks/pre-commit", content: "x" })).toBe("suggest");
});
