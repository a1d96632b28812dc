import type { Route } from "../http/route.ts";
import { ACCOUNT_ROUTES } from "./account-sign-in.ts";
import { ACTIVITY_ROUTES } from "./activity.ts";
import { AGENT_ROUTES } from "./agents.ts";
import { ANSWER_ROUTES } from "./answering.ts";
import { ASSET_ROUTES } from "./assets.ts";
import { BESIDES_ROUTES } from "./besides.ts";
import { DOCS_ROUTES } from "./docs.ts";
import { GRANT_ROUTES } from "./grants.ts";
import { INBOX_ROUTES } from "./inbox.ts";
import { JOIN_ROUTES } from "./join.ts";
import { PASSKEY_ROUTES } from "./passkeys.ts";
import { PEOPLE_PAGE_ROUTES } from "./people.ts";
import { POLICY_ROUTES } from "./policy.ts";
import { SETTINGS_ROUTES } from "./settings.ts";
import { SIGN_IN_ROUTES } from "./sign-in.ts";
import { TOGETHER_ROUTES } from "./together.ts";
import { WHY_ROUTES } from "./why.ts";

/** Everything that people see. */
export const WEB_ROUTES: readonly Route[] = [
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
];
