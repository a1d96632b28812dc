import { textAt } from "../read-json.ts";
import { type Meaning, ServiceFailure } from "../service-failure.ts";

// What the errors of Slack's methods mean for us, and what to do about each.

const TOKEN = "copy the Bot User OAuth Token from the page OAuth & Permissions of the app to where the policy reads it";
const REINSTALL = "install the app in the workspace again, and use its new token";
const INVITE = "invite the app: write /invite and its name in the channel";
const CHAT = "use the id of the channel (it begins with C or G), and invite the app to it";

// biome-ignore format: one line each
const MEANINGS: Readonly<Record<string, Meaning>> = {
  // The token
  invalid_auth: ["down", `Slack does not accept the token: ${TOKEN}`],
  not_authed: ["down", `Slack got no token: ${TOKEN}`],
  not_allowed_token_type: ["down", `the token is of the wrong type: ${TOKEN}`],
  token_expired: ["down", `the token has expired: ${TOKEN}`],
  token_revoked: ["down", `the token was revoked: ${REINSTALL}`],
  account_inactive: ["down", `the app was removed from the workspace, or the workspace is gone: ${REINSTALL}`],
  missing_scope: ["down", "the app lacks a scope"],
  no_permission: ["down", `the workspace does not let this app do this: ${REINSTALL}`],
  org_login_required: ["down", "the workspace is being moved: Slack accepts messages again afterwards"],
  ekm_access_denied: ["down", "the administrators of the workspace have stopped messages for now"],
  access_denied: ["down", "the administrators of the workspace do not let this app in: ask them to approve it"],
  team_access_not_granted: ["down", `the app is not allowed in this workspace: ${REINSTALL}`],
  forbidden_team: ["down", "the workspace does not let this app connect: ask its administrators to approve it"],
  // Slack itself
  ratelimited: ["busy", "Slack asks to wait"],
  rate_limited: ["busy", "Slack asks to wait"],
  message_limit_exceeded: ["busy", "the workspace has sent too many messages"],
  fatal_error: ["down", "Slack could not do it"],
  internal_error: ["down", "Slack could not do it"],
  service_unavailable: ["down", "Slack is not available"],
  request_timeout: ["down", "Slack did not get the whole request"],
  team_added_to_org: ["down", "the workspace is being moved: Slack accepts messages again afterwards"],
  // The person
  user_not_found: ["gone", "Slack has no such account: link it again on the settings page"],
  users_not_found: ["gone", "Slack has no such account: link it again on the settings page"],
  user_disabled: ["gone", "the account was deactivated in Slack"],
  cannot_dm_bot: ["gone", "the account is a bot: link the account of a person"],
  messages_tab_disabled: ["refused", "the app has no messages tab: switch it on at the page App Home of the app"],
  // The chat
  channel_not_found: ["refused", `Slack has no such channel, or the app may not see it: ${CHAT}`],
  invalid_channel: ["refused", `Slack has no such channel: ${CHAT}`],
  not_in_channel: ["refused", `the app is not in this channel: ${INVITE}`],
  is_archived: ["refused", "the channel is archived: choose another one in the policy"],
  restricted_action: ["refused", "only some members may write in this channel: let the app write there, or choose another channel"],
  restricted_action_read_only_channel: ["refused", "the channel can only be read: choose another one in the policy"],
  restricted_action_thread_only_channel: ["refused", "the channel takes only replies: choose another one in the policy"],
  // The message
  message_not_found: ["refused", "the message was deleted"],
  cant_update_message: ["refused", "the message is not of this app"],
  edit_window_closed: ["refused", "the workspace does not allow messages to be changed so late"],
  update_failed: ["down", "Slack could not change the message"],
};

/** Slack found the message too long or did not understand a part of it: a shorter message may be accepted. */
export const TOO_LONG: readonly string[] = [
  "msg_too_long",
  "msg_blocks_too_long",
  "invalid_blocks",
  "invalid_blocks_format",
];

/** `{ ok: false, error }` of a method of Slack. An error that we do not know is about this message. */
export function failureOf(method: string, answer: unknown, retryAfterMs: number | undefined): ServiceFailure {
  const error = textAt(answer, "error") ?? "";
  const [kind, why] = MEANINGS[error] ?? ["refused", "Slack refused the message"];
  const needed = error === "missing_scope" ? lacking(textAt(answer, "needed") ?? "") : "";
  const waitMs = kind === "busy" ? retryAfterMs : undefined;
  return new ServiceFailure(error, [kind, `${why}${needed}`], `${named(error)} of ${method}`, waitMs);
}

/** Only what looks like the name of an error or a scope is repeated. */
function named(text: string): string {
  return /^[\w:.,]{1,100}$/.test(text) ? text : "no error";
}

function lacking(needed: string): string {
  const scopes = needed === "" ? "that Slack did not name" : named(needed);
  return `: add ${scopes} on the page OAuth & Permissions of the app, and install the app again`;
}
