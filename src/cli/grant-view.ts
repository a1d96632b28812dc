import type { GrantCover, GrantPattern } from "../core/grant.ts";
import { visible } from "../core/values/text.ts";
import type { HeldGrant } from "../gate/grants.ts";
import type { Out } from "./spec.ts";
import { table } from "./table.ts";
import { shortId } from "./texts.ts";
import { inOrAgo } from "./time.ts";

// How grants are shown: literally, so that nobody takes one for narrower than it is.

/** What a grant covers stands on a line of its own, so that it is never cut. */
export function grantsText(out: Out, grants: readonly HeldGrant[], nowMs: number): string {
  const rows = grants.map(({ grant, used }) => [
    shortId(grant.id),
    grant.state,
    visible(grant.subject.agent ?? "anybody"),
    endsText(grant, used, nowMs),
  ]);
  const [heading = "", ...lines] = table(out, ["ID", "STATE", "AGENT", "ENDS"], rows).split("\n");
  return [heading, ...lines.flatMap((line, at) => [line, `  ${coverText(grants[at]?.grant)}`])].join("\n");
}

function endsText(grant: HeldGrant["grant"], used: number, nowMs: number): string {
  const uses = grant.usesMax === undefined ? `used ${used}x` : `${used} of ${grant.usesMax}x`;
  return grant.untilMs === undefined ? uses : `${inOrAgo(grant.untilMs, nowMs)}, ${uses}`;
}

function coverText(grant: HeldGrant["grant"] | undefined): string {
  if (grant === undefined) throw new Error("a table has a line for every row (this is a bug)");
  const { covers }: { covers: GrantCover } = grant;
  const what = [covers.class, covers.tool?.name].filter((part) => part !== undefined).map(visible);
  const where = covers.targets.map(patternText);
  return [`${grant.tier} for`, ...what, ...where, `up to ${covers.level}`].join(" ");
}

function patternText(pattern: GrantPattern): string {
  switch (pattern.kind) {
    case "path":
      return visible(`${pattern.path}${pattern.recursive ? "/**" : ""}`);
    case "domain":
      return visible(pattern.pattern);
    case "command":
      return visible(`\`${pattern.words.join(" ")}\`${pattern.cwd === undefined ? "" : ` in ${pattern.cwd}`}`);
    case "tool":
      return visible(pattern.tool);
  }
}
