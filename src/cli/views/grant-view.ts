import { coverText } from "../../core/decide/suggest/suggest.ts";
import { nameText } from "../../core/letters/name-text.ts";
import { clockText, inOrAgo } from "../../core/show/when.ts";
import type { Grant } from "../../core/standing/grant.ts";
import { visible, visibleText } from "../../core/values/text.ts";
import type { HeldGrant } from "../../gate/standing/grants.ts";
import type { Out } from "../terminal/io.ts";
import { facts, table } from "../terminal/table.ts";
import { shortId } from "./texts.ts";

// Grants are shown literally, so that nobody thinks a grant is narrower than it is.

/** What a grant covers has its own line, so that it is never cut. */
export function grantsText(out: Out, grants: readonly HeldGrant[], nowMs: number): string {
  const rows = grants.map(({ grant, used }) => [
    shortId(grant.id),
    grant.state,
    visible(grant.subject.agent ?? "anybody"),
    endsText(grant, used, nowMs),
  ]);
  const [heading = "", ...lines] = table(out, ["ID", "STATE", "AGENT", "ENDS"], rows).split("\n");
  return [heading, ...lines.flatMap((line, at) => [line, `  ${passesText(grants[at]?.grant)}`])].join("\n");
}

function endsText(grant: HeldGrant["grant"], used: number, nowMs: number): string {
  const uses = grant.usesMax === undefined ? `used ${used}x` : `${used} of ${grant.usesMax}x`;
  return grant.untilMs === undefined ? uses : `${inOrAgo(grant.untilMs, nowMs)}, ${uses}`;
}

/** What the grant allows, and with which tier. */
export function passesText(grant: Pick<Grant, "tier" | "covers" | "subject"> | undefined): string {
  if (grant === undefined) throw new Error("a table has a line for every row (this is a bug)");
  const { session } = grant.subject;
  const only = session === undefined ? "" : `, only in session ${nameText(session)}`;
  return `${grant.tier} for ${coverText(grant.covers)}${only}`;
}

/** One grant with all its fields. */
export function grantText(out: Out, grant: Grant, nowMs: number): string {
  const { subject, grantedBy, untilMs, usesMax } = grant;
  return facts(out, [
    ["grant", grant.id],
    ["state", grant.state],
    ["agent", visible(subject.agent ?? "anybody")],
    ["allows", passesText(grant)],
    ...(untilMs === undefined ? [] : [["until", `${clockText(untilMs)} (${inOrAgo(untilMs, nowMs)})`] as const]),
    ...(usesMax === undefined ? [] : [["uses", `${usesMax} at most`] as const]),
    ["granted by", visible("person" in grantedBy ? grantedBy.person : `the callback ${grantedBy.callback}`)],
    ...(grant.because === "" ? [] : [["because", visibleText(grant.because.trim())] as const]),
  ]);
}
