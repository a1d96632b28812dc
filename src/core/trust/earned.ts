import { type EffectClass, type Level, levelSatisfies } from "../effect.ts";
import type { AgentName } from "../ids.ts";
import { type Message, say } from "../messages/message.ts";
import type { GrantCover, GrantPattern } from "../standing/grant.ts";
import { wilsonLowerBound } from "../values/wilson.ts";
import type { Trial } from "./trial.ts";

/** A suggestion from an agent's track record. Only a person can turn it into a grant. */
export type Suggestion = {
  agent: AgentName;
  class: EffectClass;
  covers: GrantCover;
  good: number;
  of: number;
  lowerBound: number;
  text: Message;
};

/** Below this nothing is suggested: 35 of 35 is just enough, 34 of 34 is not. */
const LOWER_BOUND_MIN = 0.9;
export const WINDOW_MS = 30 * 24 * 60 * 60 * 1000;

/** For each agent, class and place, judged only by its own calls: successes in other places do not help. */
export function suggestionsOf(trials: readonly Trial[], at: { project: string; nowMs: number }): readonly Suggestion[] {
  const recent = trials.filter((trial) => trial.atMs > at.nowMs - WINDOW_MS);
  const places = new Map<string, Place>();
  for (const trial of recent) {
    for (const pattern of patternsOf(trial, at.project)) {
      const key = JSON.stringify([trial.agent, trial.class, pattern]);
      const place = places.get(key) ?? { agent: trial.agent, class: trial.class, pattern, trials: [] };
      place.trials.push(trial);
      places.set(key, place);
    }
  }
  const earned = [...places.values()].filter((place) => boundOf(place) >= LOWER_BOUND_MIN);
  // The narrowest folder that qualifies: successes in one folder say nothing about the folder next to it.
  const narrow = earned.filter((place) => !earned.some((other) => isInside(other, place)));
  return narrow.map((place) => suggestionOf(place, at.project));
}

type Place = { agent: AgentName; class: EffectClass; pattern: GrantPattern; trials: Trial[] };

/** Everything that could be granted and would have covered this call: a domain, a tool, or a folder in the project. */
function patternsOf(trial: Trial, project: string): readonly GrantPattern[] {
  const [first] = trial.targets;
  if (first === undefined || trial.targets.every((target) => target.kind === "tool")) {
    return [{ kind: "tool", tool: trial.tool }];
  }
  if (first.kind === "domain") {
    const same = trial.targets.every((target) => target.kind === "domain" && target.domain === first.domain);
    return same ? [{ kind: "domain", pattern: first.domain }] : [];
  }
  const paths = trial.targets.map((target) => (target.kind === "path" ? target.path : undefined));
  const known = paths.filter((path) => path !== undefined);
  return known.length === paths.length ? foldersOver(known, project) : [];
}

/** Folders inside the project that contain all these paths, widest first. */
function foldersOver(paths: readonly string[], project: string): readonly GrantPattern[] {
  const within = `${project.replace(/\/$/, "")}/`;
  if (!paths.every((path) => path.startsWith(within))) return [];
  const folders = paths.map((path) => path.slice(within.length).split("/").slice(0, -1));
  const [shortest = []] = [...folders].sort((a, b) => a.length - b.length);
  const patterns: GrantPattern[] = [];
  for (let depth = 1; depth <= shortest.length; depth++) {
    const folder = shortest.slice(0, depth).join("/");
    if (!folders.every((parts) => parts.slice(0, depth).join("/") === folder)) break;
    patterns.push({ kind: "path", path: within + folder, recursive: true });
  }
  return patterns;
}

function isInside(inner: Place, outer: Place): boolean {
  if (inner === outer || inner.agent !== outer.agent || inner.class !== outer.class) return false;
  if (inner.pattern.kind !== "path" || outer.pattern.kind !== "path") return false;
  return inner.pattern.path.startsWith(`${outer.pattern.path}/`);
}

function goodOf(place: Place): number {
  return place.trials.filter((trial) => trial.good).length;
}

function boundOf(place: Place): number {
  return wilsonLowerBound(goodOf(place), place.trials.length);
}

function suggestionOf(place: Place, project: string): Suggestion {
  const [good, of, lowerBound] = [goodOf(place), place.trials.length, boundOf(place)];
  const percent = Math.floor(lowerBound * 100);
  const days = WINDOW_MS / (24 * 60 * 60 * 1000);
  return {
    agent: place.agent,
    class: place.class,
    covers: { class: place.class, targets: [place.pattern], level: levelOf(place) },
    good,
    of,
    lowerBound,
    text: say(SUGGESTS[place.pattern.kind], {
      agent: place.agent,
      good,
      count: of,
      class: place.class,
      where: where(place.pattern, project),
      days,
      percent,
    }),
  };
}

const SUGGESTS = {
  path: "suggestion.path",
  domain: "suggestion.domain",
  tool: "suggestion.tool",
  command: "suggestion.command",
} as const;

function levelOf(place: Place): Level {
  const levels = place.trials.flatMap((trial) => trial.targets.map((target) => target.level));
  return levels.reduce((most, level) => (levelSatisfies(level, most) ? level : most), "none");
}

function where(pattern: GrantPattern, project: string): string {
  switch (pattern.kind) {
    case "path":
      return `${pattern.path.slice(project.replace(/\/$/, "").length + 1)}/**`;
    case "domain":
      return pattern.pattern;
    case "tool":
      return pattern.tool;
    case "command":
      return pattern.words.join(" ");
  }
}
