import { type Meaning, ServiceFailure } from "../service-failure.ts";

// What the error codes of Feishu's API mean for a message, and what somebody can do about each. Codes that begin with 23 are
// documented on the pages of the methods (im/v1/message/create and patch), the others on the page of generic error codes.

/** The access token is missing, wrong or expired: a new one is fetched and the request is sent again, once. */
const TOKEN_CODES: readonly number[] = [99991661, 99991663, 99991664, 99991668, 99991671, 99991677];

/** Errors inside Feishu: a later attempt may succeed. */
const INTERNAL_CODES: readonly number[] = [
  1500, 1503, 1551, 1557, 1642, 1663, 1665, 1668, 2200, 5000, 10101, 10105, 10500,
];

/** A permission is missing that the request needs. */
export const SCOPE_CODE = 99991672;

/** The whole app asked too often. Feishu says in a header how long to wait. */
export const APP_LIMIT_CODE = 99991400;

export function isTokenCode(code: number): boolean {
  return TOKEN_CODES.includes(code);
}

const CREDENTIALS = "the app id or the app secret is wrong: copy both again from Credentials & Basic Info";
const ENABLE = "ask an admin of the company to enable it";
const SCOPE =
  "the app lacks a permission: add `im:message:send_as_bot` under Permissions & Scopes and publish a new version";
const BOT = "the app has no bot: add the Bot feature and publish a new version";
const CHAT_SETTINGS = "the settings of this chat do not let the bot write: allow it in the chat's settings";
const CONTENT = "the company's rules do not let this message through: the question is in the inbox";

// biome-ignore format: one line each
const MEANINGS: Readonly<Record<number, Meaning>> = {
  // The app
  10003: ["down", CREDENTIALS],
  // Documented for an app that is disabled; the method that gives the token also answers it to a wrong secret.
  10014: ["down", "the app secret is wrong, or the app is disabled: copy the secret again from Credentials & Basic Info, and check that the app is enabled"],
  10015: ["down", "the app secret is wrong: copy it again from Credentials & Basic Info"],
  99991543: ["down", CREDENTIALS],
  11205: ["down", BOT],
  230006: ["down", BOT],
  11207: ["down", `the app is not available in this company: ${ENABLE}`],
  11209: ["down", CREDENTIALS],
  11210: ["down", `the app is not installed in this company: ${ENABLE}`],
  99991662: ["down", `the app is not enabled: ${ENABLE}`],
  99991673: ["down", "the app is not available: publish a version of it and let an admin approve it"],
  99991401: ["down", "the address of this server is not in the app's list of allowed addresses: add it under Security Settings"],
  99991403: ["down", "the company has used up its requests to Feishu for this month: ask an admin of the company for a larger plan"],
  [SCOPE_CODE]: ["down", SCOPE],
  230027: ["down", SCOPE],
  230036: ["down", "the company deleted the key that encrypts its messages: ask an admin of the company"],
  // Too many messages
  [APP_LIMIT_CODE]: ["busy", "Feishu asks this app to wait"],
  230020: ["busy", "this person or chat gets more messages than Feishu allows"],
  230049: ["busy", "the message is still being sent"],
  // The person
  230029: ["gone", "this person has left the company"],
  230034: ["gone", "this account is not known to Feishu"],
  99992351: ["gone", "this open id is not known to Feishu"],
  99992352: ["gone", "this open id is not known to Feishu"],
  99992353: ["gone", "this open id is not known to Feishu"],
  99992359: ["gone", "this user id is not known to Feishu"],
  99992360: ["gone", "this user id is not known to Feishu"],
  99992361: ["gone", "this open id belongs to another app: the person links the account again"],
  99992364: ["gone", "this user id belongs to another company: the person links the account again"],
  230013: ["refused", "the app is not available to this person: add them under Availability and publish a new version"],
  230038: ["refused", "this person is in another company, where the app may not write"],
  230053: ["refused", "this person does not want messages of the bot: they allow them in the bot's settings"],
  // The chat
  230002: ["refused", "the bot is not in this chat: add it to the chat"],
  230018: ["refused", CHAT_SETTINGS],
  230035: ["refused", CHAT_SETTINGS],
  232009: ["refused", "this chat was dissolved: set another one in the policy"],
  99992355: ["refused", "Feishu has no such chat: set another one in the policy"],
  99992356: ["refused", "Feishu has no such chat: set another one in the policy"],
  // The message
  230011: ["gone", "the message was recalled"],
  230110: ["gone", "the message was deleted"],
  230031: ["gone", "the message is older than 14 days and cannot be changed any more"],
  99992354: ["gone", "Feishu has no such message"],
  230022: ["refused", CONTENT],
  230028: ["refused", CONTENT],
  230025: ["refused", "the message is too long"],
};

const SAID_MAX = 200;

/** Codes that are not in the table are refusals: the same message would be refused again. */
export function failureOf(code: number, said: string, waitMs: number | undefined): ServiceFailure {
  const words = `Feishu answered ${code}${said === "" ? "" : `: ${said.slice(0, SAID_MAX)}`}`;
  return new ServiceFailure(code, MEANINGS[code] ?? unlisted(code, said), words, waitMs);
}

/** A wrong parameter is told with one code for all of them; which one it was stands in the text. */
function unlisted(code: number, said: string): Meaning {
  if (code === 230001 && said.includes("invalid receive_id"))
    return ["gone", "this account or chat is not known to Feishu"];
  // A new token was refused too.
  if (isTokenCode(code)) return ["down", "Feishu does not accept the access token that it gave"];
  return INTERNAL_CODES.includes(code) ? ["down", "Feishu could not do it"] : ["refused", ""];
}
