import type { BaselineRow, Cause } from "../decision.ts";
import { BUILT_IN, type Position } from "../policy.ts";

/** One sentence per cause, in the order the decision was made. */
export function sentencesOf(causes: readonly Cause[]): readonly string[] {
  return causes.map(sentenceOf);
}

export function rulesOf(causes: readonly Cause[]): readonly string[] {
  return causes.flatMap((cause) => (cause.by === "rule" ? [cause.name] : []));
}

export function sentenceOf(cause: Cause): string {
  switch (cause.by) {
    case "pause":
      return `paused: ${cause.because}`;
    case "baseline":
      return `${rowSentence(cause.row)} is ${cause.tier}${where(cause.at)}`;
    case "rule":
      return `rule ${cause.name} says ${cause.tier}: ${cause.because}${where(cause.at)}`;
    case "silent":
      return "no policy file speaks of this, so it is asked";
    case "grant":
      return `grant ${cause.id} allows it (${cause.tier})`;
    case "callback":
      return `policy callback ${cause.name} says ${cause.tier}: ${cause.because}`;
    case "understanding":
      return `the call is ${cause.understood === "not" ? "not" : "only partly"} understood${list(cause.notes)}`;
    case "demotion":
      return `demoted to ${cause.tier}: ${cause.because}`;
    case "limit":
      return `limit ${cause.name} is reached (${cause.used} of ${cause.max}), then ${cause.tier}${where(cause.at)}`;
    case "human":
      return `needs a person: ${cause.mark}${where(cause.at)}`;
    case "headless":
      return `nobody can be asked here, so ask becomes ${cause.tier}`;
    case "permit":
      return `approved before as ${cause.executionId}`;
    case "code":
      return cause.because;
  }
}

function rowSentence(row: BaselineRow): string {
  switch (row.of) {
    case "policy":
      return "the policy-wide tier";
    case "preset":
      return `preset ${row.name}`;
    default:
      return `the row for ${row.of} ${row.name}`;
  }
}

function where(at: Position | undefined): string {
  if (at === undefined) return "";
  return at.file === BUILT_IN ? " (built in; no policy file counts here)" : ` (${at.file}:${at.line})`;
}

function list(notes: readonly string[]): string {
  return notes.length === 0 ? "" : `: ${notes.join("; ")}`;
}
