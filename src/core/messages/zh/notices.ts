import type { NOTICES as ENGLISH } from "../en/notices.ts";

// What people are told besides being asked, in Chinese.

// biome-ignore format: one line each
export const NOTICES: { readonly [Id in keyof typeof ENGLISH]: string } = {
  "notice.asks": "{agent}请求使用{tool}",
  "notice.still_waits": "{agent}仍在等待使用{tool}",
  "notice.nobody_answered": "尚无人答复：{agent}请求使用{tool}",
  "notice.decided": "{agent}关于{tool}的请求已有答复",
  "notice.used": "{agent}使用了{tool}",
  "notice.ran_well": "{agent}执行了{call}：成功",
  "notice.ran_badly": "{agent}执行了{call}：失败",
  "notice.outcome_unknown": "{agent}执行了{tool}：结果不明",
  "notice.not_run": "{agent}不能再执行{tool}：已批准但未执行",
  "notice.limit_reached": "{agent}使用{tool}时达到限额",
  "notice.paused": "{agent}被暂停使用{tool}",
  "notice.signed_in": "{person}登录",
  "notice.passphrase_set": "{by}设置了{person}的口令",
  "notice.token_read": "{by}创建了能以{person}名义读取的令牌",
  "notice.token_approve": "{by}创建了能以{person}名义批准的令牌",
  "notice.link_made": "{by}创建了能以{person}名义登录的链接",
  "notice.calls_ran": "{count} {count|次|次}调用已执行并告知",
  "notice.ran_under_notify": "已执行并告知",
  "notice.approved_by": "由{person}批准",
  "notice.denied_by": "由{person}拒绝",
  "notice.succeeded": "成功",
  "notice.failed": "失败",
  "notice.signed_in_by": "方式：{means}，浏览器：{browser}；若非您本人，请在设置中结束该登录",
  "notice.unknown_browser": "未知浏览器",
  "notice.by_link": "链接",
  "notice.by_passphrase": "口令",
  "notice.by_passkey": "通行密钥",
  "notice.by_account": "公司账号",
  "notice.passphrase_theirs": "您用它所做的一切都算作对方的；使用您自己的通行密钥或接受邀请后，才算作您本人的",
  "notice.revoke_if_not_asked": "若非您所要求，请在“人员”中撤销并告知管理员",
};
