import type { PartMeant } from "../decision.ts";
import { markZh, noteZh } from "./note.ts";
import type { Say } from "./say.ts";
import { toldZh } from "./told.ts";

const ROWS = {
  "agent+tool": "智能体与工具",
  "agent+class": "智能体与类型",
  agent: "智能体",
  tool: "工具",
  class: "类型",
  promotion: "提升",
} as const;

export const CAUSES_ZH: Say["causes"] = {
  paused: (because, who) =>
    `已${who === undefined ? "" : `由 ${who === "leeway" ? "Leeway" : who} `}暂停：${toldZh(because)}`,
  baseline: (row, tier, parts) => {
    if (row.of === "policy") return `整个策略的等级为 ${tier}`;
    if (row.of !== "preset") return `${ROWS[row.of]} ${row.name} 一行的等级为 ${tier}`;
    if (parts.length === 0) return `预设 ${row.name} 的等级为 ${tier}`;
    return tier === "ask"
      ? `预设 ${row.name} 在 ${namesOf(parts)} 之前询问`
      : `预设 ${row.name} 对 ${namesOf(parts)} 的等级为 ${tier}`;
  },
  rule: (name, tier, because) => `规则 ${name} 规定 ${tier}：${because}`,
  silent: "没有策略文件提及此事，因此询问",
  grant: (id, tier) => `授权 ${id} 允许此事（${tier}）`,
  callback: (name, tier, because) => `策略回调 ${name} 规定 ${tier}：${because}`,
  understanding: (understood, notes) =>
    `${understood === "not" ? "未能理解该调用" : "仅部分理解该调用"}${notes.length === 0 ? "" : `：${notes.map(noteZh).join("；")}`}`,
  unread: (what, why) => `${whatZh(what)} 拒绝未读部分中可能包含的内容（${noteZh(why)}）；请分次发送，并写明各个词`,
  demotion: (tier, because) => `已降为 ${tier}：${because}`,
  limit: ({ name, used, max, tier }) => `已达到限额 ${name}（${used} / ${max}），之后为 ${tier}`,
  human: (mark) => `需要人工：${markZh(mark)}`,
  headless: (tier) => `此处无人可问，因此 ask 变为 ${tier}`,
  permit: (id) => `此前已批准（${id}）`,
  code: toldZh,
  erased: "作出该决定的缘由已被清除",
  at: (sentence, file, line) => `${sentence}（${file}:${line}）`,
  builtIn: (sentence) => `${sentence}（内置；此处没有已接受的策略文件）`,
};

/** A rule, a row or a preset, as the policy names it. */
function whatZh(what: string): string {
  return what
    .replace(/^rule /, "规则 ")
    .replace(/^preset /, "预设 ")
    .replace(/^the row for /, "所在行 ");
}

function namesOf(parts: readonly PartMeant[]): string {
  return parts.map((part) => (part.program === undefined ? part.class : `${part.class}（${part.program}）`)).join("、");
}
