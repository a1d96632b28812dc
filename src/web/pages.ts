import { say } from "../core/messages/message.ts";
import { type Answer, seeOther } from "../http/answer.ts";
import type { Route } from "../http/route.ts";
import { LeewayRefusal } from "../service/refusal.ts";
import { ACTIVITY_ROUTES } from "./activity/activity.ts";
import { WHY_ROUTES } from "./activity/why.ts";
import { AGENT_ROUTES } from "./agents/agents.ts";
import { SESSION_PAGE_ROUTES } from "./agents/sessions.ts";
import { ASSET_ROUTES } from "./assets.ts";
import { DOCS_ROUTES } from "./docs.ts";
import { ANSWER_ROUTES } from "./inbox/answering.ts";
import { TOGETHER_ROUTES } from "./inbox/bulk-answers.ts";
import { INBOX_ROUTES } from "./inbox/inbox.ts";
import { MESSAGE_ANSWER_ROUTES } from "./inbox/message-answer.ts";
import { BESIDES_ROUTES } from "./inbox/notices.ts";
import { TRIAGE_ROUTES } from "./inbox/triage.ts";
import { ACCOUNT_ROUTES } from "./people/account-sign-in.ts";
import { DEVICE_PAGE_ROUTES } from "./people/devices.ts";
import { JOIN_ROUTES } from "./people/join.ts";
import { PASSKEY_ROUTES } from "./people/passkeys.ts";
import { PEOPLE_PAGE_ROUTES } from "./people/people.ts";
import { REACH_PAGE_ROUTES } from "./people/reach.ts";
import { SETTINGS_ROUTES } from "./people/settings.ts";
import { SIGN_IN_ROUTES } from "./people/sign-in.ts";
import { WORKSPACE_ROUTES } from "./people/workspace.ts";
import { CHANNEL_PAGE_ROUTES } from "./standing/channels.ts";
import { GRANT_ROUTES } from "./standing/grants.ts";
import { MCP_PAGE_ROUTES } from "./standing/mcp.ts";
import { POLICY_ROUTES } from "./standing/policy.ts";

/** The answer to a form, if it is a page. */
const SHOWN_ROUTE: Route = {
  method: "GET",
  path: "/shown/:key",
  for: ["anybody"],
  page: true,
  summary: "The result of a form, for the browser that sent it.",
  act: async ({ kept }, request) => {
    const found = kept.page(request, request.params["key"] ?? "");
    if (found !== undefined) return found;
    const reason = say("refusal.page_gone");
    throw new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason, hint: say("hint.send_form_again") });
  },
};

/**
 * If the answer to a form is a page, the browser is redirected to it, so that reloading does not send the form again.
 */
function redirecting(route: Route): Route {
  if (route.method !== "POST") return route;
  return {
    ...route,
    act: async (serving, request) => {
      const answer = await route.act(serving, request);
      if (!isPage(answer)) return answer;
      return seeOther(`/shown/${serving.kept.keep(request, { is: "page", answer: { ...answer, status: 200 } })}`);
    },
  };
}

function isPage({ headers, status }: Answer): boolean {
  return status !== 303 && headers?.["content-type"]?.startsWith("text/html") === true;
}

const ROUTES: readonly Route[] = [
  ...INBOX_ROUTES,
  ...ANSWER_ROUTES,
  ...TRIAGE_ROUTES,
  ...TOGETHER_ROUTES,
  ...BESIDES_ROUTES,
  ...ACTIVITY_ROUTES,
  ...WHY_ROUTES,
  ...AGENT_ROUTES,
  ...SESSION_PAGE_ROUTES,
  ...GRANT_ROUTES,
  ...POLICY_ROUTES,
  ...MCP_PAGE_ROUTES,
  ...PEOPLE_PAGE_ROUTES,
  ...SETTINGS_ROUTES,
  ...REACH_PAGE_ROUTES,
  ...CHANNEL_PAGE_ROUTES,
  ...PASSKEY_ROUTES,
  ...DEVICE_PAGE_ROUTES,
  ...SIGN_IN_ROUTES,
  ...JOIN_ROUTES,
  ...WORKSPACE_ROUTES,
  ...ACCOUNT_ROUTES,
  ...DOCS_ROUTES,
  ...ASSET_ROUTES,
  SHOWN_ROUTE,
];

/**
 * Everything that people see. Forms on the page of a message are answered without a redirect: an answer counts once,
 * however often its form is sent, and a refusal keeps its status.
 */
export const WEB_ROUTES: readonly Route[] = [...ROUTES.map(redirecting), ...MESSAGE_ANSWER_ROUTES];
