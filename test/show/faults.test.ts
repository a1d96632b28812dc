import { expect, test } from "vitest";
import { parsePolicyText } from "../../src/config/policy/policy-text.ts";
import type { Language } from "../../src/core/messages/text.ts";
import { describeFault } from "../../src/core/policy/tree.ts";

function faultsIn(language: Language, text: string): readonly string[] {
  const loaded = parsePolicyText(text, "p.yaml");
  return loaded.ok ? [] : loaded.faults.map((fault) => describeFault(fault, language));
}

const HALF_RIGHT = `headless: alow
tire: ask
agents: { coder: { reviewers: [ana] } }
approvals: { quorum: 2 }
rules:
  - { name: a, match: { domain: "https://example.com" }, tier: ask, because: b }
  - { name: c, match: {}, tier: ask, because: b }
`;

test("faults of a policy are in English, with the nearest word and the other valid ones", () => {
  expect(faultsIn("en", HALF_RIGHT)).toEqual([
    "p.yaml:1:11: expected a value of `headless`, found `alow`; use one of: deny, suggest",
    "p.yaml:2:1: unknown key `tire`; did you mean `tier`? a policy can have these keys: version, preset, tier, tiers, tools, agents, human, reviewers, rules, approvals, headless, limits, channels, box, root",
    "p.yaml:3:11: the agent `coder` needs 2 approvals but names only 1 reviewer; lower the quorum, or name more reviewers",
    "p.yaml:6:33: `https://example.com` can never match: only the host is compared; write it like this: api.github.com, *.github.com, *",
    "p.yaml:7:23: the match is empty; say which calls it is about; to set a tier for all calls, use the policy's own `tier`",
  ]);
});

test("the same faults are in Chinese, with the same names", () => {
  expect(faultsIn("zh", HALF_RIGHT)).toEqual([
    "p.yaml:1:11: 应为 `headless` 的值，实际为 `alow`; 请使用以下之一：deny、suggest",
    "p.yaml:2:1: 未知的键 `tire`; 是否指 `tier`？策略可以有以下键：version、preset、tier、tiers、tools、agents、human、reviewers、rules、approvals、headless、limits、channels、box、root",
    "p.yaml:3:11: 智能体 `coder` 需要 2 次批准，却只指定了 1 位审阅者; 请降低所需批准数，或指定更多审阅者",
    "p.yaml:6:33: `https://example.com` 永远无法匹配：只比较主机; 请写成这样：api.github.com、*.github.com、*",
    "p.yaml:7:23: match 为空; 请写明涉及哪些调用；若要为所有调用设置等级，请用策略自身的 `tier`",
  ]);
});

test("the text of a parser is unchanged", () => {
  expect(faultsIn("zh", "a: 1\na b\n")).toEqual([
    expect.stringMatching(/^p\.yaml:2:1: 不是有效的 YAML：implicit map keys .*; 请检查此处及上一行的缩进、括号和引号$/),
  ]);
});
