import { describe, expect, test } from "vitest";
import { describeFault, renderFault } from "../../core/policy/tree.ts";
import { parsePolicyText } from "./policy-text.ts";

function faultsOf(text: string): readonly string[] {
  const loaded = parsePolicyText(text, "p.yaml");
  return loaded.ok ? [] : loaded.faults.map((fault) => describeFault(fault));
}

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
      [
        /expected a JSON pointer, `tokens` or `costUsd`, found `amount`; name an argument with a slash before every name/,
      ],
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

test("a secret that is written into the policy is refused without being repeated", () => {
  const faults = faultsOf("channels: { slack: { botToken: xoxb-123-secret } }");
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(/env:NAME/);
  expect(faults[0]).not.toMatch(/xoxb/);
});

test("a domain pattern that no host can match is refused, and the message says how to write it", () => {
  const rule = (domain: string) => `rules:\n  - { name: r, match: { domain: "${domain}" }, tier: deny, because: x }`;
  for (const domain of [".x", ".example.com", "a..b", "example.com.", "*.", "example.com:443"]) {
    expect(faultsOf(rule(domain))).toEqual([expect.stringMatching(/^p\.yaml:2:33: .* can never match: .*; write /)]);
  }
  for (const domain of ["x", "example.com", "*.example.com", "*", "127.0.0.1", "[::1]"])
    expect(faultsOf(rule(domain))).toEqual([]);
});
