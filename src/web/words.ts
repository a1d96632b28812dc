// The words of the pages, in the languages they speak. What a call would do is said by the card, in its own words.

import type { Language } from "../core/messages/text.ts";
import { INBOX_EN } from "./words/inbox-en.ts";
import { INBOX_ZH } from "./words/inbox-zh.ts";
import { PAGES_EN } from "./words/pages-en.ts";
import { PAGES_ZH } from "./words/pages-zh.ts";
import { STANDING_EN } from "./words/standing-en.ts";
import { STANDING_ZH } from "./words/standing-zh.ts";

const EN = {
  ...PAGES_EN,
  ...STANDING_EN,
  ...INBOX_EN,
  inbox: "Inbox",
  activity: "Activity",
  agents: "Agents",
  grants: "Grants",
  policy: "Policy",
  people: "People",
  settings: "Settings",
  signIn: "Sign in",
  signOut: "Sign out",
  name: "Name",
  passphrase: "Passphrase",
  signInWhy: "You answer for what agents do, so Leeway has to know that it is you.",
  proveAgain: "This gives leeway, so please prove once more that it is you.",
  demoSignIn: "This is a demo. You are",
  demoPassphrase: "; the passphrase is",
  nothingWaits: "Nothing waits for you.",
  nothingWaitsMore: "When an agent asks, it appears here by itself.",
  waiting: "waiting",
  approve: "Approve",
  deny: "Deny",
  denyWhy: "Why not? The agent reads this.",
  remember: "Remember",
  rememberWhy: "Approve, and don't ask again for:",
  rememberFor: "for",
  justThis: "No, just this call",
  forHours: "24 hours",
  forDay: "7 days",
  forFive: "5 times",
  showAll: "Show everything",
  moreLines: "more lines",
  moreLetters: "more characters",
  showAllWhy: "It is too long to show at once. Approving needs the whole.",
  readOnly: "You may read this and not answer it.",
  notYours: "This is for other reviewers.",
  needsHuman: "needs a human",
  older: "Older",
  lessUrgent: "Less urgent ones",
  answered: "Answered.",
  approvedIt: "Approved",
  rememberedIt: "Approved and remembered",
  deniedIt: "Denied",
  counted: "Counted. More people have to answer.",
  withPasskey: "Sign in with a passkey",
  addPasskey: "Add a passkey of this device",
  withAccount: "Sign in with your company account",
  passkeys: "Passkeys",
  removePasskey: "Remove this passkey",
  passkeyFailed: "That did not work with this passkey. Use another one, or the passphrase.",
  strangeAccount: "Your account is known there, and to nobody here. An admin links it:",
  skip: "Skip to the content",
  keys: "Keys",
  close: "Close",
  noPolicy: "No policy loads: everything is denied until one does.",
  paused: "Everything is paused.",
  pauseShort: "Pause",
  pausedShort: "Paused",
  deadNotices: "Some notices could not be delivered.",
  inTheClear:
    "Passphrases and tokens cross the network in the clear: whoever is on the way can read them. Start the server with an https --url, or on 127.0.0.1.",
} as const;

export type Words = { readonly [K in keyof typeof EN]: string };
export type { Language };

const ZH: Words = {
  ...PAGES_ZH,
  ...STANDING_ZH,
  ...INBOX_ZH,
  inbox: "收件箱",
  activity: "活动",
  agents: "智能体",
  grants: "授权",
  policy: "策略",
  people: "人员",
  settings: "设置",
  signIn: "登录",
  signOut: "退出",
  name: "姓名",
  passphrase: "口令",
  signInWhy: "您要为智能体的行为作答，因此 Leeway 必须确认是您本人。",
  proveAgain: "此操作会放宽权限，请再次证明是您本人。",
  demoSignIn: "这是演示。您是",
  demoPassphrase: "，口令是",
  nothingWaits: "没有待您处理的请求。",
  nothingWaitsMore: "智能体提出请求时，会自动出现在这里。",
  waiting: "待处理",
  approve: "批准",
  deny: "拒绝",
  denyWhy: "为什么拒绝？智能体会读到这句话。",
  remember: "记住",
  rememberWhy: "批准，并且以后不再询问：",
  rememberFor: "有效期",
  justThis: "不，仅此一次",
  forHours: "24 小时",
  forDay: "7 天",
  forFive: "5 次",
  showAll: "显示全部",
  moreLines: "行未显示",
  moreLetters: "个字符未显示",
  showAllWhy: "内容过长，无法一次显示。批准前需要查看全部。",
  readOnly: "您可以查看，但不能作答。",
  notYours: "此请求由其他审阅者处理。",
  needsHuman: "需要人工",
  older: "更早",
  lessUrgent: "不太紧急的",
  answered: "已作答。",
  approvedIt: "已批准",
  rememberedIt: "已批准并记住",
  deniedIt: "已拒绝",
  counted: "已计入，还需要其他人作答。",
  withPasskey: "使用通行密钥登录",
  addPasskey: "添加此设备的通行密钥",
  withAccount: "使用公司账号登录",
  passkeys: "通行密钥",
  removePasskey: "移除此通行密钥",
  passkeyFailed: "此通行密钥未能使用。请换一个，或使用口令。",
  strangeAccount: "对方认识您的账号，但这里没有人与之关联。管理员可以这样关联：",
  skip: "跳到正文",
  keys: "快捷键",
  close: "关闭",
  noPolicy: "没有可用的策略：在加载之前一切都会被拒绝。",
  paused: "一切都已暂停。",
  pauseShort: "暂停",
  pausedShort: "已暂停",
  deadNotices: "有些通知未能送达。",
  inTheClear: "口令和令牌以明文经过网络，途中的任何人都能读到。请用 https 的 --url 启动服务器，或只监听 127.0.0.1。",
};

/** What a page may say after something was done. */
export const TOLD = [
  "answered",
  "counted",
  "answeredAll",
  "pickFirst",
  "editedNow",
  "withdrawn",
  "reconciled",
  "revoked",
  "declaredTool",
  "forgotTool",
  "granted",
  "promoted",
  "demoted",
  "pausedNow",
  "resumed",
  "handedOver",
  "accepted",
  "added",
  "personChanged",
  "removed",
  "passphraseSet",
  "signInEnded",
] as const satisfies readonly (keyof Words)[];

const TABLE: { readonly [L in Language]: Words } = { en: EN, zh: ZH };

/** What was chosen, else the first language of the browser that we speak, else English. */
export function languageOf(chosen: string | undefined, accepted: string | undefined): Language {
  if (chosen === "en" || chosen === "zh") return chosen;
  const first = (accepted ?? "")
    .split(",")
    .map((part) => part.trim().slice(0, 2).toLowerCase())
    .find((tag) => tag === "en" || tag === "zh");
  return first === "zh" ? "zh" : "en";
}

export function wordsOf(language: Language): Words {
  return TABLE[language];
}
