import type { EntryKind } from "../../core/ledger.ts";
import type { Language } from "../words.ts";

// What each kind of entry says, in plain words. `{who}` is who did it; the other names are found in the entry itself.

export const KIND_WORDS: { readonly [K in EntryKind]: { readonly [L in Language]: string } } = {
  "policy.loaded": { en: "the policy {path} came into use", zh: "策略 {path} 开始使用" },
  "policy.accepted": { en: "{who} accepted the policy {path}", zh: "{who} 接受了策略 {path}" },
  "call.decided": { en: "{agent} asked to use {tool}: {tier}", zh: "{agent} 请求使用 {tool}：{tier}" },
  "call.delegated": {
    en: "the host of {agent} asks its own user about {tool}",
    zh: "{agent} 的宿主程序就 {tool} 询问其用户",
  },
  "call.refused": { en: "{agent} sent {tool} again: {reason}", zh: "{agent} 再次提交 {tool}：{reason}" },
  "approval.opened": {
    en: "reviewers are asked whether {agent} may use {tool}",
    zh: "就 {agent} 使用 {tool} 询问审阅者",
  },
  "approval.reviewed": {
    en: "{who} answered {verdict} to {agent} using {tool}",
    zh: "{who} 对 {agent} 使用 {tool} 答复：{verdict}",
  },
  "approval.approved": {
    en: "{agent} may use {tool}: {who} approved last",
    zh: "{agent} 可以使用 {tool}：{who} 最后批准",
  },
  "approval.denied": { en: "{who} denied {tool} to {agent}: {note}", zh: "{who} 拒绝 {agent} 使用 {tool}：{note}" },
  "approval.expired": {
    en: "nobody answered {agent} about {tool} in time",
    zh: "无人及时答复 {agent} 关于 {tool} 的请求",
  },
  "approval.cancelled": {
    en: "{who} withdrew the question about {tool} by {agent}",
    zh: "{who} 撤回了 {agent} 关于 {tool} 的请求",
  },
  "approval.superseded": {
    en: "another question replaced the one about {tool} by {agent}",
    zh: "{agent} 关于 {tool} 的请求被另一请求取代",
  },
  "approval.escalated": {
    en: "more people may answer {agent} about {tool}",
    zh: "更多人可以答复 {agent} 关于 {tool} 的请求",
  },
  "approval.reopened": {
    en: "reviewers are asked again whether {agent} may use {tool}: {why}",
    zh: "就 {agent} 使用 {tool} 再次询问审阅者：{why}",
  },
  "approval.joined": {
    en: "{person} asks for the same: whether {agent} may use {tool}",
    zh: "{person} 也请求同一件事：{agent} 使用 {tool}",
  },
  "review.refused": {
    en: "an answer in the name of {person} did not count: {reason}",
    zh: "以 {person} 名义的答复未计入：{reason}",
  },
  "execution.claimed": { en: "{tool} of {agent} begins", zh: "{agent} 的 {tool} 开始执行" },
  "execution.handed": { en: "{tool} was handed to the host of {agent}", zh: "{tool} 交由 {agent} 的宿主程序执行" },
  "execution.succeeded": { en: "{tool} of {agent} went well", zh: "{agent} 的 {tool} 执行成功" },
  "execution.failed": { en: "{tool} of {agent} failed: {error}", zh: "{agent} 的 {tool} 执行失败：{error}" },
  "execution.released": { en: "{tool} of {agent} did not start: {why}", zh: "{agent} 的 {tool} 未开始：{why}" },
  "execution.unknown": { en: "nobody knows how {tool} of {agent} ended", zh: "{agent} 的 {tool} 结果不明" },
  "execution.lapsed": {
    en: "{agent} never said how {calls} of its calls of {tool} ended",
    zh: "{agent} 未告知其 {calls} 次 {tool} 调用的结果",
  },
  "execution.reconciled": {
    en: "{who} looked: {tool} of {agent} {outcome}: {note}",
    zh: "{who} 查看后确认 {agent} 的 {tool} {outcome}：{note}",
  },
  "execution.void": { en: "the right to use {tool} ended unused: {why}", zh: "使用 {tool} 的许可未用即止：{why}" },
  "grant.created": {
    en: "{who} granted {agent} something in advance: {because}",
    zh: "{who} 预先授权 {agent}：{because}",
  },
  "grant.used": { en: "{agent} used a grant", zh: "{agent} 使用了一项授权" },
  "grant.revoked": { en: "{who} took a grant back", zh: "{who} 收回了一项授权" },
  "grant.expired": { en: "a grant ended", zh: "一项授权到期" },
  "limit.reached": { en: "{agent} reached the limit {limit} with {tool}", zh: "{agent} 使用 {tool} 达到限额 {limit}" },
  "trust.promoted": {
    en: "{who} promoted {agent} to {tier}: {because}",
    zh: "{who} 将 {agent} 提升为 {tier}：{because}",
  },
  "trust.demoted": { en: "{who} demoted {agent} to {tier}: {because}", zh: "{who} 将 {agent} 降为 {tier}：{because}" },
  "tool.declared": { en: "{who} declared what {tool} does: {class}", zh: "{who} 声明了 {tool} 的作用：{class}" },
  "tool.forgotten": { en: "{who} took back the declaration of {tool}", zh: "{who} 撤回了对 {tool} 的声明" },
  "pause.set": { en: "{who} paused {scope}: {because}", zh: "{who} 暂停了 {scope}：{because}" },
  "pause.lifted": { en: "{who} lifted the pause of {scope}", zh: "{who} 解除了 {scope} 的暂停" },
  "notice.dead": { en: "a notice could not be delivered: {why}", zh: "一条通知未能送达：{why}" },
  "person.added": { en: "{who} added {person}", zh: "{who} 添加了 {person}" },
  "person.changed": {
    en: "{who} changed how {person} signs in, or as what",
    zh: "{who} 更改了 {person} 的登录方式或角色",
  },
  "person.joined": { en: "{person} accepted an invitation", zh: "{person} 接受了邀请" },
  "person.removed": { en: "{who} removed {person}", zh: "{who} 移除了 {person}" },
  "passphrase.wrong": { en: "a wrong passphrase for {person}, to {to}", zh: "{person} 的口令错误（{to}）" },
  "token.added": { en: "{who} made a token for {holder}", zh: "{who} 为 {holder} 创建了令牌" },
  "token.used": { en: "a sign-in link of {person} was used", zh: "{person} 的登录链接已使用" },
  "token.revoked": { en: "{who} revoked a token of {holder}", zh: "{who} 撤销了 {holder} 的令牌" },
  "signin.started": { en: "{person} signed in ({assurance})", zh: "{person} 登录（{assurance}）" },
  "signin.proved": { en: "{person} proved once more who they are", zh: "{person} 再次证明了身份" },
  "signin.ended": { en: "{person} signed out", zh: "{person} 退出登录" },
  "agent.registered": { en: "{agent} asked for the first time", zh: "{agent} 首次提出请求" },
  "agent.changed": { en: "{who} made {owner} the owner of {agent}", zh: "{who} 将 {agent} 的所有者改为 {owner}" },
  "session.ended": { en: "a session ended", zh: "一个会话结束" },
  "secret.revealed": { en: "{who} looked at a secret", zh: "{who} 查看了一项机密" },
  "body.erased": {
    en: "{who} erased what entry {entry} said: {because}",
    zh: "{who} 抹除了第 {entry} 条的内容：{because}",
  },
  "clock.behind": { en: "the clock of this machine went back", zh: "本机时钟被调回" },
  "clock.right": { en: "the clock of this machine is right again", zh: "本机时钟恢复正常" },
  "ledger.restored": { en: "a backup was put in the place of the database", zh: "已用备份替换数据库" },
  "ledger.recovered": { en: "{who} said why the database went back", zh: "{who} 说明了数据库回退的原因" },
  "ledger.sealed": { en: "the record was signed up to entry {entry}", zh: "记录已签名至第 {entry} 条" },
};
