import type { EntryKind } from "../../core/ledger.ts";
import type { Language } from "./words.ts";

// What each kind of entry says, in plain words. `{who}` is who did it; the other names are found in the entry itself.

export const KIND_WORDS: { readonly [K in EntryKind]: { readonly [L in Language]: string } } = {
  "policy.loaded": { en: "the policy {path} came into use", zh: "策略 {path} 开始使用" },
  "policy.accepted": { en: "{who} accepted the policy {path}", zh: "{who} 接受了策略 {path}" },
  "call.decided": { en: "{agent} asked to use {tool}: {tier}", zh: "{agent} 请求使用 {tool}：{tier}" },
  "call.delegated": {
    en: "the program that runs {agent} asks its own user about {tool}",
    zh: "运行 {agent} 的程序就 {tool} 询问其用户",
  },
  "call.reported": {
    en: "the program that runs {agent} ran {tool} after its own user was asked: {ended}",
    zh: "运行 {agent} 的程序在询问其用户后执行了 {tool}：{ended}",
  },
  "call.refused": {
    en: "{agent} called {tool} again and was refused: {reason}",
    zh: "{agent} 再次调用 {tool}，已被拒绝：{reason}",
  },
  "approval.opened": {
    en: "reviewers are asked whether {agent} may use {tool}",
    zh: "就 {agent} 使用 {tool} 询问审阅者",
  },
  "approval.reviewed": {
    en: "{who} answered {agent}'s call of {tool}: {verdict}",
    zh: "{who} 对 {agent} 使用 {tool} 答复：{verdict}",
  },
  "approval.approved": {
    en: "{agent} may use {tool}: {who} gave the last approval needed",
    zh: "{agent} 可以使用 {tool}：{who} 给出了所需的最后一次批准",
  },
  "approval.denied": {
    en: "{who} did not allow {agent} to use {tool}: {note}",
    zh: "{who} 拒绝 {agent} 使用 {tool}：{note}",
  },
  "approval.expired": {
    en: "nobody answered {agent} about {tool} in time",
    zh: "无人及时答复 {agent} 关于 {tool} 的请求",
  },
  "approval.cancelled": {
    en: "{who} withdrew {agent}'s question about {tool}",
    zh: "{who} 撤回了 {agent} 关于 {tool} 的请求",
  },
  "approval.superseded": {
    en: "another question replaced {agent}'s question about {tool}",
    zh: "{agent} 关于 {tool} 的请求已被另一请求取代",
  },
  "approval.escalated": {
    en: "more people may now answer {agent}'s question about {tool}",
    zh: "现在更多人可以答复 {agent} 关于 {tool} 的请求",
  },
  "approval.reopened": {
    en: "reviewers are asked again whether {agent} may use {tool}: {why}",
    zh: "就 {agent} 使用 {tool} 再次询问审阅者：{why}",
  },
  "approval.joined": {
    en: "{person} asked the same question: whether {agent} may use {tool}",
    zh: "{person} 也请求同一件事：{agent} 使用 {tool}",
  },
  "approval.replied": {
    en: "{who} wrote to {agent} about {tool}: {text}",
    zh: "{who} 就 {tool} 写给 {agent}：{text}",
  },
  "approval.handed": {
    en: "{who} asked {to} to answer {agent}'s question about {tool}",
    zh: "{who} 请 {to} 答复 {agent} 关于 {tool} 的请求",
  },
  "review.refused": {
    en: "an answer by {person} was not counted: {reason}",
    zh: "{person} 的答复未计入：{reason}",
  },
  "execution.claimed": { en: "{agent} started {tool}", zh: "{agent} 开始执行 {tool}" },
  "execution.handed": {
    en: "{tool} was handed to the program that runs {agent}",
    zh: "{tool} 已交由运行 {agent} 的程序执行",
  },
  "execution.prompted": {
    en: "the program that runs {agent} would have asked its own user about {tool}; Leeway had let it run, and answered yes",
    zh: "运行 {agent} 的程序本要就 {tool} 询问其用户；Leeway 已允许执行，因此答复了“是”",
  },
  "execution.succeeded": { en: "{agent} ran {tool}: succeeded", zh: "{agent} 执行 {tool}：成功" },
  "execution.failed": { en: "{agent} ran {tool}: failed: {error}", zh: "{agent} 执行 {tool}：失败：{error}" },
  "execution.released": { en: "{agent} did not start {tool}: {why}", zh: "{agent} 未开始执行 {tool}：{why}" },
  "execution.unknown": { en: "{agent} ran {tool}: the result is unknown", zh: "{agent} 执行 {tool}：结果不明" },
  "execution.lapsed": {
    en: "{agent} did not report the result of {calls} calls of {tool}",
    zh: "{agent} 未报告 {calls} 次 {tool} 调用的结果",
  },
  "execution.reconciled": {
    en: "{who} checked the result of {agent}'s {tool}: {outcome}: {note}",
    zh: "{who} 核实了 {agent} 执行 {tool} 的结果：{outcome}：{note}",
  },
  "execution.void": {
    en: "the permission to use {tool} ended before it was used: {why}",
    zh: "使用 {tool} 的许可在使用之前就已结束：{why}",
  },
  "grant.created": {
    en: "{who} added a grant for {agent}: {because}",
    zh: "{who} 为 {agent} 添加了授权：{because}",
  },
  "grant.used": { en: "{agent} used a grant", zh: "{agent} 使用了一项授权" },
  "grant.revoked": { en: "{who} revoked a grant", zh: "{who} 撤销了一项授权" },
  "grant.expired": { en: "a grant expired", zh: "一项授权到期" },
  "limit.reached": { en: "{agent} reached the limit {limit} with {tool}", zh: "{agent} 使用 {tool} 达到限额 {limit}" },
  "trust.promoted": {
    en: "{who} promoted {agent} to {tier}: {because}",
    zh: "{who} 将 {agent} 提升为 {tier}：{because}",
  },
  "trust.demoted": { en: "{who} demoted {agent} to {tier}: {because}", zh: "{who} 将 {agent} 降为 {tier}：{because}" },
  "tool.declared": { en: "{who} declared what {tool} does: {class}", zh: "{who} 声明了 {tool} 的作用：{class}" },
  "tool.forgotten": { en: "{who} removed the declaration of {tool}", zh: "{who} 移除了对 {tool} 的声明" },
  "pause.set": { en: "{who} paused {scope}: {because}", zh: "{who} 暂停了 {scope}：{because}" },
  "pause.lifted": { en: "{who} lifted the pause of {scope}", zh: "{who} 解除了 {scope} 的暂停" },
  "notice.dead": { en: "a notice could not be delivered: {why}", zh: "一条通知未能送达：{why}" },
  "notice.retried": {
    en: "{who} sent a notice again that had been given up ({channel})",
    zh: "{who} 让一条已放弃的通知重新发送（{channel}）",
  },
  "person.added": { en: "{who} added {person}", zh: "{who} 添加了 {person}" },
  "person.changed": {
    en: "{who} changed the role or the sign-in of {person}",
    zh: "{who} 更改了 {person} 的角色或登录方式",
  },
  "person.joined": { en: "{person} accepted an invitation", zh: "{person} 接受了邀请" },
  "person.removed": { en: "{who} removed {person}", zh: "{who} 移除了 {person}" },
  "passphrase.wrong": { en: "wrong passphrase for {person} (to {to})", zh: "{person} 的口令错误（{to}）" },
  "token.added": { en: "{who} made a token for {holder}", zh: "{who} 为 {holder} 创建了令牌" },
  "token.used": { en: "a sign-in link of {person} was used", zh: "{person} 的登录链接已使用" },
  "token.revoked": { en: "{who} revoked a token of {holder}", zh: "{who} 撤销了 {holder} 的令牌" },
  "signin.started": { en: "{person} signed in ({assurance})", zh: "{person} 登录（{assurance}）" },
  "signin.proved": { en: "{person} signed in again to confirm who they are", zh: "{person} 再次登录以确认身份" },
  "signin.ended": { en: "{person} signed out", zh: "{person} 退出登录" },
  "agent.registered": { en: "{agent} made its first call", zh: "{agent} 首次发起调用" },
  "agent.changed": { en: "{who} made {owner} the owner of {agent}", zh: "{who} 将 {agent} 的所有者改为 {owner}" },
  "session.ended": { en: "a session ended", zh: "一个会话结束" },
  "login.added": {
    en: "{who} signed in at the MCP server {server} for the gateway",
    zh: "{who} 为网关登录了 MCP 服务器 {server}",
  },
  "login.ended": {
    en: "{who} ended the login at the MCP server {server}",
    zh: "{who} 结束了在 MCP 服务器 {server} 的登录",
  },
  "workspace.added": { en: "{who} added the workspace {name}", zh: "{who} 添加了工作区 {name}" },
  "workspace.removed": { en: "{who} removed the workspace {name}", zh: "{who} 移除了工作区 {name}" },
  "secret.revealed": { en: "{who} looked at a secret", zh: "{who} 查看了一项机密" },
  "body.erased": {
    en: "{who} erased the content of entry {entry}: {because}",
    zh: "{who} 抹除了第 {entry} 条的内容：{because}",
  },
  "clock.behind": { en: "the clock of this machine was set back", zh: "本机时钟被调回" },
  "clock.right": { en: "the clock of this machine is right again", zh: "本机时钟恢复正常" },
  "ledger.restored": { en: "the database was replaced by a backup", zh: "已用备份替换数据库" },
  "ledger.recovered": {
    en: "{who} explained why the database is older than it was",
    zh: "{who} 说明了数据库为何比之前更旧",
  },
  "ledger.sealed": { en: "the entries up to {entry} were signed", zh: "第 {entry} 条及之前的记录已签名" },
};

/** What an entry about a refused answer says if the person did not try to answer, but to do this instead. */
export const TRIED_WORDS: { readonly [does: string]: { readonly [L in Language]: string } } = {
  reply: { en: "{person} could not write to {agent}: {reason}", zh: "{person} 未能写给 {agent}：{reason}" },
  handover: { en: "{person} could not hand the question over: {reason}", zh: "{person} 未能转交请求：{reason}" },
  snooze: { en: "{person} could not put the question aside: {reason}", zh: "{person} 未能搁置请求：{reason}" },
};
