import { createHmac, timingSafeEqual } from "node:crypto";
import type { SignedRequest } from "../../ports.ts";

/** A request whose time differs more than this from the clock may be a replay. */
const WINDOW_MS = 5 * 60_000;

/** Why this request does not count as sent by Slack; undefined if it does. */
export function whyNotSigned({ headers, body, nowMs }: SignedRequest, signingSecret: string): string | undefined {
  const [timestamp = "", given = ""] = [headers["x-slack-request-timestamp"], headers["x-slack-signature"]];
  if (!/^\d{1,12}$/.test(timestamp)) return "the request has no timestamp of Slack";
  if (Math.abs(nowMs - Number(timestamp) * 1000) > WINDOW_MS)
    return "the request is more than five minutes old or ahead: check the clock of this server";
  const wanted = createHmac("sha256", signingSecret).update(`v0:${timestamp}:`).update(body).digest("hex");
  const [a, b] = [Buffer.from(`v0=${wanted}`), Buffer.from(given)];
  if (a.length === b.length && timingSafeEqual(a, b)) return undefined;
  return "the signature is not of this app: check the signing secret";
}
