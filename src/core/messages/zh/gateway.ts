import type { GATEWAY as ENGLISH } from "../en/gateway.ts";

// What the MCP gateway tells models, in Chinese.

// biome-ignore format: one line each
export const GATEWAY: { readonly [Id in keyof typeof ENGLISH]: string } = {
  "gateway.wait": "要等待答复，请以编号 {id} 调用工具 leeway_wait：获批后它会执行该调用并返回结果。",
  "gateway.waiting": "正在等待有人答复问题 {id}",
  "gateway.hidden": "Leeway 隐藏了 MCP 服务器{server}的此工具：其定义为新的或已更改，尚无人接受。调用它会请人审阅该定义。",
  "gateway.asked": "已请人审阅该工具的定义；问题编号为 {id}。",
  "gateway.refused": "{person}已审阅此工具的定义并拒绝了它。",
  "gateway.drifted": "在调用等待期间，此工具的定义发生了变化，因此该调用未执行。",
  "gateway.uncompared": "MCP 服务器 {server} 未能说明此工具是否仍是已批准的那个（{why}），因此该调用未执行。批准仍然有效：请再次发起相同的调用。",
  "gateway.gone": "MCP 服务器{server}在调用执行期间停止（{why}）。该调用是否产生了影响尚不清楚。在您或他人检查之前，请勿重试。",
  "gateway.unrecorded": "该调用已执行，但无法记录其结果（{why}）。请勿重试；请告知用户。",
  "gateway.undecided": "Leeway 无法作出决定，因此该调用未执行：{why}。请勿重试；请告知用户。",
  "gateway.cut": "该调用此前已执行。其结果过大而无法保存；以下是其开头。",
  "gateway.edited": "审阅者修改了此调用的参数。它以如下参数执行：{args}",
  "gateway.not_yours": "此会话没有问题 {id}。如果该调用是在先前的会话中发出的，请再次发出相同的调用：它会等待同一个问题。",
  "gateway.login_needed": "MCP 服务器{server}要求有人登录，而目前无人登录，因此未执行。请勿重试；请先让用户在终端运行 `leeway mcp login {server}`。",
  "gateway.login_lacks": "在 MCP 服务器{server}的登录不允许此操作，因此未执行。请勿重试；请让用户在终端运行 `leeway mcp login {server}`，以请求缺少的权限。",
  "gateway.login_tools": "MCP 服务器{server}的工具不可用，因为无人在那里登录。请让用户在终端运行 `leeway mcp login {server}`；之后这些工具就会出现。",
  "gateway.no_token": "没有发送令牌",
  "gateway.bad_token": "该令牌在此无效：未知、已撤销或已过期",
  "gateway.person_token": "这是某个人的令牌，而只有智能体使用此地址",
  "gateway.make_agent_token": "请在标头 `Authorization: Bearer …` 中发送智能体的令牌；`leeway tokens add --agent NAME` 可创建令牌",
  "gateway.no_pages": "浏览器中的页面不能使用此地址；请使用作为程序运行的 MCP 客户端",
  "gateway.printed_address": "请使用 `leeway mcp --http` 打印的地址",
  "gateway.many_sessions": "打开的会话过多：{count}",
  "gateway.end_sessions": "结束不再使用的会话（DELETE），或等待它们自行结束",
  "gateway.about_wait": "等待有人答复 Leeway 关于您某次调用的问题。若获批，则执行该调用并返回其结果。若约一分钟后仍无人答复，请再次调用此工具。",
  "gateway.about_status": "说明 Leeway 关于您某次调用的问题的状态，不等待。",
  "gateway.about_id": "问题的编号：以 apr_ 开头。",
};
