import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeFault, renderFault } from "../../core/policy/tree.ts";
import { sha256 } from "../../core/values/hash.ts";
import { parsePolicyText, policyFromObject } from "./policy-text.ts";

function faultsOf(text: string): readonly string[] {
  const loaded = parsePolicyText(text, "p.yaml");
  return loaded.ok ? [] : loaded.faults.map((fault) => describeFault(fault));
}

function policyOf(text: string) {
  const loaded = parsePolicyText(text, "/project/p.yaml", { root: "/project", home: "/home/ana" });
  if (!loaded.ok) throw new Error(loaded.faults.map((fault) => describeFault(fault)).join("\n"));
  return loaded.policy;
}

const at = (line: number, column: number) => ({ file: "/project/p.yaml", line, column });

test("a complete policy is parsed into one value, and every part has its position", () => {
  const text = `version: 1
preset: standard
tier: L3
tiers: { fs.write: notify, "tool:fs.frob": deny, "mcp:github/*": confirm }
tools:
  refund: { class: payments.move, domain: api.stripe.com, reversible: false, idempotent: true }
agents:
  release-bot: { tier: ask, tiers: { git.write: act_auto }, owner: ana, reviewers: [ben, "group:leads"] }
human: { tools: [refund], classes: [secrets.read], agents: [intern-bot], not: [payments.move] }
reviewers: [ana]
approvals: { quorum: 1, expires: 2h, permit: 30m, escalate: { after: 1h, to: ["group:leads"] }, selfReview: true, assurance: any }
headless: suggest
limits:
  - { name: spend, match: { tool: refund }, sum: /amount, max: 99.5, per: 1d, by: workspace, then: deny }
channels: { feishu: { appId: cli_x, appSecret: "env:FEISHU_SECRET" } }
`;
  expect(policyOf(text)).toEqual({
    source: "/project/p.yaml",
    version: sha256(text),
    preset: { name: "standard", at: at(2, 9) },
    tier: { tier: "ask", at: at(3, 7) },
    tiers: [
      { for: "class", name: "fs.write", tier: "notify", at: at(4, 10) },
      { for: "tool", name: "fs.frob", tier: "deny", at: at(4, 28) },
      { for: "glob", name: "mcp:github/*", tier: "ask", at: at(4, 50) },
    ],
    tools: [
      {
        name: "refund",
        class: "payments.move",
        domain: "api.stripe.com",
        reversible: false,
        idempotent: true,
        at: at(6, 3),
      },
    ],
    agents: [
      {
        name: "release-bot",
        tier: { tier: "ask", at: at(8, 24) },
        tiers: [{ for: "class", name: "git.write", tier: "auto", at: at(8, 38) }],
        owner: "ana",
        reviewers: ["ben", "group:leads"],
        at: at(8, 3),
      },
    ],
    human: {
      all: false,
      tools: ["refund"],
      classes: ["secrets.read"],
      agents: ["intern-bot"],
      not: ["payments.move"],
      at: at(9, 8),
    },
    reviewers: ["ana"],
    rules: [],
    approvals: {
      quorum: 1,
      expiresMs: 7_200_000,
      permitMs: 1_800_000,
      escalate: { afterMs: 3_600_000, to: ["group:leads"] },
      selfReview: true,
      assurance: "any",
    },
    headless: "suggest",
    channels: [{ kind: "feishu", appId: "cli_x", appSecret: { from: "env", name: "FEISHU_SECRET" } }],
    limits: [
      {
        name: "spend",
        match: { tool: ["refund"] },
        sum: "/amount",
        max: 99.5,
        perMs: 86_400_000,
        by: "workspace",
        // biome-ignore lint/suspicious/noThenProperty: a limit's own word
        then: "deny",
        at: at(14, 5),
      },
    ],
    root: "/project",
    home: "/home/ana",
  });
});

test("a rule keeps every key of its match, and a single value means the same as a list of one", () => {
  const text = `rules:
  - name: everything
    match:
      agent: coder
      tool: [write_file, "tool:frob"]
      class: [fs.write, fs.delete]
      capability: workspace.write_text
      method: POST
      mcp: github/*
      args: { /a: 1, /b: "x*", /c: { min: 1, max: 2 }, /d: [true, null, { max: 0 }] }
      reversible: false
      reach: [host, outside]
      understood: partly
      path: [src/**, ~/.ssh/**]
    tier: deny
    because: all keys at once
    human: true
    firm: true
    reviewers: [ana, ben]
    quorum: 2
    expires: 10m
`;
  expect(policyOf(text).rules).toEqual([
    {
      name: "everything",
      match: {
        agent: ["coder"],
        tool: ["write_file", "frob"],
        class: ["fs.write", "fs.delete"],
        capability: ["workspace.write_text"],
        method: ["POST"],
        mcp: ["github/*"],
        args: [
          { pointer: "/a", test: { is: "value", value: 1 } },
          { pointer: "/b", test: { is: "glob", glob: "x*" } },
          { pointer: "/c", test: { is: "range", min: 1, max: 2 } },
          {
            pointer: "/d",
            test: {
              is: "any",
              of: [
                { is: "value", value: true },
                { is: "value", value: null },
                { is: "range", max: 0 },
              ],
            },
          },
        ],
        reversible: false,
        reach: ["host", "outside"],
        understood: ["partly"],
        path: ["src/**", "~/.ssh/**"],
      },
      tier: "deny",
      because: "all keys at once",
      examples: { match: [], miss: [] },
      human: true,
      firm: true,
      reviewers: ["ana", "ben"],
      quorum: 2,
      expiresMs: 600_000,
      at: at(2, 5),
    },
  ]);
});

test("the agent of an example is the one that the example names, or else one that the rule names", () => {
  const rule = (agent: string) => `rules:
  - name: free
    match: { agent: coder, class: fs.write, path: src/** }
    tier: auto
    because: b
    examples: { match: [{ tool: write_file, args: { path: src/a.ts, content: "x" }${agent} }] }`;
  expect([
    faultsOf(rule("")).length,
    faultsOf(rule(", agent: coder")).length,
    faultsOf(rule(", agent: ben")).length,
  ]).toEqual([0, 0, 1]);
});

test("channels are read for everybody and for one agent, with the places of their secrets", () => {
  const read = policyOf(
    "agents: { coder: { channels: { slack: { chat: C7 }, email: { off: true } } } }\n" +
      "channels: { inbox: {}, slack: { botToken: 'env:SLACK_TOKEN', signingSecret: 'file:/run/slack', chat: C1 } }",
  );
  expect(read.channels).toEqual([
    {
      kind: "slack",
      botToken: { from: "env", name: "SLACK_TOKEN" },
      signingSecret: { from: "file", name: "/run/slack" },
      chat: "C1",
    },
  ]);
  expect(read.agents[0]?.channels).toEqual([
    { kind: "slack", chat: "C7" },
    { kind: "email", off: true },
  ]);
});

test("a rule may use the caller's own claims to make a decision stricter", () => {
  const text = "rules: [{ name: a, because: b, tier: ask, match: { when: \"call.claims.role == 'guest'\" } }]";
  expect(faultsOf(text)).toEqual([]);
});

test("a policy written in code is checked as strictly, and messages name the line it would have if printed as JSON", () => {
  const loaded = policyFromObject({ tiers: { "fs.write": "shadow" } }, "withPolicy");
  expect(loaded.ok && loaded.policy.tiers).toEqual([
    { for: "class", name: "fs.write", tier: "shadow", at: { file: "withPolicy", line: 3, column: 5 } },
  ]);
  const wrong = policyFromObject({ tiers: { "fs.write": "shadwo" } }, "withPolicy");
  expect(!wrong.ok && wrong.faults.map((fault) => describeFault(fault))).toEqual([
    expect.stringMatching(/^withPolicy:3:17: expected a tier, found `shadwo`; did you mean `shadow`\?/),
  ]);
  const cycle: Record<string, unknown> = {};
  cycle.tiers = cycle;
  const endless = policyFromObject(cycle, "withPolicy");
  expect(!endless.ok && endless.faults.map((fault) => renderFault(fault))).toEqual([
    {
      file: "withPolicy",
      line: 1,
      column: 1,
      message: "the value at /tiers cannot be used in a policy: the value contains itself",
      hint: "use only values that JSON has",
    },
  ]);
});

test("`root` is a folder relative to the policy's own folder", () => {
  expect(policyOf("root: sub").root).toBe("/project/sub");
  expect(policyOf("root: /elsewhere").root).toBe("/elsewhere");
});

const folder = new URL("../../../policies/", import.meta.url);
test.each(readdirSync(folder))("policies/%s loads, and its examples are correct", (name) => {
  expect(faultsOf(readFileSync(new URL(name, folder), "utf8"))).toEqual([]);
});

test("the parser never throws: a text loads, or every fault has a position and a message", () => {
  const words = [
    "version",
    "tier",
    "tiers",
    "rules",
    "match",
    "name",
    "human",
    "agents",
    "deny",
    "fs.write",
    "1h",
    "a*",
    "__proto__",
  ];
  const word = fc.oneof(
    fc.constantFrom(...words),
    fc.string({ maxLength: 5 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      word,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...words), tie("value"), { maxKeys: 4 }),
    ),
  }));
  const text = fc.oneof(
    value.map((given) => JSON.stringify(given)),
    fc.string(),
    fc.array(fc.constantFrom(...words, ": ", "\n", "  ", "- ", "[", "}", '"')).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (given) => {
      const loaded = parsePolicyText(given, "p.yaml");
      const faults = loaded.ok ? [] : loaded.faults.map((fault) => renderFault(fault));
      expect(faults.every(({ line, column, message }) => line >= 1 && column >= 1 && message !== "")).toBe(true);
      expect(loaded.ok || faults.length > 0).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test("the path of an example counts as the place it leads to, not as it is written", () => {
  const text = (examples: string) =>
    `rules:\n  - { name: r, match: { path: "a/**" }, tier: deny, because: x, examples: ${examples} }`;
  const write = (path: string) => `{ tool: write_file, args: { path: "${path}", content: "x" } }`;
  const load = (examples: string) => parsePolicyText(text(examples), "p.yaml", { root: "/repo", home: "/home/ana" }).ok;
  const leadsOut = `{ miss: [${write("a/../b")}, ${write("/repo/a/../b")}] }`;
  const leadsIn = `{ match: [${write("b/../a/c")}, ${write("./a//c")}, ${write("/repo/a/c")}] }`;
  expect([load(leadsOut), load(leadsIn)]).toEqual([true, true]);
});
