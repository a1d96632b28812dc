import { visible } from "../../core/values/text.ts";
import type { Out } from "../terminal/io.ts";
import { table, tierColour } from "../terminal/table.ts";
import type { Rehearsal } from "./rehearsal-counts.ts";

const CAUSES_SHOWN = 10;
const KEPT_SHOWN = 20;

export function rehearsalText(out: Out, rehearsal: Rehearsal): string {
  const { calls, folder, sessions, tiers } = rehearsal;
  const passedOver = passedOverText(rehearsal);
  if (calls === 0) return `No calls in the transcripts under ${visible(folder)}.${passedOver}`;
  const proposed = tiers.suggest + tiers.shadow;
  return [
    `of ${calls} calls: ${tiers.ask} would be asked, ${tiers.auto} would run, ${tiers.notify} would run with a notice, ${proposed} would be proposed, ${tiers.deny} would be refused`,
    `from ${many(sessions, "session")} under ${visible(folder)}; grants and limits are not considered.${passedOver}`,
    ...tables(out, rehearsal),
    ...proposalsTable(out, rehearsal),
  ].join("\n");
}

function tables(out: Out, { causes, kept, calls: all, tiers }: Rehearsal): readonly string[] {
  const keptCalls = all - tiers.auto - tiers.notify;
  if (kept.length === 0) return [];
  const because = causes.slice(0, CAUSES_SHOWN).map(({ cause, calls }) => [String(calls), oneLine(cause)]);
  const what = kept
    .slice(0, KEPT_SHOWN)
    .map(({ what: name, tier, calls, example }) => [
      String(calls),
      tierColour(out, tier),
      oneLine(name),
      oneLine(example),
    ]);
  const rest = kept.length - what.length;
  return [
    "",
    table(out, ["CALLS", "KEPT BY"], because),
    "",
    table(out, ["CALLS", "TIER", "WHAT", "FOR EXAMPLE"], what),
    ...(sumOf(causes) > keptCalls || sumOf(kept) > keptCalls ? ["A call can be counted in several rows."] : []),
    ...(rest > 0 ? [`and ${rest} more; use --json to see all`] : []),
  ];
}

function sumOf(rows: readonly { calls: number }[]): number {
  return rows.reduce((sum, { calls }) => sum + calls, 0);
}

/** Grants as a card would offer them. Each count is without the calls that the lines above it cover. */
function proposalsTable(out: Out, { proposals }: Rehearsal): readonly string[] {
  if (proposals.length === 0) return [];
  const rows = proposals.map(({ calls, grant }) => [String(calls), oneLine(grant)]);
  return [
    "",
    table(out, ["CALLS", "WOULD NOT ASK WITH A GRANT FOR"], rows),
    "To make such a grant, approve a call in the inbox and remember it, or use `leeway grants add`; --json has each as a rule.",
  ];
}

function passedOverText({ badLines, badFiles }: Rehearsal): string {
  const parts = [
    ...(badLines === 0 ? [] : [many(badLines, "line")]),
    ...(badFiles === 0 ? [] : [many(badFiles, "file")]),
  ];
  return parts.length === 0 ? "" : ` ${parts.join(" and ")} could not be read.`;
}

function many(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A command of several lines as one line, with nothing hidden in it. */
function oneLine(text: string): string {
  return visible(text.replaceAll(/\s+/g, " ").trim());
}
