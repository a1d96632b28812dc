import type { Documented } from "./api-route.ts";
import { openapiRoute } from "./openapi.ts";
import { APPROVAL_ROUTES } from "./routes/approvals.ts";
import { CALL_ROUTES } from "./routes/calls.ts";
import { FOLLOW_ROUTES } from "./routes/follow.ts";
import { HEALTH_ROUTES } from "./routes/health.ts";
import { PEOPLE_ROUTES } from "./routes/people.ts";
import { RECORD_ROUTES } from "./routes/records.ts";
import { SESSION_ROUTES } from "./routes/sessions.ts";
import { SIGN_IN_API } from "./routes/sign-in.ts";
import { STANDING_ROUTES } from "./routes/standing.ts";
import { STATUS_ROUTES } from "./routes/status.ts";

/** The one table of what programs can ask. */
const API = [
  ...STATUS_ROUTES,
  ...CALL_ROUTES,
  ...APPROVAL_ROUTES,
  ...STANDING_ROUTES,
  ...SESSION_ROUTES,
  ...PEOPLE_ROUTES,
  ...SIGN_IN_API,
  ...RECORD_ROUTES,
  ...FOLLOW_ROUTES,
  ...HEALTH_ROUTES,
];

/** Any of its routes, with the types of what it takes and gives. */
export type Api = (typeof API)[number];

/** The table, and the document that is made of it. */
export function apiRoutes(version: string): readonly Documented[] {
  return [...API, openapiRoute(API, version)];
}
