// The id of a user in Slack is only known to be unique within their workspace. People of other workspaces can press buttons
// in a channel that is shared with them, so an account is the workspace and the user: `T0123/U0456`.

/** Nothing if Slack did not name both. */
export function accountOf(team: string | undefined, user: string | undefined): string | undefined {
  return team === undefined || user === undefined ? undefined : `${team}/${user}`;
}

/** The id that messages are sent to. Accounts that were linked before workspaces were noted are the user alone. */
export function userOf(account: string): string {
  return account.slice(account.indexOf("/") + 1);
}
