import type { AgentName } from "../../core/ids.ts";
import { bodyTextOf, type Entry, type Link } from "../../core/ledger.ts";
import { type Suggestion, suggestionsOf } from "../../core/trust/earned.ts";
import { chainOf, type GraphChain } from "../../core/trust/opentrustgraph.ts";
import { foldTrials, startTrials } from "../../core/trust/trial.ts";
import {
  byClass,
  foldTrust,
  startTrust,
  sumOfTracks,
  type Track,
  type TrustFold,
  type TrustRecord,
} from "../../core/trust/trust.ts";
import { type ImportedTrust, importChain } from "../../core/trust/trust-import.ts";
import { foldRecords, startRecords } from "../../core/trust/trust-records.ts";
import type { EntryFilter } from "../../ports.ts";
import type { Deps } from "../deps.ts";
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

/** All tracks up to a place in the ledger, and which of them are an agent's. */
type Kept = {
  fold: TrustFold;
  index: number;
  byAgent: Map<AgentName, TrustRecord[]>;
  reading: Promise<void>;
  /** It has been read to its end once; since then only what came is missing. */
  isWhole: boolean;
  /** Until then: agents that were asked for, each by its own entries. */
  owns: Map<AgentName, Pick<Kept, "fold" | "index">>;
};
const kept = new WeakMap<Deps["store"], Kept>();

/**
 * How an agent did in one class, for a card. The fold goes on where it stopped: what a card costs is the entries since
 * the last one, not the history.
 */
export async function trackOf(deps: Deps, agent: AgentName, of: string): Promise<Track | undefined> {
  const all = (await ownRecords(deps, agent)) ?? (await readOn(deps)).byAgent.get(agent) ?? [];
  const records = all.filter((record) => record.class === of);
  return records.length === 0 ? undefined : sumOfTracks(records);
}

/** As long as not everything is read, an agent with a short history is known by its own entries. */
async function ownRecords(deps: Deps, agent: AgentName): Promise<readonly TrustRecord[] | undefined> {
  const { isWhole, owns } = keptOf(deps);
  if (isWhole) return undefined;
  const own = owns.get(agent) ?? { fold: startTrust(), index: 0 };
  const afterIndex = own.index;
  const entries = await listEntries(deps, { subject: { agent }, afterIndex }, { limit: PAGE, order: "oldest" });
  if (entries.length === PAGE) return undefined;
  // Somebody else was faster: two that fold the same entries would count them twice.
  if ((owns.get(agent) ?? own).index !== afterIndex) return ownRecords(deps, agent);
  for (const entry of entries) foldTrust(own.fold, entry);
  owns.set(agent, { fold: own.fold, index: entries.at(-1)?.index ?? afterIndex });
  return [...own.fold.records.values()];
}

function keptOf({ store }: Deps): Kept {
  const held = kept.get(store) ?? {
    fold: startTrust(),
    index: 0,
    byAgent: new Map<AgentName, TrustRecord[]>(),
    reading: Promise.resolve(),
    isWhole: false,
    owns: new Map<AgentName, Pick<Kept, "fold" | "index">>(),
  };
  kept.set(store, held);
  return held;
}

/** Folds what came since the last time. A server does it as it starts, so that its first card waits for less. */
export async function readOn(deps: Deps, signal?: AbortSignal): Promise<Kept> {
  const held = keptOf(deps);
  // One after the other: two that fold the same entries would count them twice.
  held.reading = held.reading.catch(() => undefined).then(() => foldOn(deps, held, signal));
  await held.reading;
  return held;
}

/** Links, because nearly all of what an entry weighs is its body, and the track is in its subject. */
async function foldOn({ store, workspace, clock }: Deps, held: Kept, signal?: AbortSignal): Promise<void> {
  while (signal?.aborted !== true) {
    const known = held.fold.records.size;
    const links = await store.read({ ask: "links", workspace, afterIndex: held.index, limit: LINKS });
    for (const link of links) foldTrust(held.fold, entryFrom(link));
    held.index = links.at(-1)?.index ?? held.index;
    if (held.fold.records.size > known) index(held, known);
    held.isWhole ||= links.length < LINKS;
    if (held.isWhole) held.owns.clear();
    if (links.length < LINKS) return;
    // Reading is done at once: in between everybody else has a turn.
    await clock.sleep(0);
  }
}

/** Of bodies only these are asked for anything. */
function entryFrom({ body, subject, ...link }: Link): Entry {
  const entry: Entry = { ...link, subject: JSON.parse(subject) };
  const isAsked = link.kind === "execution.reconciled" || link.kind === "execution.lapsed";
  if (!isAsked || body === undefined) return entry;
  return { ...entry, body: { salt: "", json: JSON.parse(bodyTextOf(body)) } };
}

/** Records stay in the order in which they came: the new ones are the last. */
function index({ fold, byAgent }: Kept, known: number): void {
  let at = 0;
  for (const record of fold.records.values()) {
    if (at++ < known) continue;
    const records = byAgent.get(record.agent);
    if (records === undefined) byAgent.set(record.agent, [record]);
    else records.push(record);
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
export function trustImport(text: string): ImportedTrust {
  return importChain(text);
}

const PAGE = 1000;
const LINKS = 500;

async function* allEntries(deps: Deps, where: EntryFilter, from = 0): AsyncGenerator<Entry> {
  for (let afterIndex = from; ; ) {
    const entries = await listEntries(deps, { ...where, afterIndex }, { limit: PAGE, order: "oldest" });
    yield* entries;
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE) return;
    afterIndex = last.index;
    await deps.clock.sleep(0);
  }
}
