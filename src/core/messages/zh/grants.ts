import type { GRANTS as ENGLISH } from "../en/grants.ts";

// Why a call cannot be remembered, and what a track record suggests to grant, in Chinese.

// biome-ignore format: one line each
export const GRANTS: { readonly [Id in keyof typeof ENGLISH]: string } = {
  "remember.sub_agent": "此调用由子智能体发起，而授权只针对一个智能体",
  "remember.not_understood": "此调用的作用未被完全理解，无法判断哪些调用与之相同",
  "remember.no_target": "此调用没有可供授权限定的目标",
  "remember.unresolved_path": "此调用中某个文件的路径无法确定",
  "remember.last_star": "此命令的最后一个词是 `*`，授权会将其视为任何参数",
  "remember.needs_human": "此调用每次都需要人工审核",
  "remember.no_lift": "无论此前授予了什么，策略每次都要询问此调用",
  "remember.class": "{class}每次都要审核",
  "remember.variables": "命令设置了{names}，可能改变程序的行为",
  "remember.grave": "`{program}` 属于会删除数据或控制机器的程序，每次使用都要审核",
  "remember.launcher": "`{program}` 可以启动任何其他程序，记住它等于允许一切",
  "remember.launcher_unnamed": "此命令可以启动任何其他程序，记住它等于允许一切",

  "suggestion.path": "{agent}的{count}次 `{class}`（在 `{where}`）中有{good}次在{days}天内获批（下限{percent} %）：是否授权？",
  "suggestion.domain": "{agent}的{count}次 `{class}`（在 `{where}`）中有{good}次在{days}天内获批（下限{percent} %）：是否授权？",
  "suggestion.tool": "{agent}的{count}次 `{class}`（用 `{where}`）中有{good}次在{days}天内获批（下限{percent} %）：是否授权？",
  "suggestion.command": "{agent}的{count}次 `{class}`（即 `{where}`）中有{good}次在{days}天内获批（下限{percent} %）：是否授权？",
  "suggestion.takes_command": "它接受命令",
  "suggestion.by_name": "其名称如此表明",
  "suggestion.by_description": "其描述如此表明",
  "suggestion.may_destroy": "其服务器称它可能破坏内容",
  "suggestion.only_reads": "其服务器称它只读取",
};
