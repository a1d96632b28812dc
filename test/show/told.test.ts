import ts from "typescript-api";
import { expect, test } from "vitest";
import { NOTICE_KINDS } from "../../src/core/notice.ts";
import { HINTS_ZH } from "../../src/core/say/hints-zh.ts";
import { sayIn } from "../../src/core/say/languages.ts";
import type { Row } from "../../src/core/say/reader.ts";
import { REASONS_ZH } from "../../src/core/say/reasons-zh.ts";
import { toldZh } from "../../src/core/say/told.ts";
import { TOLD_ZH } from "../../src/core/say/told-zh.ts";
import { tell } from "../../src/core/steps/notices.ts";
import { systemMint } from "../../src/system.ts";
import { projectFiles, sources } from "../tidy/sources.ts";
import { textsOf } from "./texts.ts";

// Refusals and notices are made all over the gate. They are read out of its source, so that none is forgotten.

const ROOTS = /^src\/(core|gate|http|web|library|service)\//;
/** Doors of programs, which no page meets: they speak English. */
const PROGRAMS =
  /^src\/(http\/routes\/|library\/(guard|door|bounded-callback|questions|carry|layer)\.ts|service\/(scope|claimed|refusal)\.ts)/;
const MAKERS = new Set(["refused", "badInput", "refusal", "busy", "closed", "turnedDown", "outright", "voidIt"]);
/** Names under which a sentence for people stands in an object. */
const NAMES = new Set(["reason", "hint", "because", "why", "text"]);
/** Sentences whose pieces are words of ours too: each as it is said. */
const COMPOSED: { readonly [text: string]: readonly string[] } = {
  "x1 is x1 alreadyx1": ["x1 is denied already by x2", "x1 is expired already"],
  "x1 denied this callx1; do not retry, do something else": [
    "x1 denied this call; do not retry, do something else",
    "x1 denied this call: no; do not retry, do something else",
  ],
  "x1 may not x1 x1": ["x1 may not promote x2", "x1 may not demote x2"],
  "one cannot x1 to x1": ["one cannot promote to deny", "one cannot demote to auto"],
};

function sentencesIn(tree: ts.SourceFile): readonly string[] {
  const found: string[] = [];
  const look = (node: ts.Node) => {
    if (ts.isCallExpression(node) && MAKERS.has(node.expression.getText())) {
      const [, ...said] = node.arguments;
      found.push(...said.flatMap(textsOf));
    }
    if (ts.isObjectLiteralExpression(node)) {
      const has = (name: string) => node.properties.some((one) => one.name?.getText() === name);
      const isSaid = has("hint") || has("did") || has("actor");
      for (const one of isSaid ? node.properties : [])
        if (one.name !== undefined && NAMES.has(one.name.getText()))
          found.push(...textsOf(ts.isPropertyAssignment(one) ? one.initializer : one.name));
    }
    ts.forEachChild(node, look);
  };
  look(tree);
  return found;
}

const isSentence = (text: string) => /[a-z]{2,} /.test(text.replaceAll("x1", "")) && !/^x1: x1$/.test(text);

test("whatever the gate refuses or tells on a page is said in Chinese too", () => {
  const files = projectFiles().filter((path) => ROOTS.test(path) && !PROGRAMS.test(path) && !path.endsWith(".test.ts"));
  const said = new Set(
    sources(files)
      .flatMap(({ tree }) => sentencesIn(tree))
      .filter(isSentence),
  );
  expect(said.size).toBeGreaterThan(280);
  const each = [...said].flatMap((text) => COMPOSED[text] ?? [text]);
  const missing = each.filter((text) => !/\p{Script=Han}/u.test(toldZh(text)));
  expect(missing, "say them in src/core/say/*-zh.ts").toEqual([]);
});

const DID = [
  "signed in",
  "set the passphrase of ben",
  "made a token that can read as ben",
  "made a token that can approve as ben",
  "made a link that signs in as ben",
];

test("every notice has its title in Chinese, with the same names", () => {
  const circle = { people: [], pausedReviewers: [], channels: ["inbox"] };
  const titles = NOTICE_KINDS.flatMap((kind) =>
    (kind === "access" ? DID : ["t1"]).flatMap((tool) => {
      const about = { agent: "a1", tool, class: "fs.write" };
      return tell(systemMint(), circle, { kind, to: ["ben"], ref: "r", workspace: "default", nowMs: 0, about });
    }),
  ).flatMap((write) => (write.do === "notice" ? [write.notice.title] : []));
  expect(titles.length).toBe(NOTICE_KINDS.length + DID.length - 1);
  expect(titles.map((title) => /\p{Script=Han}/u.test(toldZh(title)))).toEqual(titles.map(() => true));
  expect(titles.map(toldZh).filter((title) => !title.includes("a1"))).toEqual([]);
});

test("what is told names in Chinese what it names in English, each once", () => {
  const named = (other: string, count: number) => {
    const places = [...other.matchAll(/[{[](\d?)[}\]]/g)].map(([, place]) => place);
    return places[0] === ""
      ? places.map((_, at) => at + 1)
      : places
          .map(Number)
          .sort((a, b) => a - b)
          .slice(0, count);
  };
  for (const [english, other] of [...REASONS_ZH, ...HINTS_ZH, ...TOLD_ZH] satisfies Row[]) {
    const count = english.split("{}").length - 1;
    expect([english, named(other, count)]).toEqual([english, Array.from({ length: count }, (_, at) => at + 1)]);
  }
  expect(toldZh("only an admin may add people")).toBe("只有管理员可以添加人员");
  expect(toldZh("apr_1 is denied already by ana")).toBe("apr_1 已由 ana 拒绝");
  expect(toldZh("lasts: that is no time")).toBe("lasts：这不是时间");
  expect(toldZh("args: line 2, column 3: a colon is missing")).toBe("args：第 2 行第 3 列：缺少冒号");
});

test("a name is never taken for words of ours, and what nobody translated stays as it is", () => {
  expect(toldZh("there is no grant try again")).toBe("没有授权 try again");
  expect(toldZh("add people may not sign in")).toBe("add people 不能登录");
  expect(toldZh("something else")).toBe("something else");
  expect(toldZh(`there is no grant ${"x".repeat(2_000)}`)).toContain("there is no grant");
  expect(sayIn("en").told("only an admin may add people")).toBe("only an admin may add people");
});
