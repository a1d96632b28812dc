import type { AgentName } from "../core/ids.ts";
import type { Entry } from "../core/ledger.ts";
import { type Suggestion, suggestionsOf } from "../core/trust/earned.ts";
import { chainOf, type GraphChain } from "../core/trust/opentrustgraph.ts";
import { foldTrials, startTrials } from "../core/trust/trial.ts";
import {
  byClass,
  foldTrust,
  startTrust,
  sumOfTracks,
  type Track,
  type TrustFold,
  type TrustRecord,
} from "../core/trust/trust.ts";
import { type Imported, importChain } from "../core/trust/trust-import.ts";
import { foldRecords, startRecords } from "../core/trust/trust-records.ts";
import type { EntryFilter } from "../ports.ts";
import type { Deps } from "./deps.ts";
import { listEntries } from "./ledger.ts";

/** An agent's whole record: all in all, per class, per class and tool, and what it may suggest to a person. */
export type TrustView = {
  agent: AgentName;
  total: Track;
  classes: readonly (Track & { class: string })[];
  records: readonly TrustRecord[];
  suggestions: readonly Suggestion[];
};

export async function trustOf(deps: Deps, agent: AgentName): Promise<TrustView> {
  const [trust, trials] = [startTrust(), startTrials()];
  for await (const entry of allEntries(deps, { subject: { agent } })) {
    foldTrust(trust, entry);
    foldTrials(trials, entry);
  }
  const records = [...trust.records.values()];
  const at = { project: deps.policies.current().project, nowMs: deps.clock.nowMs() };
  return {
    agent,
    total: sumOfTracks(records),
    classes: byClass(records),
    records,
    suggestions: suggestionsOf([...trials.trials.values()], at),
  };
}

/** All tracks up to a place in the ledger. */
type Kept = { fold: TrustFold; index: number; reading: Promise<void> };
const kept = new WeakMap<Deps["store"], Kept>();

/**
 * How an agent did in one class, for a card. The fold goes on where it stopped: what a card costs is the entries since
 * the last one, not the history.
 */
export async function trackOf(deps: Deps, agent: AgentName, of: string): Promise<Track | undefined> {
  const held = kept.get(deps.store) ?? { fold: startTrust(), index: 0, reading: Promise.resolve() };
  kept.set(deps.store, held);
  // One after the other: two that fold the same entries would count them twice.
  held.reading = held.reading.catch(() => undefined).then(() => foldOn(deps, held));
  await held.reading;
  const records = [...held.fold.records.values()].filter((record) => record.agent === agent && record.class === of);
  return records.length === 0 ? undefined : sumOfTracks(records);
}

async function foldOn(deps: Deps, held: Kept): Promise<void> {
  for await (const entry of allEntries(deps, {}, held.index)) {
    foldTrust(held.fold, entry);
    held.index = entry.index;
  }
}

/** The stream that our exports come from, as the format wants it named. */
const TOPIC = "trust_graph";

/** The record as an OpenTrustGraph chain: of one agent, or of all. */
export async function trustExport(deps: Deps, of: { agent?: AgentName } = {}): Promise<GraphChain> {
  const fold = startRecords();
  const where: EntryFilter = of.agent === undefined ? {} : { subject: { agent: of.agent } };
  for await (const entry of allEntries(deps, where)) foldRecords(fold, entry);
  return chainOf(fold.records, { topic: TOPIC, generatedMs: deps.clock.nowMs(), producer: PRODUCER });
}

/** A test keeps the version alike with the package's. */
const PRODUCER = { name: "leeway", version: "0.1.0" };

/** Verifies somebody's chain and reads it; the first fault is named. Nothing is stored, and nobody gains by it. */
export function trustImport(text: string): Imported {
  return importChain(text);
}

const PAGE = 1000;

async function* allEntries(deps: Deps, where: EntryFilter, from = 0): AsyncGenerator<Entry> {
  for (let afterIndex = from; ; ) {
    const entries = await listEntries(deps, { ...where, afterIndex }, { limit: PAGE, order: "oldest" });
    yield* entries;
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE) return;
    afterIndex = last.index;
  }
}
