import { openapiRoute } from "./openapi.ts";
import type { Route } from "./route.ts";
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

/** Everything that programs can ask. */
export function apiRoutes(version: string): readonly Route[] {
  const routes = [
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
  return [...routes, openapiRoute(routes, version)];
}
