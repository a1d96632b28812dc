import { say } from "../core/messages/message.ts";
import { type Answer, seeOther } from "../http/answer.ts";
import type { Route } from "../http/route.ts";
import { LeewayRefusal } from "../service/refusal.ts";
import { ACCOUNT_ROUTES } from "./account-sign-in.ts";
import { ACTIVITY_ROUTES } from "./activity.ts";
import { AGENT_ROUTES } from "./agents.ts";
import { ANSWER_ROUTES } from "./answering.ts";
import { ASSET_ROUTES } from "./assets.ts";
import { TOGETHER_ROUTES } from "./bulk-answers.ts";
import { DOCS_ROUTES } from "./docs.ts";
import { GRANT_ROUTES } from "./grants.ts";
import { INBOX_ROUTES } from "./inbox.ts";
import { BESIDES_ROUTES } from "./inbox-notices.ts";
import { JOIN_ROUTES } from "./join.ts";
import { PASSKEY_ROUTES } from "./passkeys.ts";
import { PEOPLE_PAGE_ROUTES } from "./people.ts";
import { POLICY_ROUTES } from "./policy.ts";
import { SETTINGS_ROUTES } from "./settings.ts";
import { SIGN_IN_ROUTES } from "./sign-in.ts";
import { WHY_ROUTES } from "./why.ts";

/** The answer to a form, if it is a page. */
const SHOWN_ROUTE: Route = {
  method: "GET",
  path: "/shown/:key",
  for: ["anybody"],
  page: true,
  summary: "The page that a form led to, for the browser that sent the form.",
  act: async ({ kept }, asked) => {
    const found = kept.page(asked, asked.params["key"] ?? "");
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
    act: async (serving, asked) => {
      const answer = await route.act(serving, asked);
      if (!isPage(answer)) return answer;
      return seeOther(`/shown/${serving.kept.keep(asked, { is: "page", answer: { ...answer, status: 200 } })}`);
    },
  };
}

function isPage({ headers, status }: Answer): boolean {
  return status !== 303 && headers?.["content-type"]?.startsWith("text/html") === true;
}

const ROUTES: readonly Route[] = [
  ...INBOX_ROUTES,
  ...ANSWER_ROUTES,
  ...TOGETHER_ROUTES,
  ...BESIDES_ROUTES,
  ...ACTIVITY_ROUTES,
  ...WHY_ROUTES,
  ...AGENT_ROUTES,
  ...GRANT_ROUTES,
  ...POLICY_ROUTES,
  ...PEOPLE_PAGE_ROUTES,
  ...SETTINGS_ROUTES,
  ...PASSKEY_ROUTES,
  ...SIGN_IN_ROUTES,
  ...JOIN_ROUTES,
  ...ACCOUNT_ROUTES,
  ...DOCS_ROUTES,
  ...ASSET_ROUTES,
  SHOWN_ROUTE,
];

/** Everything that people see. */
export const WEB_ROUTES: readonly Route[] = ROUTES.map(redirecting);
