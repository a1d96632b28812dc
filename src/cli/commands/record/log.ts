import { EFFECT_CLASSES } from "../../../core/effect.ts";
import { ENTRY_KINDS, type Entry } from "../../../core/ledger.ts";
import { TIERS } from "../../../core/tier.ts";
import type { EntryFilter } from "../../../ports.ts";
import { isAppliedQuietly } from "../../../service/views/boxed.ts";
import { OUTCOME_EXITS } from "../../failure.ts";
import type { CommandGate } from "../../gate/command-gate.ts";
import { withGate } from "../../gate/with-gate.ts";
import { type CommandInput, type CommandSpec, flag, oneOf, text, whole } from "../../spec.ts";
import { wrap } from "../../terminal/table.ts";
import { momentMs } from "../../terminal/time.ts";
import { entryLine } from "../../views/texts.ts";

const NOTHING = "Nothing is recorded yet. Run `leeway run -- ls` to make a first entry.";
const NOTHING_FITS = "No entry matches these options.";
const SHOWN = 50;
const PAGE_MAX = 1000;
const POLL_MS = 500;

export const log: CommandSpec = {
  name: "log",
  summary: "show the record, one line per entry, oldest first",
  options: [
    ["--follow", "keep running, and show new entries as they are recorded"],
    ["--agent <name>", "only this agent"],
    ["--session <id>", "only this session, as `leeway sessions` names it"],
    ["--tool <name>", "only this tool"],
    ["--class <class>", "only this class of effect"],
    ["--tier <tier>", "only this tier"],
    ["--outcome <outcome>", "only this outcome"],
    ["--person <name>", "only what this person did"],
    ["--kind <kind>", "only this kind of entry, such as approval.denied"],
    ["--approval <id>", "only entries about this question"],
    ["--run <id>", "only entries of this run"],
    ["--trace <id>", "only entries of this trace"],
    ["--since <time>", "only entries since then: 2h (ago), 2026-01-31"],
    ["--until <time>", "only entries until then"],
    ["--limit <count>", `show at most this many (default: the last ${SHOWN})`],
  ],
  examples: [
    "leeway log --agent coder --since 2h",
    "leeway log --follow --kind approval.opened",
    "leeway log --json | jq .kind",
  ],
  exits: [0, 1, 2],
  act: (given) => withGate(given, (gate) => logged(given, gate.entries)),
};

type Reading = CommandGate["entries"];

async function logged(given: CommandInput, read: Reading): Promise<number> {
  const where = filterOf(given);
  const limit = Math.min(whole(given, "limit") ?? SHOWN, PAGE_MAX);
  const newest = await read(where, { limit, order: "newest" });
  const entries = [...newest].reverse();
  if (entries.length === 0 && !flag(given, "follow")) {
    const said = (await headIndex(read)) === 0 ? NOTHING : NOTHING_FITS;
    if (!given.out.json) given.out.note(wrap(said, given.out.width));
    return 0;
  }
  const left = printAll(given, where, entries);
  if (left > 0) given.out.note(wrap(leftOut(left), given.out.width));
  if (flag(given, "follow")) await follow(given, read, where, entries.at(-1)?.index ?? (await headIndex(read)));
  return 0;
}

/** Runs until it is stopped. A wake-up is only a hint; the query finds the new entries. */
async function follow(given: CommandInput, read: Reading, where: EntryFilter, from: number): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  let last = from;
  while (!stop.signal.aborted) {
    const fresh = await read({ ...where, afterIndex: last }, { limit: PAGE_MAX, order: "oldest" });
    printAll(given, where, fresh);
    last = fresh.at(-1)?.index ?? last;
    if (fresh.length === 0) await given.io.clock.sleep(POLL_MS, stop.signal);
  }
}

async function headIndex(read: Reading): Promise<number> {
  return (await read({}, { limit: 1, order: "newest" }))[0]?.index ?? 0;
}

/**
 * A command and what it changed are one for people, so entries that only say that the changes were applied are left out. They are
 * printed if somebody looks for a tool, a kind or a question, and as JSON. Returns how many were left out.
 */
function printAll(given: CommandInput, { subject = {}, kinds }: EntryFilter, entries: readonly Entry[]): number {
  const isNarrow = kinds !== undefined || subject.tool !== undefined || subject.class !== undefined;
  const isWhole = given.out.json || isNarrow;
  const printed = entries.filter((entry) => isWhole || !isAppliedQuietly(entry));
  for (const entry of printed) print(given, entry);
  return entries.length - printed.length;
}

function leftOut(count: number): string {
  const are = count === 1 ? "1 entry is not shown: it only says" : `${count} entries are not shown: they only say`;
  return `${are} that what a command changed was applied. \`leeway log --tool leeway.apply\` shows such entries.`;
}

function print(given: CommandInput, entry: Entry): void {
  given.out.line(entry, () => entryLine(given.out, entry));
}

/** Values from a fixed list are checked, so that a typing mistake does not look like an empty history. */
const WORDS: Record<string, readonly string[]> = {
  tier: TIERS,
  class: EFFECT_CLASSES,
  outcome: Object.keys(OUTCOME_EXITS),
};

function filterOf(given: CommandInput): EntryFilter {
  const subject: Record<string, string> = {};
  for (const key of ["agent", "session", "tool", "approval", "run", "trace"]) {
    const value = text(given, key);
    if (value !== undefined) subject[key] = value;
  }
  for (const [key, words] of Object.entries(WORDS)) {
    const value = text(given, key);
    if (value !== undefined) subject[key] = oneOf(value, words, key);
  }
  const nowMs = given.io.clock.nowMs();
  const [kind, person, since, until] = [
    text(given, "kind"),
    text(given, "person"),
    text(given, "since"),
    text(given, "until"),
  ];
  return {
    subject,
    ...(kind === undefined ? {} : { kinds: [oneOf(kind, ENTRY_KINDS, "kind")] }),
    ...(person === undefined ? {} : { actor: `person:${person}` }),
    ...(since === undefined ? {} : { fromMs: momentMs(since, nowMs) }),
    ...(until === undefined ? {} : { toMs: momentMs(until, nowMs) }),
  };
}
