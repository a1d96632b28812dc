import type { SlackSettings } from "../../core/channel.ts";
import { ChannelFailure } from "../../ports.ts";
import { fieldAt } from "../read-json.ts";
import { ServiceFailure } from "../service-failure.ts";
import type { ChannelTools } from "../tools.ts";
import type { Scopes, SlackApi } from "./api.ts";

/** Checks the settings with Slack without writing to anybody. Throws the first thing that is wrong, and what to do. */
export async function trySettings(
  settings: SlackSettings,
  tools: Pick<ChannelTools, "secret">,
  api: SlackApi,
): Promise<void> {
  const { botToken, signingSecret, appToken, chat } = settings;
  if (!/^(xoxe\.)?xoxb-/.test(tools.secret(botToken)))
    throw wrong(
      "the bot token does not begin with xoxb-: copy the Bot User OAuth Token from the page OAuth & Permissions of the app",
    );
  if (signingSecret !== undefined && /^x(ox|app)/.test(tools.secret(signingSecret)))
    throw wrong("the signing secret is a token: copy the Signing Secret from the page Basic Information of the app");
  if (appToken !== undefined && !tools.secret(appToken).startsWith("xapp-"))
    throw wrong(
      "the app token does not begin with xapp-: generate an App-Level Token with the scope connections:write on the page Basic Information of the app",
    );
  const { scopes } = await api.look("auth.test", {});
  if (scopes !== undefined && !scopes.includes("chat:write"))
    throw wrong(
      "the app may not write messages: add the scope chat:write on the page OAuth & Permissions, and install the app again",
    );
  // The address is not used: it only shows that the token may connect.
  if (appToken !== undefined) await api.connection(appToken);
  if (chat !== undefined) await tryChat(api, chat, scopes);
}

async function tryChat(api: SlackApi, chat: string, scopes: Scopes | undefined): Promise<void> {
  const found = await api.look("conversations.info", { channel: chat }).catch((error: unknown) => {
    // Looking at a channel needs a scope that writing to it does not need.
    if (error instanceof ServiceFailure && error.code === "missing_scope") return undefined;
    throw error;
  });
  if (found === undefined) return;
  const is = (what: string) => fieldAt(found.value, "channel", what);
  if (is("is_archived") === true) throw wrong(`the channel ${chat} is archived: choose another one in the policy`);
  const writesAnywhere = scopes?.includes("chat:write.public") === true && is("is_private") !== true;
  if (is("is_member") === false && !writesAnywhere)
    throw wrong(`the app is not in the channel ${chat}: write /invite and the name of the app there`);
}

function wrong(why: string): ChannelFailure {
  return new ChannelFailure("refused", why);
}
