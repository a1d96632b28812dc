import { expect, test } from "vitest";
import { faultsOf, imported } from "../../test/seeds/importing.ts";

test("Claude Code: rules by command, path and domain become rules, and the rest is reported", () => {
  const given = {
    permissions: {
      allow: ["Bash(npm run test:*)", "Edit(docs/**)", "Write(src/**)", "WebFetch(domain:example.com)"],
      deny: ["Bash(git push:*)"],
      defaultMode: "bypassPermissions",
    },
    model: "opus",
  };
  expect(imported("claude-code", given)).toEqual({
    ok: true,
    yaml: `# imported from claude-code
# not converted: allow Write(src/**): Claude Code reads paths only in rules for Read and Edit; write Edit(src/**) there
# not converted: defaultMode bypassPermissions is never converted: what no rule allows asks
# not converted: Claude Code ran commands that only read without asking; here a command asks unless a rule allows it
# not converted: patterns without a leading slash began at the folder where Claude Code was started; here they begin at the folder of the policy
# not converted: settings that are not permissions: model
version: 1
tier: ask
rules:
  - name: "deny Bash(git push:*)"
    because: "Claude Code denied Bash(git push:*)"
    match:
      command: "git push *"
    tier: deny
  - name: "allow Bash(npm run test:*)"
    because: "Claude Code allowed Bash(npm run test:*)"
    match:
      tool: [Bash]
      when: "re2(call.args.command, \\"^npm run test( .*)?$\\") && !re2(call.args.command, \\"[^ -[^-~]|[$&();<>\`|]\\") && effect.understood == \\"fully\\""
    tier: auto
  - name: "allow Edit(docs/**)"
    because: "Claude Code allowed Edit(docs/**)"
    match:
      tool: [Edit, Write, MultiEdit, NotebookEdit]
      path: ["docs/**/*"]
      class: [fs.write, fs.mkdir]
    tier: auto
  - name: "allow WebFetch(domain:example.com)"
    because: "Claude Code allowed WebFetch(domain:example.com)"
    match:
      tool: [WebFetch]
      domain: [example.com]
    tier: auto
  - name: allowed-chains
    match:
      tool: [Bash]
      when: "re2(call.args.command, \\"^((npm run test( [^&;|'\\\\\\"]*)?)( *(&&|[|][|]?|;) *|$))+$\\") && !re2(call.args.command, \\"[^ -[^-~]|[$()<>\`]\\") && effect.understood == \\"fully\\""
    tier: auto
    because: "Claude Code allowed each of these commands"
  - name: reads-project
    because: "Claude Code did not ask before reading files of the project"
    match:
      tool: [Read, NotebookRead, Grep, Glob, LS]
      path: ["**"]
      class: [fs.read]
    tier: auto
  - name: own-lists
    because: "Claude Code did not ask before changing the agent's own lists"
    match:
      tool: [TodoWrite, TodoRead, TaskCreate, TaskGet, TaskList, TaskUpdate, TaskOutput, BashOutput]
    tier: auto
  - name: protected-by-claude-code
    match:
      path: ["**/.git/**", "**/.claude/**", "**/.vscode/**", "**/.idea/**", "**/.husky/**", "**/.cargo/**", "**/.devcontainer/**", "**/.yarn/**", "**/.mvn/**", "**/.gitconfig", "**/.gitmodules", "**/.bashrc", "**/.bash_profile", "**/.zshrc", "**/.zprofile", "**/.profile", "**/.ripgreprc", "**/.mcp.json", "**/.claude.json", "**/.npmrc", "**/.yarnrc", "**/.yarnrc.yml", "**/bunfig.toml"]
      class: [fs.write, fs.mkdir, fs.copy, fs.move, fs.delete, deploy.write, permissions.change, schedule.write, agent_state.write]
    tier: ask
    because: "Claude Code asked before changing its own files, those of git and of the shell"
`,
    notCarriedOver: [
      "allow Write(src/**): Claude Code reads paths only in rules for Read and Edit; write Edit(src/**) there",
      "defaultMode bypassPermissions is never converted: what no rule allows asks",
      "Claude Code ran commands that only read without asking; here a command asks unless a rule allows it",
      "patterns without a leading slash began at the folder where Claude Code was started; here they begin at the folder of the policy",
      "settings that are not permissions: model",
    ],
  });
});

test("opencode: the general line becomes a row, and the lines after it become rules", () => {
  const given = { permission: { bash: { "*": "ask", "git status *": "allow" }, edit: "deny" } };
  expect(imported("opencode", given)).toEqual({
    ok: true,
    yaml: `# imported from opencode
# not converted: in opencode the last line that matches decided; in Leeway the strictest rule does, so an exception from a question or a denial may still ask
# not converted: opencode ran everything that the file does not name; here the preset standard decides about it
version: 1
preset: standard
tiers:
  bash: ask
  edit: deny
  write: deny
  multiedit: deny
  patch: deny
  apply_patch: deny
  fs.write: deny
  fs.mkdir: deny
  fs.copy: deny
  fs.move: deny
  fs.delete: deny
  deploy.write: deny
  permissions.change: deny
  schedule.write: deny
  agent_state.write: deny
rules:
  - name: "bash git status *: allow"
    because: "opencode had allow for bash git status *"
    match:
      tool: [bash]
      when: "re2(call.args.command, \\"^git status( .*)?$\\") && !re2(call.args.command, \\"[^ -[^-~]|[$&();<>\`|]\\") && effect.understood == \\"fully\\""
    tier: auto
  - name: allowed-chains
    match:
      tool: [bash]
      when: "re2(call.args.command, \\"^((git status( [^&;|'\\\\\\"]*)?)( *(&&|[|][|]?|;) *|$))+$\\") && !re2(call.args.command, \\"[^ -[^-~]|[$()<>\`]\\") && effect.understood == \\"fully\\""
    tier: auto
    because: "opencode allowed each of these commands"
  - name: outside-the-project
    because: "opencode had its own permission for files outside the project"
    match:
      reach: [host]
      class: [fs.read, secrets.read, fs.write, fs.mkdir, fs.copy, fs.move, fs.delete, deploy.write, permissions.change, schedule.write, agent_state.write]
    tier: ask
  - name: dotenv
    match:
      path: ["**/*.env", "**/*.env.*"]
      class: [fs.read, secrets.read]
    tier: ask
    because: "opencode asks before reading .env files"
`,
    notCarriedOver: [
      "in opencode the last line that matches decided; in Leeway the strictest rule does, so an exception from a question or a denial may still ask",
      "opencode ran everything that the file does not name; here the preset standard decides about it",
    ],
  });
});

test("an unknown word is an error with its place and the nearest word", () => {
  expect(faultsOf("claude-code", { permissions: { deny: ["Bsh(rm:*)"] } })).toEqual([
    "given.json:1:25: `Bsh(rm:*)` is not a rule of that system; did you mean `Bash`? write the name of a tool, or the name and a pattern in round brackets, like `Bash(npm test)`",
  ]);
  expect(faultsOf("opencode", { permisson: {} })).toEqual([
    "given.json:1:2: unknown key `permisson`, which is almost `permission`; write `permission`, or remove the key if you meant something else",
  ]);
});
