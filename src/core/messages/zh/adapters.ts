import type { ADAPTERS as ENGLISH } from "../en/adapters.ts";

// 智能体 SDK 的适配器对模型和程序所说的内容。

// biome-ignore format: one line each
export const ADAPTERS: { readonly [Id in keyof typeof ENGLISH]: string } = {
  "adapter.edited": "审批人在批准此调用之前更改了其参数。你请求的是 {asked}；实际以 {ran} 执行。请使用此结果继续，不要再次发起原来的调用。",
  "adapter.unreported": "智能体程序结束时没有报告此调用的结果；再次执行之前请先检查它做了什么",
  "adapter.not_let_run": "Leeway 没有允许此调用执行。请勿重试此调用。",
  "adapter.ran_before": "此调用已获批准并且已经执行；请勿再次执行。其结果：{result}",
  "adapter.released": "此调用只需要询问，尚未开始执行",
  "adapter.no_execute": "此工具没有 `execute` 函数，因此无法置于闸门之后",
  "adapter.no_execute_hint": "如果它可以不经闸门运行，请将它与闸门的工具一起直接交给 SDK",
  "adapter.own_approval": "此工具有自己的 `needsApproval`，而一个问题不能有两个答案",
  "adapter.own_approval_hint": "请删除它，并改为在策略中写一条规则",
  "adapter.no_function_tool": "只有函数工具可以置于闸门之后，而此工具的类型是 `{type}`",
  "adapter.misfit": "审批人填写的参数不符合工具的输入要求：{why}",
};
