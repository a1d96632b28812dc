import ts from "typescript-api";
import { expect, test } from "vitest";
import { FAULTS_ZH, faultZh } from "../../src/core/say/faults-zh.ts";
import { projectFiles, sources } from "../tidy/sources.ts";
import { textsOf } from "./texts.ts";

const MAKERS: { readonly [called: string]: number } = { "faults.add": 1, fault: 2, refuse: 0 };
/** Sentences that are made of others of ours: each as it is said. */
const COMPOSED: { readonly [text: string]: readonly string[] } = {
  "expected a x1number of at least x1, without quotes": [
    "expected a number of at least 1, without quotes",
    "expected a whole number of at least 1, without quotes",
  ],
  "the x1 `x1` is there twice": ["the rule `x1` is there twice", "the limit `x1` is there twice"],
  "x1 asks for x1 approvals but names only x1 reviewerx1": [
    "x1 asks for 2 approvals but names only 1 reviewer",
    "x1 asks for 3 approvals but names only 2 reviewers",
  ],
  "x1 tools of that very name write `tool:x1`": [
    "classes are fs.read; for tools of that very name write `tool:x1`",
    "did you mean `fs.read`? for tools of that very name write `tool:x1`",
  ],
  "x1expected one of x1": ["did you mean `a`? expected one of a, b", "expected one of a, b"],
  "x1expected x1": ["did you mean `ask`? expected one of ask, deny"],
  "x1x1 may have x1": ["a rule may have name, tier", "did you mean `name`? a rule may have name, tier"],
};

test("whatever is wrong with a policy, and how to repair it, is said in Chinese too", () => {
  const files = projectFiles().filter((path) => /^src\/(core\/policy|config)\/(?!server).*(?<!\.test)\.ts$/.test(path));
  const said = new Set<string>();
  for (const { tree } of sources(files)) {
    const look = (node: ts.Node) => {
      const first = ts.isCallExpression(node) ? MAKERS[node.expression.getText()] : undefined;
      if (first !== undefined && ts.isCallExpression(node))
        for (const text of node.arguments.slice(first, first + 2).flatMap(textsOf)) said.add(text);
      ts.forEachChild(node, look);
    };
    look(tree);
  }
  expect(said.size).toBeGreaterThan(70);
  const each = [...said].flatMap((text) => COMPOSED[text] ?? [text]);
  expect(each.filter((text) => !/\p{Script=Han}/u.test(faultZh(text)))).toEqual([]);
});

test("a fault names in Chinese what it names in English, and what its words are for", () => {
  for (const [english, other] of FAULTS_ZH) {
    const named = [...other.matchAll(/\{\}|\[\]/g)].length;
    expect([english, named]).toEqual([english, english.split("{}").length - 1]);
  }
  expect(faultZh("`often` is not a tier")).toBe("`often` 不是等级");
  expect(faultZh("did you mean `ask`? expected one of auto, ask")).toBe("是否指 `ask`？应为 auto, ask 之一");
  expect(faultZh("unknown key `tire`")).toBe("未知的键 `tire`");
  expect(faultZh("did you mean `tier`? a rule may have name, tier")).toBe("是否指 `tier`？规则可以有 name, tier");
  expect(faultZh("`a b` can never match: only the host counts")).toBe("`a b` 永远无法匹配：只计主机");
});
