import type { Head } from "../../../core/ledger.ts";
import type { TrustRecord } from "../../../core/trust/trust.ts";
import type { WorkspaceState } from "../../sql/places.ts";
import type { AboutQuestion } from "../../sql/tracks.ts";
import type { RowColumns } from "./prepare.ts";

// Applying a batch statement by statement would ask the server ten times for each Change. Instead everything that a
// batch needs is read at once into a view, the Changes are applied to the view in memory, and the result is written at
// once. The view stays valid as long as the stamp of the workspace is unchanged.

/** A row of any table except calls. `write`: what the batch does to it. */
export type RowItem = {
  version: number;
  key: string | null;
  state: string | null;
  agent: string | null;
  digest: string | null;
  collect: string | null;
  write?: { columns: RowColumns } | { text: string };
};

/** A stored call. `write`: `alarm` also writes its alarm; `content` leaves the alarm, which somebody may have taken. */
export type CallItem = {
  place: number;
  version: number;
  key: string;
  sortMs: number;
  wakeMs: number | null;
  decided: number | null;
  row: string;
  args: string | null;
  execution: string | null;
  executionVersion: number | null;
  result: string | null;
  write?: "alarm" | "content";
};

/** An entry that the batch appends, as its columns. */
export type AppendedRow = {
  place: number;
  atMs: number;
  kind: string;
  actor: string;
  subject: string;
  call: string | null;
  change: string | null;
  approval: string | null;
  grant: string | null;
  person: string | null;
  agent: string | null;
  bodyHash: string;
  previous: string | null;
  hash: string;
  salt: string;
  body: string;
};

/** Everything that can be known about a workspace, by kind. `null`: it is known that there is none. */
export type Items = {
  row: RowItem | null;
  /** The content of a row, which only erasing needs. */
  text: { row: string; call: string | null } | null;
  /** The live rows with this key. */
  key: ReadonlySet<string>;
  call: CallItem | null;
  callKey: boolean;
  /** Whether people were ever asked about a call of this agent. */
  asker: boolean;
  /** How many questions there were about a digest of an agent; how many executions wait for the agent. */
  asked: number;
  waiting: number;
  counter: { sum: number; untilMs: number } | null;
  /** The index of the first entry of a Change that was applied. */
  change: number | null;
  byChange: number | null;
  first: { place: number; bodyHash: string } | null;
  entry: { call: string | null; kind: string; subject: string; body: string | null } | null;
  track: TrustRecord | null;
  /** The entries about a question, newest first. */
  question: readonly AboutQuestion[];
  /** How the number of rows in a state has changed. */
  tally: number;
};
export type Kind = keyof Items;
export type Wanted = { kind: Kind; parts: readonly string[] };

/** The state of the workspace, and how often something was committed to it. */
export type StampedState = WorkspaceState & { stamp: number };

/** Something is needed that was not read yet. */
export class Missing extends Error {
  override name = "Missing";
}
const MISSING = new Missing("it was not read yet");

export type BatchView = {
  state(): StampedState;
  setState(to: Partial<{ epoch: number; mark: string | null; head: Head }>): void;
  /** Throws `Missing` if it was not read yet, and notes that it is wanted. */
  get<K extends Kind>(kind: K, ...parts: readonly string[]): Items[K];
  /** What is known; `undefined` if it was not read. */
  known<K extends Kind>(kind: K, ...parts: readonly string[]): Items[K] | undefined;
  /** Notes that it will be needed. */
  want(kind: Kind, ...parts: readonly string[]): void;
  set<K extends Kind>(kind: K, parts: readonly string[], item: Items[K]): void;
  append(row: AppendedRow): void;
  erase(place: number): void;
  appended: readonly AppendedRow[];
  erased: readonly number[];
  /** A position to return to, if what was done since must leave no trace. */
  mark(): Mark;
  rewind(mark: Mark): void;
  /** What is wanted and was not read. */
  wanted(): readonly Wanted[];
  /** What the batch changed, once each, with its last content. */
  changed(): Iterable<readonly [Wanted, Items[Kind]]>;
  /** What was read from the server. */
  learn(state: StampedState | undefined): void;
  learned<K extends Kind>(kind: K, parts: readonly string[], item: Items[K]): void;
  /** Before a batch: nothing is left of an earlier one that was not written. */
  begin(): void;
  /** The batch was written: what it changed is now what the server has. */
  written(): void;
  forget(): void;
  stamp(): number | undefined;
};

type Mark = { steps: number; appended: number; erased: number };

/** Parts are stored text, which never contains NUL. */
const SEPARATOR = "\0";

/** Kinds that are the same after the batch was written, and often needed again. */
const LASTING: ReadonlySet<Kind> = new Set(["row", "key", "call", "asker", "asked", "waiting", "counter", "track"]);

/** Enough for the agents and calls that are active now; the rest is read again. */
const ITEMS_MAX = 20_000;

type Step = { key: string; wanted: Wanted; before: Items[Kind] | undefined } | { state: StampedState };

/** Everything that a view holds. Items are never changed, only replaced, so that a step can be undone. */
type Held = {
  lasting: Map<string, Items[Kind]>;
  passing: Map<string, Items[Kind]>;
  wanted: Map<string, Wanted>;
  steps: Step[];
  appended: AppendedRow[];
  erased: number[];
  state: StampedState | undefined;
};

export function viewOf(): BatchView {
  const held: Held = {
    ...{ lasting: new Map(), passing: new Map(), wanted: new Map() },
    ...{ steps: [], appended: [], erased: [], state: undefined },
  };
  return { ...readingOf(held), ...changingOf(held), ...learningOf(held), ...batchesOf(held) };
}

function itemsOf({ lasting, passing }: Held, kind: Kind): Map<string, Items[Kind]> {
  return LASTING.has(kind) ? lasting : passing;
}

function want(held: Held, key: string, wanted: Wanted): void {
  if (!itemsOf(held, wanted.kind).has(key)) held.wanted.set(key, wanted);
}

function stateIn({ state }: Held): StampedState {
  if (state === undefined) throw MISSING;
  return state;
}

function readingOf(held: Held): Pick<BatchView, "state" | "stamp" | "get" | "known" | "want" | "wanted"> {
  return {
    state: () => stateIn(held),
    stamp: () => held.state?.stamp,
    get: <K extends Kind>(kind: K, ...parts: readonly string[]) => {
      const key = keyOf(kind, parts);
      const found = itemsOf(held, kind).get(key);
      if (found !== undefined) return found as Items[K];
      want(held, key, { kind, parts });
      throw MISSING;
    },
    known: <K extends Kind>(kind: K, ...parts: readonly string[]) =>
      itemsOf(held, kind).get(keyOf(kind, parts)) as Items[K] | undefined,
    want: (kind, ...parts) => want(held, keyOf(kind, parts), { kind, parts }),
    wanted: () => [...held.wanted.values()],
  };
}

function changingOf(
  held: Held,
): Pick<BatchView, "setState" | "set" | "append" | "erase" | "appended" | "erased" | "mark" | "rewind" | "changed"> {
  const { steps, appended, erased } = held;
  return {
    appended,
    erased,
    setState: (to) => {
      const state = stateIn(held);
      steps.push({ state });
      held.state = { ...state, ...to };
    },
    set: (kind, parts, item) => {
      const key = keyOf(kind, parts);
      const items = itemsOf(held, kind);
      steps.push({ key, wanted: { kind, parts }, before: items.get(key) });
      items.set(key, item);
    },
    append: (row) => appended.push(row),
    erase: (place) => erased.push(place),
    mark: () => ({ steps: steps.length, appended: appended.length, erased: erased.length }),
    rewind: (mark) => rewind(held, mark),
    changed: () => changedBy(held),
  };
}

function rewind(held: Held, mark: Mark): void {
  const { steps, appended, erased } = held;
  while (steps.length > mark.steps) {
    const step = steps.pop() as Step;
    if ("state" in step) held.state = step.state;
    else if (step.before === undefined) itemsOf(held, step.wanted.kind).delete(step.key);
    else itemsOf(held, step.wanted.kind).set(step.key, step.before);
  }
  appended.length = mark.appended;
  erased.length = mark.erased;
}

function learningOf(held: Held): Pick<BatchView, "learn" | "learned"> {
  return {
    learn: (to) => {
      held.state = to;
      held.wanted.clear();
    },
    learned: (kind, parts, item) => itemsOf(held, kind).set(keyOf(kind, parts), item),
  };
}

function batchesOf(held: Held): Pick<BatchView, "begin" | "written" | "forget"> {
  const { lasting, passing, wanted, steps, appended, erased } = held;
  const leave = () => {
    steps.length = 0;
    appended.length = 0;
    erased.length = 0;
    passing.clear();
    wanted.clear();
  };
  return {
    begin: () => {
      rewind(held, { steps: 0, appended: 0, erased: 0 });
      leave();
    },
    written: () => {
      for (const step of steps) {
        const item = "state" in step ? undefined : lasting.get(step.key);
        if (typeof item === "object" && item !== null && "write" in item) delete item.write;
      }
      if (held.state !== undefined) held.state = { ...held.state, stamp: held.state.stamp + 1 };
      leave();
      if (lasting.size > ITEMS_MAX) lasting.clear();
    },
    forget: () => {
      leave();
      lasting.clear();
      held.state = undefined;
    },
  };
}

function keyOf(kind: Kind, parts: readonly string[]): string {
  return parts.length === 1 ? `${kind}${SEPARATOR}${parts[0]}` : [kind, ...parts].join(SEPARATOR);
}

function* changedBy(held: Held): Iterable<readonly [Wanted, Items[Kind]]> {
  const seen = new Set<string>();
  for (const step of held.steps) {
    if ("state" in step || seen.has(step.key)) continue;
    seen.add(step.key);
    const item = itemsOf(held, step.wanted.kind).get(step.key);
    if (item !== undefined) yield [step.wanted, item];
  }
}
