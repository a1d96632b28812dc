import { ChannelFailure } from "../../ports.ts";

// What the error codes of Feishu's API mean for a message, and what somebody can do about each.

type Kind = ChannelFailure["kind"];

/** The access token is missing, wrong or expired: a new one is fetched and the request is sent again, once. */
const TOKEN_CODES: readonly number[] = [99991661, 99991663, 99991664, 99991668, 99991671, 99991677];

/** A permission is missing that the request needs. */
export const SCOPE_CODE = 99991672;

/** The whole app asked too often. Feishu says in a header how long to wait. */
export const APP_LIMIT_CODE = 99991400;

export function isTokenCode(code: number): boolean {
  return TOKEN_CODES.includes(code);
}

/**
 * `down` is what stops every message until somebody repairs it: nothing is lost meanwhile. `refused` concerns this message
 * or this chat alone, and `gone` this account.
 */
const MEANINGS: Readonly<Record<number, { kind: Kind; why: string }>> = {
  10003: { kind: "down", why: "the app id or the app secret is wrong: copy both again from Credentials & Basic Info" },
  10014: { kind: "down", why: "the app secret is wrong: copy it again from Credentials & Basic Info" },
  10015: { kind: "down", why: "the app secret is wrong: copy it again from Credentials & Basic Info" },
  99991543: {
    kind: "down",
    why: "the app id or the app secret is wrong: copy both again from Credentials & Basic Info",
  },
  99991662: { kind: "down", why: "the app is not enabled: ask an admin of the company to enable it" },
  99991673: { kind: "down", why: "the app is not available: publish a version of it and let an admin approve it" },
  99991401: {
    kind: "down",
    why: "the address of this server is not in the app's list of allowed addresses: add it under Security Settings",
  },
  99991672: {
    kind: "down",
    why: "the app lacks a permission: add `im:message:send_as_bot` under Permissions & Scopes and publish a new version",
  },
  230027: {
    kind: "down",
    why: "the app lacks a permission: add `im:message:send_as_bot` under Permissions & Scopes and publish a new version",
  },
  230006: { kind: "down", why: "the app has no bot: add the Bot feature and publish a new version" },
  11205: { kind: "down", why: "the app has no bot: add the Bot feature and publish a new version" },
  230020: { kind: "busy", why: "this person or chat gets more messages than Feishu allows" },
  230049: { kind: "busy", why: "the message is still being sent" },
  230029: { kind: "gone", why: "this person has left the company" },
  230034: { kind: "gone", why: "this account is not known to Feishu" },
  99992351: { kind: "gone", why: "this user id is not known to Feishu" },
  99992352: { kind: "gone", why: "this open id is not known to Feishu" },
  99992361: { kind: "gone", why: "this open id belongs to another app: the person links the account again" },
  230011: { kind: "gone", why: "the message was recalled" },
  230110: { kind: "gone", why: "the message was deleted" },
  230031: { kind: "gone", why: "the message is older than 14 days and cannot be changed any more" },
  230002: { kind: "refused", why: "the bot is not in this chat: add it to the chat" },
  230013: {
    kind: "refused",
    why: "the app is not available to this person: add them under Availability and publish a new version",
  },
  230018: {
    kind: "refused",
    why: "the settings of this chat do not let the bot write: allow it in the chat's settings",
  },
  230035: {
    kind: "refused",
    why: "the settings of this chat do not let the bot write: allow it in the chat's settings",
  },
  230053: {
    kind: "refused",
    why: "this person does not want messages of the bot: they allow them in the bot's settings",
  },
  232009: { kind: "refused", why: "this chat was dissolved: set another one in the policy" },
  230025: { kind: "refused", why: "the message is too long" },
};

const SAID_MAX = 200;

/** An answer that says why it was not done. */
export class FeishuFailure extends ChannelFailure {
  readonly code: number;

  constructor(code: number, kind: Kind, why: string, retryAfterMs?: number) {
    super(kind, why, retryAfterMs);
    this.code = code;
  }
}

/** Codes that are not in the table are refusals: the same message would be refused again. */
export function failureOf(code: number, said: string, waitMs: number | undefined): FeishuFailure {
  const words = `Feishu answered ${code}${said === "" ? "" : `: ${said.slice(0, SAID_MAX)}`}`;
  if (code === APP_LIMIT_CODE) return new FeishuFailure(code, "busy", "Feishu asks this app to wait", waitMs);
  const meaning = MEANINGS[code] ?? unlisted(code, said);
  return new FeishuFailure(code, meaning.kind, meaning.why === "" ? words : `${meaning.why} (${words})`, waitMs);
}

/** A wrong parameter is told with one code for all of them; which one it was stands in the text. */
function unlisted(code: number, said: string): { kind: Kind; why: string } {
  if (code === 230001 && said.includes("invalid receive_id"))
    return { kind: "gone", why: "this account or chat is not known to Feishu" };
  return { kind: "refused", why: "" };
}
