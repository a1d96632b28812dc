import { expect, test } from "vitest";
import type { ToolCall } from "../../src/core/call.ts";
import { classify, namedPaths, namedSettings } from "../../src/core/classify/classify.ts";
import { NOTHING_DECLARED } from "../../src/core/classify/known-tool.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import { plainSettings } from "../../src/core/classify/settings.ts";
import { compilePolicy } from "../../src/core/decide/compile.ts";
import { decide } from "../../src/core/decide/decide.ts";
import { covers } from "../../src/core/decide/grants.ts";
import type { Standing } from "../../src/core/decide/standing.ts";
import { suggestGrants } from "../../src/core/decide/suggest/suggest.ts";
import { type Effect, LEVELS, type Level, levelSatisfies, type Part, type Target } from "../../src/core/effect.ts";
import type { Grant, GrantCover, GrantPattern } from "../../src/core/standing/grant.ts";
import type { JsonObject } from "../../src/core/values/json.ts";
import { plainPaths, policyFrom } from "../../src/testing.ts";

// Rows of agent-core's table about targets, levels, suggestions and effects.

const NOW = 1_000_000;
const PROJECT = "/project";

function callOf(tool: string, args: JsonObject = {}, over: Partial<ToolCall> = {}): ToolCall {
  return {
    workspace: "default",
    agent: "coder",
    tool,
    args,
    cwd: PROJECT,
    callId: "tool-1",
    session: "s1",
    traceId: "t",
    chain: [],
    claims: {},
    ...over,
  };
}

function effectOf(call: ToolCall): Effect {
  const reading = readCall(call);
  const facts = plainPaths([PROJECT, ...namedPaths(reading)], PROJECT);
  const settings = plainSettings(namedSettings(reading, PROJECT));
  return classify(reading, { declared: NOTHING_DECLARED, project: PROJECT, facts: { ...facts, settings } });
}

function grantOf(cover: Partial<GrantCover>, over: Partial<Grant> = {}): Grant {
  return {
    id: "grt_1",
    workspace: "default",
    subject: { agent: "coder" },
    covers: { targets: [], level: "admin", ...cover },
    tier: "auto",
    grantedBy: { person: "ana" },
    because: "",
    createdMs: 0,
    untilMs: NOW + 1,
    state: "live",
    ...over,
  } as Grant;
}

/** Which calls of a tool a pattern covers. */
function passing(pattern: GrantPattern, tool: string, args: readonly JsonObject[], level: Level = "admin"): boolean[] {
  const grant = grantOf({ targets: [pattern], level });
  return args.map((given) => {
    const call = callOf(tool, given);
    return covers(grant, call, effectOf(call), NOW);
  });
}

/** A command that a complete table of programs would have understood. */
function understood(...commands: string[]): Effect {
  const parts = commands.map(
    (text): Part => ({
      class: "process.exec",
      capability: "process.exec",
      level: "execute",
      targets: [{ kind: "command", words: text.split(" "), cwd: PROJECT, env: [], level: "execute" }],
      reversible: false,
      reach: "host",
    }),
  );
  return { parts: parts as [Part, ...Part[]], understood: "fully", notes: [] };
}

const read = (path: string) => ({ path });

test("A1: a grant of /project/src that is not recursive covers itself and src/main.rs, not src/utils/mod.rs", () => {
  const pattern: GrantPattern = { kind: "path", path: "/project/src", recursive: false };
  const paths = ["/project/src", "/project/src/main.rs", "/project/src/utils/mod.rs"];
  expect(passing(pattern, "read_file", paths.map(read))).toEqual([true, true, false]);
});

test("A2: a recursive grant covers nested files in every spelling, and no neighbouring folder", () => {
  const pattern: GrantPattern = { kind: "path", path: "/project/src", recursive: true };
  const inside = ["/project/src/utils/mod.rs", "src/a/b/c.rs", "/project/src/./x/../y.rs"];
  const outside = [
    "/project/tests/a.rs",
    "/project/Cargo.toml",
    "/etc/passwd",
    "/project/src/../secrets/key.txt",
    "/project/src-backup/a.rs",
    "/project/srcrc/a.rs",
    "/project/src_old/a.rs",
  ];
  expect(passing(pattern, "read_file", inside.map(read))).toEqual(inside.map(() => true));
  expect(passing(pattern, "read_file", outside.map(read))).toEqual(outside.map(() => false));
});

test("A3: api.github.com covers one host, *.github.com the domain with its subdomains, and * every host", () => {
  const urls = ["https://api.github.com/x", "https://github.com", "https://evil.com"].map((url) => ({ url }));
  const by = (pattern: string) => passing({ kind: "domain", pattern }, "web_fetch", urls);
  expect([by("api.github.com"), by("*.github.com"), by("*")]).toEqual([
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ]);
});

test("A4: `git status` covers only itself, `git *` every git command and `git` alone, `git` not `git status`, and `*` everything", () => {
  const commands = ["git status", "git push origin main", "git", "rm -rf /"];
  const by = (text: string) => {
    const grant = grantOf({ targets: [{ kind: "command", words: text.split(" "), cwd: PROJECT }] });
    return commands.map((command) => covers(grant, callOf("shell", { command }), understood(command), NOW));
  };
  expect([by("git status"), by("git *"), by("git"), by("*")]).toEqual([
    [true, false, false, false],
    [true, true, true, false],
    [false, false, true, false],
    [true, true, true, true],
  ]);
});

test("A5: a grant of switch_aws_account covers only this tool, no other tool and no command of that name", () => {
  const grant = grantOf({ tool: { name: "switch_aws_account" } });
  const of = (call: ToolCall, effect = effectOf(call)) => covers(grant, call, effect, NOW);
  expect(of(callOf("switch_aws_account", { to: "dev" }))).toBe(true);
  expect(of(callOf("switch_gcp_account", { to: "dev" }))).toBe(false);
  expect(of(callOf("shell", { command: "switch_aws_account" }), understood("switch_aws_account"))).toBe(false);
});

test("A6: a grant covers only targets of its own kind", () => {
  const patterns: GrantPattern[] = [
    { kind: "path", path: "/", recursive: true },
    { kind: "domain", pattern: "*" },
    { kind: "command", words: ["*"], cwd: PROJECT },
    { kind: "tool", tool: "x" },
  ];
  const targets: Target[] = [
    { kind: "path", path: "/x", level: "read", recursive: false },
    { kind: "domain", domain: "x", level: "read" },
    { kind: "command", words: ["x"], cwd: PROJECT, env: [], level: "read" },
    { kind: "tool", tool: "x", level: "read" },
  ];
  const [part] = understood("x").parts;
  const covered = (pattern: GrantPattern, target: Target) =>
    covers(
      grantOf({ targets: [pattern] }),
      callOf("x"),
      { ...understood("x"), parts: [{ ...part, targets: [target] }] },
      NOW,
    );
  const table = patterns.map((pattern) => targets.map((target) => covered(pattern, target)));
  expect(table).toEqual(patterns.map((_, i) => targets.map((_, j) => i === j)));
});

test("A7: a write grant covers a read, a read grant covers no write, and an admin grant covers everything", () => {
  const pattern: GrantPattern = { kind: "path", path: PROJECT, recursive: true };
  const level = (tool: string, held: Level) => passing(pattern, tool, [read("a")], held)[0];
  expect([level("read_file", "write"), level("write_file", "read"), level("delete_file", "write")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(["read_file", "write_file", "delete_file"].map((tool) => level(tool, "admin"))).toEqual([true, true, true]);
  expect(LEVELS.map((held) => LEVELS.filter((wanted) => levelSatisfies(held, wanted)).length)).toEqual([1, 2, 3, 4, 5]);
});

test("A8: a grant that expired a second ago covers nothing", () => {
  const call = callOf("read_file", { path: "a" });
  const at = (untilMs: number) => covers(grantOf({ class: "fs.read" }, { untilMs }), call, effectOf(call), NOW);
  expect([at(NOW - 1_000), at(NOW), at(NOW + 1)]).toEqual([false, false, true]);
});

test("A16: a call that is both covered and denied is denied", () => {
  const policy = policyFrom(
    "version: 1\ntier: ask\nrules:\n  - { name: no-secrets, match: { path: 'secrets/**' }, tier: deny, because: no, examples: { match: [{ tool: read_file, args: { path: secrets/a } }], miss: [{ tool: read_file, args: { path: src/a } }] } }\n",
  );
  const call = callOf("read_files", { paths: ["src/a", "secrets/b"] });
  const standing: Standing = {
    layers: [compilePolicy(policy)],
    scopes: [],
    policyVersion: policy.version,
    pauses: [],
    pausesFresh: true,
    promotions: [],
    grants: [{ grant: grantOf({ class: "fs.read" }), usesLeft: 1 }],
    used: () => 0,
    canAsk: true,
    quarantined: false,
  };
  const tiers = [callOf("read_file", { path: "src/a" }), call].map(
    (one) => decide(one, effectOf(one), standing, NOW).tier,
  );
  expect(tiers).toEqual(["auto", "deny"]);
});

test("A17: two reads in one folder suggest the folder, a read and a write the higher level, a path and a command both, and two git commands `git *`", () => {
  const reads = callOf("read_files", { paths: ["src/a.ts", "src/b.ts"] });
  expect(suggestGrants(reads, effectOf(reads), PROJECT).drafts.at(-1)?.covers).toEqual({
    class: "fs.read",
    targets: [{ kind: "path", path: "/project/src", recursive: true }],
    level: "read",
  });
  const copy = callOf("copy_file", { source: "src/a.ts", destination: "src/b.ts" });
  expect(suggestGrants(copy, effectOf(copy), PROJECT).drafts.at(-1)?.covers).toEqual({
    class: "fs.copy",
    targets: [{ kind: "path", path: "/project/src", recursive: true }],
    level: "write",
  });
  const git = (command: string) => effectOf(callOf("Bash", { command }));
  const both: Effect = { ...git("git status"), parts: [...effectOf(reads).parts, ...git("git status").parts] };
  expect(suggestGrants(reads, both, PROJECT).drafts.at(-1)?.covers.targets).toEqual([
    { kind: "path", path: "/project/src", recursive: true },
    { kind: "command", words: ["git", "*"], cwd: PROJECT },
  ]);
  const two = suggestGrants(callOf("Bash"), git("git status; git log -1"), PROJECT).drafts;
  expect(two.at(-1)?.covers.targets).toEqual([{ kind: "command", words: ["git", "*"], cwd: PROJECT }]);
});

test("A19: a command is execute, `ls -la` is read, and `sudo` and `rm -rf` are admin anywhere in the command", () => {
  const level = (command: string) =>
    effectOf(callOf("Bash", { command })).parts.reduce<Level>(
      (held, part) => (levelSatisfies(held, part.level) ? held : part.level),
      "none",
    );
  const commands = ["cargo build", "sudo make install", "rm -rf /tmp/foo", "ls; rm -rf /tmp/foo", "echo $(sudo id)"];
  expect(commands.map(level)).toEqual(["execute", "admin", "admin", "admin", "admin"]);
  expect(level("ls -la")).toBe("read");
});

test("A20: an edit of two files is one call with two targets, and each is judged", () => {
  const call = callOf("file.edit", { edits: [{ path: "src/a.ts" }, { path: "lib/b.ts" }] });
  const only: GrantPattern = { kind: "path", path: "/project/src", recursive: true };
  expect(effectOf(call).parts[0].targets.length).toBe(2);
  expect(covers(grantOf({ targets: [only] }), call, effectOf(call), NOW)).toBe(false);
});

test("A22: a tool that nobody knows is unknown and not understood", () => {
  const effect = effectOf(callOf("no_such_tool"));
  expect([effect.parts[0].class, effect.understood]).toEqual(["unknown", "not"]);
});

test("a grant for `git *` covers no compound command, substitution, other folder or added variable", () => {
  const grant = grantOf({ targets: [{ kind: "command", words: ["git", "*"], cwd: PROJECT }] });
  const calls = [
    callOf("shell", { command: "git status && rm -rf x" }),
    callOf("shell", { command: "git status; rm -rf x" }),
    callOf("shell", { command: "git status | sh" }),
    callOf("shell", { command: "git $(rm -rf x)" }),
    callOf("shell", { command: "git status\nrm -rf x" }),
    callOf("shell", { command: "cd /tmp && git status" }),
    callOf("shell", { command: "GIT_SSH_COMMAND=x git fetch" }),
    callOf("shell", { command: "git status", env: { GIT_SSH_COMMAND: "x" } }),
    callOf("shell", { command: "git status", workdir: "/tmp" }),
    callOf("shell", { command: "git status" }, { cwd: "/tmp" }),
  ];
  expect(calls.filter((call) => covers(grant, call, effectOf(call), NOW))).toEqual([]);
  // Not only because it is not understood: its targets are different from the grant's.
  const trusted = calls.map((call) => covers(grant, call, { ...effectOf(call), understood: "fully" }, NOW));
  expect(trusted).toEqual(calls.map(() => false));
});

test("paths and domains are covered in every spelling", () => {
  const src: GrantPattern = { kind: "path", path: "/project/src", recursive: true };
  const spellings = ["./src/a", "src//a", "src/../src/a", "/project/./src/a", "file:///project/src/a"];
  expect(passing(src, "read_file", spellings.map(read))).toEqual(spellings.map(() => true));
  const urls = ["https://API.GITHUB.com./x", "api.github.com/x", "https://api.github.com:443"].map((url) => ({ url }));
  expect(passing({ kind: "domain", pattern: "api.github.com" }, "web_fetch", urls)).toEqual([true, true, true]);
});
