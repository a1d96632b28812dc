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
  ].join("\n");
}

function tables(out: Out, { causes, kept }: Rehearsal): readonly string[] {
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
    ...(rest > 0 ? [`and ${rest} more; use --json to see all`] : []),
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
