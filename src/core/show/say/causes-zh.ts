import { markZh, noteZh } from "./note.ts";
import type { Say } from "./say.ts";

const ROWS = {
  "agent+tool": "智能体与工具",
  "agent+class": "智能体与类型",
  agent: "智能体",
  tool: "工具",
  class: "类型",
  promotion: "提升",
} as const;

export const CAUSES_ZH: Say["causes"] = {
  paused: (because) => `已暂停：${because}`,
  baseline: (row, tier) => {
    if (row.of === "policy") return `整个策略的等级为 ${tier}`;
    return row.of === "preset"
      ? `预设 ${row.name} 的等级为 ${tier}`
      : `${ROWS[row.of]} ${row.name} 一行的等级为 ${tier}`;
  },
  rule: (name, tier, because) => `规则 ${name} 规定 ${tier}：${because}`,
  silent: "没有策略文件提及此事，因此询问",
  grant: (id, tier) => `授权 ${id} 允许此事（${tier}）`,
  callback: (name, tier, because) => `策略回调 ${name} 规定 ${tier}：${because}`,
  understanding: (understood, notes) =>
    `${understood === "not" ? "未能理解该调用" : "仅部分理解该调用"}${notes.length === 0 ? "" : `：${notes.map(noteZh).join("；")}`}`,
  demotion: (tier, because) => `已降为 ${tier}：${because}`,
  limit: ({ name, used, max, tier }) => `已达到限额 ${name}（${used} / ${max}），之后为 ${tier}`,
  human: (mark) => `需要人工：${markZh(mark)}`,
  headless: (tier) => `此处无人可问，因此 ask 变为 ${tier}`,
  permit: (id) => `此前已批准（${id}）`,
  at: (sentence, file, line) => `${sentence}（${file}:${line}）`,
  builtIn: (sentence) => `${sentence}（内置；此处没有已接受的策略文件）`,
};
