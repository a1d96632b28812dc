import { expect, test } from "vitest";
import { callOf, judge } from "../../../test/cases/cases.ts";
import { compilePolicy } from "../decide/compile.ts";
import { decide } from "../decide/decide.ts";
import { STANDARD } from "../decide/layers.ts";
import { bareStanding } from "../decide/standing.ts";
import { causeSentences } from "./causes.ts";

const standing = bareStanding([compilePolicy(STANDARD)], STANDARD.version);

function said(command: string, language: "en" | "zh" = "en"): readonly string[] {
  const one = { group: "a", tier: "ask", command } as const;
  const { effect } = judge(one);
  return causeSentences(decide(callOf(one), effect, standing, 0).causes, { language, effect });
}

test("the cause of a preset names the class that needs a question, and the program", () => {
  expect(said("npm publish --tag x")).toEqual([
    'preset standard asks before deploy.write by "npm publish" (built in; no policy file has been accepted)',
  ]);
  expect(said("npm publish", "zh")).toEqual([
    '预设 standard 在 deploy.write（"npm publish"）之前询问（内置；此处没有已接受的策略文件）',
  ]);
});

test("if several parts need a question, each class is named once", () => {
  expect(said("ls && rm a && make b && rm c")[0]).toBe(
    "preset standard asks before fs.delete by rm, process.exec by make (built in; no policy file has been accepted)",
  );
});

test("the arguments of a command are not repeated, because they may contain a secret", () => {
  expect(said("mysqladmin hunter2 shutdown").join()).not.toContain("hunter2");
});
