import type { AgentName } from "../../core/ids.ts";
import type { Entry } from "../../core/ledger.ts";
import type { InEnglish } from "../../core/messages/text.ts";
import { type Suggestion, suggestionsOf, WINDOW_MS } from "../../core/trust/earned.ts";
import { chainOf, type GraphChain } from "../../core/trust/opentrustgraph.ts";
import { foldTrials, isProof, PROVING_KINDS, startTrials, type Trial } from "../../core/trust/trial.ts";
import { byClass, sumOfTracks, type Track, type TrustRecord } from "../../core/trust/trust.ts";
import { type ImportedTrust, importChain } from "../../core/trust/trust-import.ts";
import { foldRecords, startRecords } from "../../core/trust/trust-records.ts";
import type { EntryFilter } from "../../ports.ts";
import type { Deps } from "../deps.ts";
import { listEntries } from "./ledger.ts";

/** The track record of an agent: in total, per class, per class and tool, and the suggestions for a person. */
export type TrustView = {
  agent: AgentName;
  total: Track;
  classes: readonly (Track & { class: string })[];
  records: readonly TrustRecord[];
  suggestions: readonly Suggestion[];
};

/** The same for programs, in English. */
export type TrustText = InEnglish<TrustView>;

export async function trustOf(deps: Deps, agent: AgentName): Promise<TrustView> {
  const { store, workspace } = deps;
  const records = await store.read({ ask: "trust", workspace, agent });
  const at = { project: deps.policies.current().project, nowMs: deps.clock.nowMs() };
  return {
    agent,
    total: sumOfTracks(records),
    classes: byClass(records),
    records,
    suggestions: suggestionsOf(await trialsOf(deps, agent, at.nowMs - WINDOW_MS), at),
  };
}

/** The calls that count for a suggestion, with their results and their effects. */
async function trialsOf(deps: Deps, agent: AgentName, fromMs: number): Promise<readonly Trial[]> {
  const fold = startTrials();
  for await (const entry of allEntries(deps, { subject: { agent }, kinds: PROVING_KINDS, fromMs })) {
    if (!isProof(entry)) continue;
    const decided = await decidedBefore(deps, entry);
    if (decided !== undefined) foldTrials(fold, decided);
    foldTrials(fold, entry);
  }
  return [...fold.trials.values()];
}

/** The last decision about the call of this entry at that time. */
async function decidedBefore(deps: Deps, { subject: { call }, index }: Entry): Promise<Entry | undefined> {
  if (call === undefined) return undefined;
  const where = { subject: { call }, kinds: ["call.decided" as const], beforeIndex: index };
  const [decided] = await listEntries(deps, where, { limit: 1, order: "newest" });
  return decided;
}

/** The record of an agent in one class, for a card. */
export async function trackOf(deps: Deps, agent: AgentName, of: string): Promise<Track | undefined> {
  const all = await deps.store.read({ ask: "trust", workspace: deps.workspace, agent });
  const records = all.filter((record) => record.class === of);
  return records.length === 0 ? undefined : sumOfTracks(records);
}

/** The name of the stream of our exports, as the format requires it. */
const TOPIC = "trust_graph";

/** The record as an OpenTrustGraph chain, of one agent or of all. */
export async function trustExport(deps: Deps, of: { agent?: AgentName } = {}): Promise<GraphChain> {
  const fold = startRecords();
  const where: EntryFilter = of.agent === undefined ? {} : { subject: { agent: of.agent } };
  for await (const entry of allEntries(deps, where)) foldRecords(fold, entry);
  return chainOf(fold.records, { topic: TOPIC, generatedMs: deps.clock.nowMs(), producer: PRODUCER });
}

/** A test compares this version with that of the package. */
const PRODUCER = { name: "leeway", version: "0.1.0" };

/** Verifies and reads the chain of another system, and names the first error. Nothing is stored. */
export function trustImport(text: string): ImportedTrust {
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
    await deps.clock.sleep(0);
  }
}
