import { dirname } from "node:path";
import { readSettings } from "../../config/environment.ts";
import { pathFacts } from "../../config/paths/path-facts.ts";
import type { ToolCall } from "../../core/call.ts";
import { changedSince } from "../../core/classify/facts.ts";
import { declaredTools } from "../../core/classify/known-tool.ts";
import { normalise } from "../../core/classify/path.ts";
import { plainSettings } from "../../core/classify/settings.ts";
import { type Effect, lessUnderstood } from "../../core/effect.ts";
import { say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import { canonical } from "../../core/values/canonical.ts";
import type { Json, JsonObject } from "../../core/values/json.ts";
import { effectSeen } from "../../gate/calls/judging.ts";
import type { PathFactsSource } from "../../ports.ts";
import type { Io } from "../terminal/io.ts";

// A server does not see the disk of this machine: where links lead, and what the settings of a repository start. It does not
// accept such facts from an agent either (decision 18). So the hook looks itself, and whatever makes the call graver than its
// words goes to the server as one more policy layer, which can only make the decision stricter.

export type SeenHere = {
  /** The layer for the server; none if the call is what its words say. */
  layer?: JsonObject;
  /** Why the call would now do something else than when it was sent. Undefined if it would not. */
  changed(): string | undefined;
};

export function seenHere(call: ToolCall, { env }: Io, project: string): SeenHere {
  const { home, stateFolder, db } = readSettings(env);
  const paths = pathFacts(home, [stateFolder, dirname(db)], env);
  const from = { project, places: [], declared: declaredTools([]) };
  const look = () => effectSeen(call, { ...from, paths });
  const here = look();
  const hidden = hiddenIn(here, effectSeen(call, { ...from, paths: byWords(paths, home) }));
  const layer = hidden === undefined ? {} : { layer: layerFor(here, hidden) };
  return { ...layer, changed: () => changedSince(here, look()) };
}

/** The same disk without surprises: every path is what it is called, and no settings start anything. */
function byWords(paths: PathFactsSource, home: string): PathFactsSource {
  return {
    about: (named, cwd, project) => {
      const { own: _, ...found } = paths.about(named, cwd, project);
      const missing = new Set(found.missing);
      const real = Object.fromEntries(Object.keys(found.real).map((path) => [path, normalise(path)]));
      const gone = Object.entries(found.real).flatMap(([path, place]) => (missing.has(place) ? [normalise(path)] : []));
      return { ...found, real, missing: gone, also: {}, met: {} };
    },
    settings: (asked) => plainSettings(asked, home),
    registries: () => ({ named: {}, forTools: [] }),
    taken: () => [],
    files: () => [],
  };
}

/** What only this machine shows about the call. Undefined if it shows nothing that makes the call graver. */
function hiddenIn(here: Effect, words: Effect): readonly string[] | undefined {
  const known = new Set(words.notes.map((note) => textOf(note, "en")));
  const notes = here.notes.map((note) => textOf(note, "en")).filter((note) => !known.has(note));
  const places = placesOf(here).filter((place) => !placesOf(words).includes(place));
  const isSame =
    here.refused === undefined &&
    notes.length === 0 &&
    canonical(here.parts as Json) === canonical(words.parts as Json) &&
    lessUnderstood(here.understood, words.understood) === words.understood;
  return isSame ? undefined : [...notes, ...places];
}

function placesOf({ parts }: Effect): readonly string[] {
  return parts.flatMap(({ targets }) => targets.flatMap((one) => (one.kind === "path" ? [one.path] : [])));
}

const WHY_LENGTH_MAX = 1_000;

/** No grant for the words of the call covers what is behind them, so the rule is firm. */
function layerFor({ refused }: Effect, hidden: readonly string[]): JsonObject {
  const why = refused === undefined ? hidden.join("; ") : textOf(refused.because, "en");
  const because = textOf(say("hook.seen_here", { why: why.slice(0, WHY_LENGTH_MAX) }), "en");
  const tier = refused === undefined ? "ask" : "deny";
  return { rules: [{ name: "agents-machine", match: { tool: "*" }, tier, because, firm: true }] };
}
