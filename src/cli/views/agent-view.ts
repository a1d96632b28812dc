import { nameText } from "../../core/letters/name-text.ts";
import type { Agent } from "../../core/people.ts";
import { inOrAgo, span } from "../../core/show/when.ts";
import type { PauseText, Promotion } from "../../core/standing/standing.ts";
import type { Track } from "../../core/trust/trust.ts";
import type { ImportedRecord } from "../../core/trust/trust-import.ts";
import { visible, visibleOnOneLine, visibleText } from "../../core/values/text.ts";
import type { TrustText } from "../../gate/record/trust.ts";
import type { Out } from "../terminal/io.ts";
import { facts, table, tierColour, wrap } from "../terminal/table.ts";

// How agents and their records are shown.

const HEADINGS = ["CLASS", "CALLS", "OK", "FAILED", "DENIED", "PROPOSED", "UNKNOWN", "TIMED OUT"];
const SHORT_HEADINGS = ["CLASS", "CALLS", "OK", "FAIL", "DENY", "PROP", "UNKN", "LATE"];
const NARROW = 78;

export function trustText(out: Out, record: TrustText): string {
  const { total, classes, suggestions } = record;
  if (total.calls === 0) return `${nameText(record.agent)} has no record yet: it has made no call.`;
  const rows = [
    ...classes.map((track) => trackRow(track.class, track)),
    ...(classes.length > 1 ? [trackRow("all", total)] : []),
  ];
  const { answered, lastIncident } = total;
  return [
    table(out, out.width < NARROW ? SHORT_HEADINGS : HEADINGS, rows, 0),
    "",
    answered.count === 0
      ? "nobody has answered yet"
      : `average time to answer: ${span(answered.totalMs / answered.count)}, longest: ${span(answered.longestMs)}`,
    lastIncident === undefined ? "no incidents" : `last incident: ${lastIncident.was}, entry ${lastIncident.index}`,
    ...suggestions.map((suggestion) => wrap(`suggestion: ${visible(suggestion.text)}`, out.width)),
  ].join("\n");
}

/** What somebody's exported record says, agent by agent. */
export function importedText(out: Out, records: readonly ImportedRecord[]): string {
  if (records.length === 0) return "The file is valid, and has no records.";
  const counts = new Map<string, Map<string, number>>();
  for (const { agent, outcome } of records) {
    const of = counts.get(agent) ?? new Map<string, number>();
    counts.set(agent, of.set(outcome, (of.get(outcome) ?? 0) + 1));
  }
  const rows = [...counts].map(([agent, of]) => [
    visible(agent),
    [...of].map(([outcome, count]) => `${count} ${outcome}`).join(", "),
  ]);
  return `${table(out, ["AGENT", "OUTCOMES"], rows)}\n\n${records.length} record${records.length === 1 ? "" : "s"}; every hash and link is correct. Nothing was stored.`;
}

function trackRow(name: string, track: Track): string[] {
  const { success, failure, denied, timeout } = track.outcomes;
  return [name, ...[track.calls, success, failure, denied, track.proposals, track.unknowns, timeout].map(String)];
}

type AgentView = Agent & { promotions: readonly Promotion[]; pauses: readonly PauseText[]; record: TrustText };

export function agentText(out: Out, agent: AgentView, nowMs: number): string {
  const moves = agent.promotions.map((move) => {
    const until =
      move.untilMs === undefined ? "" : `, ${move.untilMs > nowMs ? "ends" : "ended"} ${inOrAgo(move.untilMs, nowMs)}`;
    return `${tierColour(out, move.tier)}${move.class === undefined ? "" : ` for ${move.class}`} by ${move.by}${until}: ${visibleOnOneLine(move.because)}`;
  });
  const rows: [string, string][] = [
    ["agent", visible(agent.name)],
    ["owner", agent.owner ?? "the admins"],
    ["first call", inOrAgo(agent.registeredMs, nowMs)],
    ["may do", moves.length === 0 ? "what the policy says" : moves.join("\n")],
    ...agent.pauses.map((pause): [string, string] => ["paused", out.colours.red(visibleText(pause.because.trim()))]),
  ];
  return `${facts(out, rows)}\n\n${trustText(out, agent.record)}`;
}
