import { expect, test } from "vitest";
import { commandCall, knowing, tryingCall } from "../../../test/cases/trying.ts";
import type { ToolCall } from "../call.ts";
import { classify } from "../classify/classify.ts";
import { readCall } from "../classify/reading.ts";
import { emptyPolicy, type Policy, type Rule } from "../policy.ts";
import type { Tier } from "../tier.ts";
import { sha256 } from "../values/hash.ts";
import type { JsonObject } from "../values/json.ts";
import { compilePolicy } from "./compile.ts";
import { decide } from "./decide.ts";
import { sentencesOf } from "./explain.ts";
import { bareStanding } from "./standing.ts";

const at = { file: "leeway.yaml", line: 1, column: 1 };
const version = sha256("unread");
const PROJECT = "/home/ana/project";

function rule(match: Rule["match"]): Rule {
  const examples = { match: [], miss: [] };
  return { name: "no", match, tier: "deny", because: "never", examples, human: false, firm: false, reviewers: [], at };
}

const STANDARD = { preset: { name: "standard", at } } as const;

function decided(call: ToolCall, policy: Partial<Policy>): { tier: Tier; said: readonly string[] } {
  const standing = bareStanding(
    [compilePolicy({ ...emptyPolicy("leeway.yaml", version), ...STANDARD, ...policy })],
    version,
  );
  const { tier, causes } = decide(call, classify(readCall(call), knowing(call)), standing, 0);
  return { tier, said: sentencesOf(causes) };
}

const nested = (depth: number, inner: string) => "echo ".concat("$(".repeat(depth), inner, ")".repeat(depth));
const shells = (depth: number, inner: string): string =>
  depth === 0 ? inner : `bash -c ${JSON.stringify(shells(depth - 1, inner)).replaceAll("$", "\\$")}`;
const loops = (count: number, body: string) =>
  Array.from({ length: count }, (_, i) => `for v${i} in a b c d e f g h; do `).join("") + body + " done;".repeat(count);

/** Every way to hide `rm x` behind a limit of what is parsed. */
const PADDED: Readonly<Record<string, string>> = {
  "substitutions within substitutions": nested(41, "rm x"),
  "many more of them": nested(300, "rm x"),
  "shells within shells": shells(10, "rm x"),
  "more letters than are read": `echo ${"a".repeat(17_000)}; rm x`,
  "letters behind it": `rm x; : ${"a".repeat(17_000)}`,
  "more braces than are read": `echo ${"{".repeat(1_001)}; rm x`,
  "more steps than are spent": `X=rm; ${loops(6, "echo $v0 $v1 $v2;")} $X x`,
  "a value that is too long": `X='rm ${"x".repeat(1_100)}'; $X`,
  "more alternatives than are told apart": `{${Array.from({ length: 9 }, (_, i) => `a${i}`).join(",")}}{${Array.from({ length: 9 }, (_, i) => `b${i}`).join(",")}}; rm x`,
  "a loop of many words": `for c in ${Array.from({ length: 70 }, (_, i) => `p${i}`).join(" ")} rm; do $c x; done`,
  "expansions within expansions": `echo ${["$", "{a:-"].join("").repeat(300)}$(rm x)${"}".repeat(300)}`,
  "a text that bash refuses at its end": "rm x\n)",
  "words for a program": `find . -exec rm ${"a ".repeat(40)}{} +`,
};

test("a text that was not parsed is denied if a rule denies something that may be in it", () => {
  for (const [how, command] of Object.entries(PADDED)) {
    const call = commandCall(command);
    for (const match of [
      { command: ["rm *"] },
      { class: ["fs.delete" as const] },
      { path: ["/etc/**"] },
      { domain: ["evil.example"] },
    ]) {
      expect({ how, match, tier: decided(call, { rules: [rule(match)] }).tier }).toEqual({ how, match, tier: "deny" });
    }
    const rows = [{ for: "class" as const, name: "fs.delete", tier: "deny" as const, at }];
    expect({ how, tier: decided(call, { tiers: rows }).tier }).toEqual({ how, tier: "deny" });
    // Without a rule that denies, the call asks.
    expect({ how, tier: decided(call, {}).tier }).toEqual({ how, tier: "ask" });
  }
});

test("the refusal names the rule and what was not parsed, and says what to do", () => {
  expect(decided(commandCall(nested(41, "ls")), { rules: [rule({ command: ["rm *"] })] })).toEqual({
    tier: "deny",
    said: [
      "rule no denies something that may be in the part that Leeway could not read (the command is nested more deeply than Leeway examines); send a shorter command, with its words written out",
    ],
  });
});

test("a call from an older ledger, whose note is stored as text, is decided in the same way", () => {
  const call = commandCall("ls");
  const policy = { ...emptyPolicy("leeway.yaml", version), ...STANDARD, rules: [rule({ command: ["rm *"] })] };
  const standing = bareStanding([compilePolicy(policy)], version);
  const tierWith = (note: string) =>
    decide(call, { ...classify(readCall(call), knowing(call)), understood: "not", notes: [note] }, standing, 0).tier;
  expect(["the command is nested too deep", "what the code does is not examined"].map(tierWith)).toEqual([
    "deny",
    "ask",
  ]);
});

test("a rule for another agent or another tool does not apply to a command that was not parsed", () => {
  const call = commandCall(nested(41, "ls"));
  for (const match of [{ agent: ["somebody"] }, { tool: ["refund"] }, { agent: ["x*"], command: ["rm *"] }])
    expect(decided(call, { rules: [rule(match)] }).tier).toBe("ask");
});

test("paths, addresses and arguments that were not parsed are denied in the same way", () => {
  const long = "a/".repeat(20_000);
  const many = Array.from({ length: 2_100 }, (_, i) => `x${i}`);
  const calls: readonly [string, JsonObject][] = [
    ["Read", { file_path: `/home/ana/project/${long}` }],
    ["WebFetch", { url: `https://${"a".repeat(300)}.example/`, prompt: "x" }],
    ["some_tool", { notes: many }],
    ["Bash", { command: `cat ${"a".repeat(17_000)}` }],
  ];
  for (const [tool, args] of calls) {
    const call = tryingCall(tool, args);
    for (const match of [{ path: ["/etc/**"] }, { domain: ["evil.example"] }, { class: ["secrets.read" as const] }]) {
      expect({ tool, match, tier: decided(call, { rules: [rule(match)] }).tier }).toEqual({
        tool,
        match,
        tier: "deny",
      });
    }
  }
});

test("text that was parsed completely is not denied by rules about something else", () => {
  for (const command of [
    "ls src",
    "for i in {1..100}; do echo $i; done",
    `for f in ${Array.from({ length: 30 }, (_, i) => `f${i}`).join(" ")}; do cat $f; done`,
    "sh -c '[[ a || $X ]]'",
    "cat $X",
    "echo $(".concat("echo $(".repeat(20), "ls", ")".repeat(21)),
  ])
    expect({ command, tier: decided(commandCall(command), { rules: [rule({ command: ["rm *"] })] }).tier }).not.toEqual(
      {
        command,
        tier: "deny",
      },
    );
});

test("a path with wildcards is denied only if it may match a denied path", () => {
  const rules = [rule({ path: ["secrets/**", "**/*.pem", "config/*/key.txt"] })];
  const tier = (command: string) => ({ command, tier: decided(commandCall(command), { rules, root: PROJECT }).tier });
  for (const command of [
    "echo x > s*/k.txt",
    "tee s*/k.txt < src/a.ts",
    "cat */k.txt",
    "cat ?ecrets/k.txt",
    "cat s[e]crets/k.txt",
    "for f in */*; do cat $f; done",
    "for d in */; do cat $d/k.txt; done",
    "cat src/*.p*",
    "cat conf*/a/key.txt",
    "cat config/a/k*",
    "git grep k",
    `${"cd .; ".repeat(10)}cat secrets/k.txt`,
  ])
    expect(tier(command)).toEqual({ command, tier: "deny" });
  for (const command of ["cat src/*.ts", "cat *.md", "cat src/*/a.ts", "ls t*/*.ts", "cat config/*.txt"])
    expect(tier(command)).toEqual({ command, tier: "auto" });
});
