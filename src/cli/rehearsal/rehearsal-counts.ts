import { nextWord, programOf } from "../../core/decide/patterns.ts";
import type { Cause } from "../../core/decision.ts";
import type { Effect, Part } from "../../core/effect.ts";
import { maskText } from "../../core/masking/redact.ts";
import { textOf } from "../../core/messages/text.ts";
import { programCalled } from "../../core/shell/program.ts";
import { causeSentences } from "../../core/show/causes.ts";
import { doingsOf } from "../../core/show/doings.ts";
import { shortPath } from "../../core/show/sentence.ts";
import type { Tier } from "../../core/tier.ts";
import { wordsText } from "../../core/values/words-text.ts";
import type { Rehearsed } from "../../gate/calls/rehearse.ts";
import type { Proposal } from "./proposals.ts";
import type { PlacedCall, Transcripts } from "./transcripts.ts";

// Counts what a policy would have decided about many calls, so that a person can tune it.

type RehearsedCall = {
  session: string | null;
  at: string | null;
  cwd: string;
  tool: string;
  /** The command, else what the tool was given; secrets masked. */
  what: string;
  tier: Tier;
  classes: readonly string[];
  because: readonly string[];
};

export type Rehearsal = {
  from: string;
  folder: string;
  sessions: number;
  calls: number;
  badLines: number;
  badFiles: number;
  tiers: Record<Tier, number>;
  /** The rules and rows that stop most calls from running without a question. */
  causes: readonly { cause: string; calls: number }[];
  /** What was stopped most often, by program and subcommand or by tool, with the newest example. */
  kept: readonly { what: string; tier: Tier; calls: number; example: string }[];
  /** Grants that would have answered these questions. */
  proposals: readonly Proposal[];
  each: readonly RehearsedCall[];
};

export type JudgedCall = { call: PlacedCall; rehearsed: Rehearsed };

export function rehearsalOf(
  from: string,
  folder: string,
  read: Omit<Transcripts, "calls">,
  judged: readonly JudgedCall[],
): Omit<Rehearsal, "proposals"> {
  const tiers: Record<Tier, number> = { auto: 0, notify: 0, ask: 0, suggest: 0, shadow: 0, deny: 0 };
  for (const one of judged) tiers[tierOf(one.rehearsed)]++;
  const { sessions, badLines, badFiles } = read;
  return {
    from,
    folder,
    sessions,
    calls: judged.length,
    badLines,
    badFiles,
    tiers,
    causes: counted(judged.flatMap(({ rehearsed }) => causesOf(rehearsed))).map(([cause, calls]) => ({ cause, calls })),
    kept: keptOf(judged),
    each: judged.map(rehearsedCall),
  };
}

/** A call that needs a person asks, whatever the rows allow. */
function tierOf({ decision: { tier, code } }: Pick<Rehearsed, "decision">): Tier {
  return code === "LEEWAY_NEEDS_HUMAN" ? "ask" : tier;
}

function rehearsedCall({ call, rehearsed }: JudgedCall): RehearsedCall {
  const { decision, effect } = rehearsed;
  return {
    session: call.session ?? null,
    at: call.atMs === undefined ? null : new Date(call.atMs).toISOString(),
    cwd: call.cwd,
    tool: call.tool,
    what: exampleOf(call, effect),
    tier: tierOf(rehearsed),
    classes: [...new Set(effect.parts.map((part) => part.class))],
    because: causeSentences(decision.causes, { effect }).map(maskText),
  };
}

/** By name, once for every call. A preset is too broad to tune, so it is named together with the class. */
function causesOf({ decision, held }: Rehearsed): readonly string[] {
  if (decision.outcome === "run") return [];
  const ofParts = held.flatMap((one) => one.decision.causes.flatMap((cause) => causeName(cause, one.part)));
  const ofWhole = decision.causes.flatMap((cause) => (cause.by === "understanding" ? ["not fully understood"] : []));
  return [...new Set([...ofParts, ...ofWhole])];
}

function causeName(cause: Cause, part: Part): readonly string[] {
  switch (cause.by) {
    case "rule":
      return [`rule ${cause.name}`];
    case "baseline":
      return [cause.row.of === "preset" ? `preset ${cause.row.name}, ${part.class}` : rowName(cause.row)];
    case "silent":
      return ["no row or rule"];
    case "code":
      return [textOf(cause.because, "en")];
    default:
      return [];
  }
}

function rowName(row: Extract<Cause, { by: "baseline" }>["row"]): string {
  return "name" in row ? `row ${row.of} ${row.name}` : "the policy-wide tier";
}

function keptOf(judged: readonly JudgedCall[]): Rehearsal["kept"] {
  const examples = new Map<string, { what: string; tier: Tier; example: string }>();
  const keys = judged.flatMap(({ call, rehearsed }) => {
    const rows = keptParts(call, rehearsed).map(({ what, tier }) => {
      const key = `${tier}\n${what}`;
      if (!examples.has(key)) examples.set(key, { what, tier, example: exampleOf(call, rehearsed.effect) });
      return key;
    });
    return [...new Set(rows)];
  });
  return counted(keys).flatMap(([key, calls]) => {
    const found = examples.get(key);
    return found === undefined ? [] : [{ ...found, calls }];
  });
}

/** Which parts of the call were stopped: programs or the tool; all of it if it was only not understood. */
function keptParts(call: PlacedCall, rehearsed: Rehearsed): readonly { what: string; tier: Tier }[] {
  const { decision, effect, held } = rehearsed;
  if (decision.outcome === "run") return [];
  if (held.length === 0) return [{ what: nameOf(call, effect, effect.parts[0]), tier: tierOf(rehearsed) }];
  return held.map((one) => ({ what: nameOf(call, effect, one.part), tier: tierOf(one) }));
}

function nameOf(call: PlacedCall, effect: Effect, part: Part): string {
  const [command] = doingsOf(effect).find(({ parts }) => parts.includes(part))?.commands ?? [];
  if (command !== undefined) return maskText(programText(command.words));
  const target = part.targets.find(({ kind }) => kind === "path" || kind === "domain");
  if (target?.kind === "path") return maskText(`${call.tool} ${folderOf(shortPath(target.path, call.project))}`);
  return target?.kind === "domain" ? `${call.tool} ${target.domain}` : call.tool;
}

/** A file directly in the project by its name, a file further inside by its first folder. */
function folderOf(path: string): string {
  const at = path.indexOf("/", 1);
  return at < 0 ? path : `${path.slice(0, at)}/…`;
}

/** The program and its subcommand, including what a launcher starts and the script that is run. */
function programText(words: readonly string[]): string {
  const name = programOf(words[0] ?? "");
  const said = [name];
  let program = programCalled(name);
  let at = nextWord(words, 1);
  for (
    let sub = program?.subs.get(words[at] ?? "")?.();
    sub !== undefined;
    sub = program?.subs.get(words[at] ?? "")?.()
  ) {
    said.push(words[at] ?? "");
    program = sub;
    at = nextWord(words, at + 1);
  }
  const starts = program?.slots[0]?.role === "command" || /^run(-script)?$/.test(said.at(-1) ?? "");
  const next = words[at] ?? "";
  return [...said, ...(starts && /^[@\w][\w@/:.-]*$/.test(next) ? [next] : [])].join(" ");
}

function exampleOf(call: PlacedCall, effect: Effect): string {
  const command = call.args["command"] ?? call.args["cmd"];
  if (typeof command === "string") return maskText(command);
  const words = effect.parts.flatMap(({ targets }) => targets).find((target) => target.kind === "command");
  if (words?.kind === "command") return maskText(wordsText(words.words));
  const path = effect.parts.flatMap(({ targets }) => targets).find((target) => target.kind === "path");
  if (path?.kind === "path") return maskText(`${call.tool} ${shortPath(path.path, call.project)}`);
  return call.tool;
}

/** Counts each value, the most frequent first. */
function counted(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
