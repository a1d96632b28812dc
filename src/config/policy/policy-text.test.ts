import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
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

const RULE = "rules: [{ name: a, because: b, tier: deny, match: ";

describe("every mistake is reported with its position and with what to write instead", () => {
  const cases: [mistake: string, text: string, faults: RegExp[]][] = [
    [
      "an unknown key",
      "tire: ask",
      [/^p\.yaml:1:1: unknown key `tire`; did you mean `tier`\? a policy can have these keys: version, preset/],
    ],
    [
      "an unknown key of a rule",
      "rules:\n  - name: a\n    match: { class: none }\n    tir: deny\n    because: b",
      [
        /^p\.yaml:2:5: a rule needs the key `tier`; add `tier:` here/,
        /^p\.yaml:4:5: unknown key `tir`; did you mean `tier`\?/,
      ],
    ],
    [
      "an unknown tier",
      "tier: autp",
      [
        /^p\.yaml:1:7: expected a tier, found `autp`; did you mean `auto`\? use one of: deny, shadow, suggest, ask, notify, auto$/,
      ],
    ],
    ["a tier of the wrong type", "tier: true", [/^p\.yaml:1:7: expected a tier, found the boolean true; use one of/]],
    ["a tier left empty", "tier:", [/^p\.yaml:1:\d: expected a tier, found nothing/]],
    [
      "an unknown class in tiers",
      "tiers: { fs.wirte: deny }",
      [/^p\.yaml:1:10: `fs\.wirte` is not a known tool and not an effect class; did you mean `fs\.write`\?/],
    ],
    [
      "a class that does not exist",
      "tiers: { fs.chmod: deny }",
      [
        /^p\.yaml:1:10: `fs\.chmod` is not a known tool and not an effect class; the effect classes are: none,.*; for a tool with exactly this name, write `tool:fs\.chmod`/,
      ],
    ],
    [
      "an unknown class in a match",
      `${RULE}{ class: fs.writ } }]`,
      [/expected an effect class, found `fs\.writ`; did you mean `fs\.write`\?/],
    ],
    [
      "a class in the place of a tool",
      "human: { tools: [none] }",
      [
        /^p\.yaml:1:18: `none` is an effect class, not a tool; write it where classes are listed; for a tool with exactly this name, write `tool:none`$/,
      ],
    ],
    [
      "a mistyped tool",
      "tools: { refund: { class: payments.move } }\nhuman: { tools: [refnud] }",
      [/^p\.yaml:2:18: `refnud` is not a known tool and not an effect class; did you mean `refund`\?/],
    ],
    [
      "an unknown duration",
      "approvals: { expires: 24hours }",
      [/^p\.yaml:1:23: expected a duration, found `24hours`; write a number and s, m, h or d/],
    ],
    [
      "a duration without unit",
      "approvals: { expires: 24 }",
      [/^p\.yaml:1:23: expected a duration, found the number 24/],
    ],
    [
      "an unknown preset",
      "preset: standart",
      [/^p\.yaml:1:9: expected a preset, found `standart`; did you mean `standard`\?/],
    ],
    [
      "an unknown match key",
      `${RULE}{ pth: x } }]`,
      [/unknown key `pth`; did you mean `path`\? a match can have these keys: agent, tool/],
    ],
    [
      "an unknown capability",
      `${RULE}{ capability: workspace.wirte_text } }]`,
      [/expected a capability, found `workspace\.wirte_text`; did you mean `workspace\.write_text`\?/],
    ],
    [
      "a pattern where a tool goes",
      'tools: { a: { class: network.write, domain: "*.example.com" } }',
      [/`\*\.example\.com` is a pattern, not one host; write the host/],
    ],
    [
      "a glob of classes",
      'tiers: { "fs.*": deny }',
      [
        /^p\.yaml:1:10: `fs\.\*` is not a known tool and not an effect class; the effect classes are: none, .*; for a tool with exactly this name, write `tool:fs\.\*`$/,
      ],
    ],
    ["an empty match", `${RULE}{} }]`, [/the match is empty; say which calls it is about/]],
    [
      "two kinds of target",
      `${RULE}{ path: x, domain: y } }]`,
      [/a match can have only one of path, command and domain, and this one has: path, domain; keep one/],
    ],
    [
      "an empty list of agents",
      `${RULE}{ agent: [] } }]`,
      [/the list is empty; add at least one item, or remove the key/],
    ],
    [
      "a timeout that allows",
      "approvals: { onTimeout: allow }",
      [/unknown key `onTimeout`; `approvals` can have these keys: quorum, expires/],
    ],
    [
      "a quorum of none",
      "approvals: { quorum: 0 }",
      [/^p\.yaml:1:22: expected a quorum, found the number 0; write a whole number of at least 1/],
    ],
    [
      "a quorum larger than its reviewers",
      "reviewers: [ana]\napprovals: { quorum: 2 }",
      [/^p\.yaml:2:22: the policy needs 2 approvals but names only 1 reviewer; lower the quorum/],
    ],
    [
      "an escalation after the end",
      "approvals: { expires: 1h, escalate: { after: 2h, to: [ana] } }",
      [/^p\.yaml:1:37: the escalation comes after the question has expired; make `after` shorter/],
    ],
    [
      "two rules of one name",
      "rules:\n  - { name: a, because: b, tier: deny, match: { class: fs.write } }\n  - { name: a, because: b, tier: deny, match: { class: fs.read } }",
      [/^p\.yaml:3:5: two rules have the name `a`; the first one is in line 2/],
    ],
    [
      "a rule that never decides",
      "rules:\n  - { name: a, because: b, tier: auto, match: { class: fs.write } }\n  - { name: c, because: b, tier: deny, match: { class: [fs.write] } }",
      [/^p\.yaml:2:5: the rule `a` has no effect: `c` matches the same calls and is stricter; remove one/],
    ],
    [
      "one row twice",
      'tiers: { write_file: ask, "tool:write_file": auto }',
      [/two rows are about `write_file`; the first one is in line 1; remove one/],
    ],
    [
      "human: false",
      "human: false",
      [/^p\.yaml:1:8: expected true or a map for `human`, found the boolean false; write true, or a map/],
    ],
    [
      "a limit that limits nothing",
      "limits: [{ name: a, match: { class: none }, max: 1, per: 1h, by: agent, then: auto }]",
      [/a limit with `then: auto` limits nothing; use one of: deny, shadow, suggest, ask, notify$/],
    ],
    [
      "a limit of half a call",
      "limits: [{ name: a, match: { class: none }, max: 1.5, per: 1h, by: agent, then: ask }]",
      [/a limit of 1\.5 calls is not possible; write a whole number/],
    ],
    [
      "a pointer without slash",
      "limits: [{ name: a, sum: amount, match: { class: none }, max: 1, per: 1h, by: agent, then: ask }]",
      [/expected a JSON pointer, found `amount`; put a slash before every name/],
    ],
    [
      "an argument without slash",
      `${RULE}{ args: { amount: 1 } } }]`,
      [/`amount` is not a JSON pointer; did you mean `\/amount`\?/],
    ],
    ["an impossible range", `${RULE}{ args: { /a: { min: 2, max: 1 } } } }]`, [/no number is in this range/]],
    [
      "a path that never matches",
      `${RULE}{ path: ../x } }]`,
      [/`\.\.\/x` can never match: `\.` and `\.\.` are resolved before paths are compared/],
    ],
    [
      "a glued double star",
      `${RULE}{ path: src** } }]`,
      [/`src\*\*` can never match: `\*\*` must stand alone between slashes/],
    ],
    [
      "an address for a domain",
      `${RULE}{ domain: "https://example.com/x" } }]`,
      [/can never match: only the host is compared; write it like this: api\.github\.com/],
    ],
    [
      "a compound command",
      `${RULE}{ command: "git push && rm *" } }]`,
      [/can never match: every command of a line is judged separately/],
    ],
    [
      "an expression with a wrong field",
      `${RULE}{ when: call.agnet == 'x' } }]`,
      [/the expression is wrong: no such key: agnet; did you mean `agent`\?/],
    ],
    [
      "claims that loosen",
      "rules: [{ name: a, because: b, tier: auto, match: { when: \"call.claims.role == 'admin'\" } }]",
      [
        /^p\.yaml:1:59: the rule lets calls run \(`auto`\) because of `call\.claims`, which nobody has verified; use `call\.claims` only/,
      ],
    ],
    ["an unknown version", "version: 2", [/^p\.yaml:1:10: unknown version 2; this version of Leeway reads version 1/]],
    ["an unknown channel", "channels: { slak: {} }", [/unknown key `slak`; did you mean `slack`\?/]],
    [
      "a list for a policy",
      "- a",
      [/^p\.yaml:1:1: expected a policy, found a list; write a map with these keys: version/],
    ],
    [
      "a method in lower case",
      `${RULE}{ method: get } }]`,
      [/expected an HTTP method, found `get`; did you mean `GET`\?/],
    ],
    ["a reviewer with a space", "reviewers: [ana and ben]", [/`ana and ben` is not a reviewer/]],
    [
      "several mistakes at once",
      "tire: ask\npreset: standart\nheadless: allow",
      [
        /unknown key `tire`/,
        /expected a preset/,
        /expected a value of `headless`, found `allow`; use one of: deny, suggest/,
      ],
    ],
  ];
  test.each(cases)("%s", (_mistake, text, faults) => {
    expect(faultsOf(text)).toEqual(faults.map((fault) => expect.stringMatching(fault)));
  });
});

/** Every fault of a text, as `line:column message`. */
function everyFault(text: string): readonly string[] {
  const read = parsePolicyText(text, "leeway.yaml");
  return read.ok
    ? []
    : read.faults.map((fault) => renderFault(fault)).map(({ line, column, message }) => `${line}:${column} ${message}`);
}

test("all mistakes are reported together: shapes, names, expressions, conflicts between rules, and examples", () => {
  const text = `version: 1
preset: standrd
tiers: { fs.wirte: auto, fs.read: atuo }
tools:
  refund: { class: payments.move }
agents:
  coder: { tire: ask, tiers: { read_flie: auto } }
human: { tools: [wirte_file], clases: [fs.write] }
rules:
  - { name: a, match: { tool: wirte_file, clas: fs.read }, tire: deny, because: x }
  - { name: b, match: { command: git push }, tier: deny, because: x, examples: { match: ["git pull"] } }
  - { name: b, match: { when: "call.tool ==" }, tier: deny, because: x, extra: 1 }
  - { name: b, match: { path: "*.md" }, tier: ask, because: x }
limits:
  - { name: l, match: { tool: refnud }, max: 5, per: 1h, by: agnet, then: ask }
`;
  expect(everyFault(text)).toEqual([
    "2:9 expected a preset, found `standrd`",
    "3:10 `fs.wirte` is not a known tool and not an effect class",
    "3:35 expected a tier, found `atuo`",
    "7:12 unknown key `tire`",
    "7:32 `read_flie` is not a known tool and not an effect class",
    "8:18 `wirte_file` is not a known tool and not an effect class",
    "8:31 unknown key `clases`",
    "10:5 a rule needs the key `tier`",
    "10:31 `wirte_file` is not a known tool and not an effect class",
    "10:43 unknown key `clas`",
    "10:60 unknown key `tire`",
    "11:5 the rule `b` does not match its example `git pull`",
    expect.stringMatching(/^12:\d+ /),
    "12:73 unknown key `extra`",
    "13:5 two rules have the name `b`",
    "15:31 `refnud` is not a known tool and not an effect class",
    "15:62 expected a value of `by`, found `agnet`",
  ]);
});

test("each mistake is reported once, without the further errors that follow from it", () => {
  const look =
    "rules: [{ name: a, match: { class: fs.read }, tier: ask, because: x, examples: { match: [{ tool: look, args: {} }] } }]";
  const cases: readonly [string, readonly string[]][] = [
    [
      "tools: { wrte_file: { class: fs.wite } }\ntiers: { wrte_file: ask }",
      ["1:30 expected an effect class, found `fs.wite`"],
    ],
    ["rules: [{ name: a, match: { clas: fs.read }, tier: ask, because: x }]", ["1:29 unknown key `clas`"]],
    ["approvals: { expires: 3dys, escalate: { after: 2d, to: [ana] } }", ["1:23 expected a duration, found `3dys`"]],
    [`tools: { look: { clas: fs.read } }\n${look}`, ["1:16 a tool needs the key `class`", "1:18 unknown key `clas`"]],
  ];
  for (const [text, faults] of cases) expect([text, everyFault(text)]).toEqual([text, faults]);
});

test("a wrong example is reported as an error of its rule", () => {
  const rule = (examples: string) => `rules:
  - name: no-push
    match: { command: "git push *" }
    tier: deny
    because: b
    examples: ${examples}`;
  expect(faultsOf(rule("{ match: [git push origin], miss: [git status] }"))).toEqual([]);
  expect(faultsOf(rule("{ match: [git status], miss: [git push, 'ls; git push -v'] }"))).toEqual([
    "p.yaml:2:5: the rule `no-push` does not match its example `git status`; make `match` wider, or move the example to `miss`",
    "p.yaml:2:5: the rule `no-push` matches `git push`, which is an example under `miss`; make `match` narrower, or move the example to `match`",
    "p.yaml:2:5: the rule `no-push` matches `ls; git push -v`, which is an example under `miss`; make `match` narrower, or move the example to `match`",
  ]);
});

test("the agent of an example is the one that the example names, or else one that the rule names", () => {
  const rule = (agent: string) => `rules:
  - name: free
    match: { agent: coder, class: fs.write, path: src/** }
    tier: auto
    because: b
    examples: { match: [{ tool: write_file, args: { path: src/a.ts, content: "" }${agent} }] }`;
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

test("a secret that is written into the policy is refused without being repeated", () => {
  const faults = faultsOf("channels: { slack: { botToken: xoxb-123-secret } }");
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(/env:NAME/);
  expect(faults[0]).not.toMatch(/xoxb/);
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
  const write = (path: string) => `{ tool: write_file, args: { path: "${path}", content: "" } }`;
  const load = (examples: string) => parsePolicyText(text(examples), "p.yaml", { root: "/repo", home: "/home/ana" }).ok;
  const leadsOut = `{ miss: [${write("a/../b")}, ${write("/repo/a/../b")}] }`;
  const leadsIn = `{ match: [${write("b/../a/c")}, ${write("./a//c")}, ${write("/repo/a/c")}] }`;
  expect([load(leadsOut), load(leadsIn)]).toEqual([true, true]);
});

test("a domain pattern that no host can match is refused, and the message says how to write it", () => {
  const rule = (domain: string) => `rules:\n  - { name: r, match: { domain: "${domain}" }, tier: deny, because: x }`;
  for (const domain of [".x", ".example.com", "a..b", "example.com.", "*.", "example.com:443"]) {
    expect(faultsOf(rule(domain))).toEqual([expect.stringMatching(/^p\.yaml:2:33: .* can never match: .*; write /)]);
  }
  for (const domain of ["x", "example.com", "*.example.com", "*", "127.0.0.1", "[::1]"])
    expect(faultsOf(rule(domain))).toEqual([]);
});
