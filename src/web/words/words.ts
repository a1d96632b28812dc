// The texts of the pages in all languages. What a call would do is described by the card.

import type { Language } from "../../core/messages/text.ts";
import { INBOX_EN } from "./inbox-en.ts";
import { INBOX_ZH } from "./inbox-zh.ts";
import { PAGES_EN } from "./pages-en.ts";
import { PAGES_ZH } from "./pages-zh.ts";
import { REACH_EN } from "./reach-en.ts";
import { REACH_ZH } from "./reach-zh.ts";
import { STANDING_EN } from "./standing-en.ts";
import { STANDING_ZH } from "./standing-zh.ts";

const EN = {
  ...PAGES_EN,
  ...STANDING_EN,
  ...INBOX_EN,
  ...REACH_EN,
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
  signInWhy: "Your answers decide what agents may do, so Leeway must know that it is you.",
  proveAgain: "This action gives more power. Please sign in again to confirm that it is you.",
  demoSignIn: "This is a demo. You are",
  demoPassphrase: "; the passphrase is",
  nothingWaits: "Nothing is waiting for you.",
  nothingWaitsMore: "New questions from agents appear here automatically.",
  waiting: "waiting",
  approve: "Approve",
  deny: "Deny",
  denyWhy: "Why do you deny it? The agent will read this.",
  remember: "Remember",
  rememberWhy: "Approve, and don't ask again for:",
  rememberFor: "for",
  justThis: "Do not remember, only this call",
  forHours: "24 hours",
  forDay: "7 days",
  forFive: "5 times",
  showAll: "Show everything",
  moreLines: "more lines",
  moreLetters: "more characters",
  showAllWhy: "This is too long to show here. You must see all of it before you can approve.",
  readOnly: "You can read this question, but you cannot answer it.",
  notYours: "Other reviewers answer this question.",
  needsHuman: "needs a human",
  older: "Older",
  lessUrgent: "Less urgent",
  answered: "Answered.",
  approvedIt: "Approved",
  rememberedIt: "Approved and remembered",
  deniedIt: "Denied",
  counted: "Your answer was counted. More people must answer.",
  withPasskey: "Sign in with a passkey",
  addPasskey: "Add a passkey on this device",
  withAccount: "Sign in with your company account",
  passkeys: "Passkeys",
  removePasskey: "Remove this passkey",
  passkeyFailed: "This passkey did not work. Try another passkey, or use your passphrase.",
  strangeAccount: "Your company account is valid, but it is not linked to a person in Leeway. An admin can link it:",
  skip: "Skip to the content",
  keys: "Keyboard shortcuts",
  close: "Close",
  noPolicy: "No policy could be loaded. Everything is denied until one loads.",
  paused: "Everything is paused.",
  pauseShort: "Pause",
  pausedShort: "Paused",
  deadNotices: "Some notices could not be delivered.",
  inTheClear:
    "Passphrases and tokens are sent over the network without encryption, so others on the network can read them. Start the server with an https --url, or let it listen on 127.0.0.1 only.",
} as const;

export type Words = { readonly [K in keyof typeof EN]: string };
export type { Language };

const ZH: Words = {
  ...PAGES_ZH,
  ...STANDING_ZH,
  ...INBOX_ZH,
  ...REACH_ZH,
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
  nothingWaitsMore: "智能体的新请求会自动出现在这里。",
  waiting: "待处理",
  approve: "批准",
  deny: "拒绝",
  denyWhy: "为什么拒绝？智能体会读到这句话。",
  remember: "记住",
  rememberWhy: "批准，并且以后不再询问：",
  rememberFor: "有效期",
  justThis: "不记住，仅限此次调用",
  forHours: "24 小时",
  forDay: "7 天",
  forFive: "5 次",
  showAll: "显示全部",
  moreLines: "行未显示",
  moreLetters: "个字符未显示",
  showAllWhy: "内容过长，无法在此全部显示。批准前必须查看全部内容。",
  readOnly: "您可以查看此请求，但不能作答。",
  notYours: "此请求由其他审阅者处理。",
  needsHuman: "需要人工",
  older: "更早",
  lessUrgent: "不太紧急的",
  answered: "已作答。",
  approvedIt: "已批准",
  rememberedIt: "已批准并记住",
  deniedIt: "已拒绝",
  counted: "您的答复已计入，还需要其他人作答。",
  withPasskey: "使用通行密钥登录",
  addPasskey: "添加此设备的通行密钥",
  withAccount: "使用公司账号登录",
  passkeys: "通行密钥",
  removePasskey: "移除此通行密钥",
  passkeyFailed: "此通行密钥未能使用。请换一个通行密钥，或使用口令。",
  strangeAccount: "您的公司账号有效，但在 Leeway 中没有与任何人员关联。管理员可以这样关联：",
  skip: "跳到正文",
  keys: "快捷键",
  close: "关闭",
  noPolicy: "没有策略能够加载。在有策略加载之前，一切都会被拒绝。",
  paused: "一切都已暂停。",
  pauseShort: "暂停",
  pausedShort: "已暂停",
  deadNotices: "有些通知未能送达。",
  inTheClear:
    "口令和令牌未经加密就在网络上传输，网络中的其他人可以读到。请用 https 的 --url 启动服务器，或只监听 127.0.0.1。",
};

/** Messages that a page can show after an action. */
export const TOLD = [
  "answered",
  "counted",
  "answeredAll",
  "pickFirst",
  "editedNow",
  "withdrawn",
  "replied",
  "handedToThem",
  "putAside",
  "hadBack",
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
  "reachSaved",
  "contactLinked",
  "contactRemoved",
  "retried",
  "deviceRemoved",
] as const satisfies readonly (keyof Words)[];

const TABLE: { readonly [L in Language]: Words } = { en: EN, zh: ZH };

/** The chosen language, else the first supported language of the browser, else English. */
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
