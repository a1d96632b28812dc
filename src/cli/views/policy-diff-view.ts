import { textOf } from "../../core/messages/text.ts";
import { visible } from "../../core/values/text.ts";
import type { PolicyDiff } from "../../gate/standing/policy.ts";
import type { Out } from "../terminal/io.ts";
import { table, tierColour } from "../terminal/table.ts";
import { shortId } from "./texts.ts";

// Shows what a policy would have decided about recorded calls.

export type TriedPolicy = {
  of: number;
  calls: readonly { call: string; agent: string; tool: string; what: string; tier: string; outcome: string }[];
  skipped: PolicyDiff["skipped"];
};

export function diffText(out: Out, diffed: PolicyDiff): string {
  const { changed, compared } = diffed;
  if (compared === 0) return "No recorded calls to compare. Run `leeway run -- ls` to make one.";
  if (changed.length === 0)
    return `All ${compared} recorded calls would be decided as before.${skippedText(diffed.skipped)}`;
  const rows = changed.map(({ call, agent, tool, before, after }) => [
    shortId(call),
    visible(agent),
    changeText(out, before, after),
    visible(tool),
  ]);
  const looser = changed.filter(({ before, after }) => before.outcome !== "run" && after.outcome === "run").length;
  return [
    table(out, ["CALL", "AGENT", "TIER", "TOOL"], rows),
    "",
    `${changed.length} of ${compared} would be decided differently; ${looser} would now run without a question.${skippedText(diffed.skipped)}`,
  ].join("\n");
}

type Judged = PolicyDiff["changed"][number]["before"];

/** If tier and needs-human are the same, the outcome is what differs. */
function changeText(out: Out, before: Judged, after: Judged): string {
  const isSame = before.tier === after.tier && before.needsHuman === after.needsHuman;
  const [was, is] = [before, after].map((one) => `${judged(out, one)}${isSame ? `, ${ENDS[one.outcome]}` : ""}`);
  return `${was} → ${is}`;
}

const ENDS: Record<Judged["outcome"], string> = {
  run: "run",
  pending: "asked",
  not_executed: "proposed",
  denied: "refused",
  delegated: "asked there",
};

function judged(out: Out, { tier, needsHuman }: Judged): string {
  return `${tierColour(out, tier)}${needsHuman ? "+human" : ""}`;
}

export function tryText(out: Out, tried: TriedPolicy): string {
  if (tried.of === 0) return "No recorded calls to try it on. Run `leeway run -- ls` to make one.";
  const counts = ["run", "pending", "not_executed", "denied"].map(
    (outcome) => tried.calls.filter((call) => call.outcome === outcome).length,
  );
  const [ran = 0, asked = 0, proposed = 0, refused = 0] = counts;
  const shown = tried.calls.filter((call) => call.outcome !== "run");
  const rows = shown.map((call) => [
    shortId(call.call),
    visible(call.agent),
    tierColour(out, call.tier),
    visible(call.what),
  ]);
  return [
    `of ${tried.of} calls: ${asked} would be asked, ${ran} would run, ${proposed} would be proposed, ${refused} would be refused${skippedText(tried.skipped)}`,
    ...(rows.length === 0 ? [] : [table(out, ["CALL", "AGENT", "TIER", "WHAT"], rows)]),
  ].join("\n");
}

function skippedText(skipped: PolicyDiff["skipped"]): string {
  return skipped.length === 0
    ? ""
    : ` (${skipped.length} could not be decided again: ${textOf(skipped[0]?.why ?? "", "en")})`;
}
