import type { DocumentedRoute } from "./api-route.ts";
import { openapiRoute } from "./openapi.ts";
import { APPROVAL_ROUTES } from "./routes/approvals.ts";
import { CALL_ROUTES } from "./routes/calls.ts";
import { CHANNEL_API } from "./routes/channels.ts";
import { DEVICE_ROUTES } from "./routes/devices.ts";
import { FOLLOW_ROUTES } from "./routes/follow.ts";
import { HEALTH_ROUTES } from "./routes/health.ts";
import { HOST_CALL_ROUTES } from "./routes/host-calls.ts";
import { MCP_ROUTES } from "./routes/mcp.ts";
import { PEOPLE_ROUTES } from "./routes/people.ts";
import { PLAN_ROUTES } from "./routes/plans.ts";
import { REACH_ROUTES } from "./routes/reach.ts";
import { RECORD_ROUTES } from "./routes/records.ts";
import { SESSION_ROUTES } from "./routes/sessions.ts";
import { SIGN_IN_API } from "./routes/sign-in.ts";
import { STANDING_ROUTES } from "./routes/standing.ts";
import { STATUS_ROUTES } from "./routes/status.ts";

/** The table of all routes for programs. */
const API = [
  ...STATUS_ROUTES,
  ...CALL_ROUTES,
  ...HOST_CALL_ROUTES,
  ...PLAN_ROUTES,
  ...APPROVAL_ROUTES,
  ...STANDING_ROUTES,
  ...MCP_ROUTES,
  ...SESSION_ROUTES,
  ...PEOPLE_ROUTES,
  ...REACH_ROUTES,
  ...CHANNEL_API,
  ...SIGN_IN_API,
  ...DEVICE_ROUTES,
  ...RECORD_ROUTES,
  ...FOLLOW_ROUTES,
  ...HEALTH_ROUTES,
];

/** Any of these routes, with the types of its input and output. */
export type Api = (typeof API)[number];

/** The routes, and the OpenAPI document that is made from them. */
export function apiRoutes(version: string): readonly DocumentedRoute[] {
  return [...API, openapiRoute(API, version)];
}
