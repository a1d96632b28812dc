import type { Piece, Write } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { PersonName, SignInId } from "../../core/ids.ts";
import { say } from "../../core/messages/message.ts";
import { formatDuration } from "../../core/values/duration.ts";
import { sha256Hex } from "../../core/values/hash.ts";
import { commitStep, type Step } from "../commit.ts";
import type { Deps } from "../deps.ts";

// How often a passphrase may be tried. It is counted in the store, so that many processes count together, and it is counted
// before the passphrase is checked, so that many tries at the same time do not all get an answer.

/** The first wrong tries are free. After them, each wrong try doubles the wait. */
const FREE_TRIES = 2;
/** For one name from all addresses together. Only after this many tries do strangers delay the right person. */
const FREE_ANYWHERE = 50;
/** From one address, for all names. */
const FREE_HERE = 30;
/** For all names from all addresses. */
const FREE_IN_ALL = 1_000;
const WAIT_FIRST_MS = 5_000;
/** Short, because by guessing a stranger could lock out the right person for this time. */
const WAIT_MAX_MS = 15 * 60_000;
/** If the limit for everybody is reached, all tries share this wait. It is short, so that the right person can sign in. */
const WAIT_IN_ALL_MS = 2_000;
const FORGOTTEN_MS = 24 * 3_600_000;
/** How long a person stays known at an address after a right passphrase. There, tries from other addresses do not count. */
const KNOWN_MS = 30 * 24 * 3_600_000;

/** Where a try comes from, if known: an address, or a browser in which the person is already signed in. */
export type GuessOrigin = { address: string } | { signIn: SignInId };
export type PassphraseGuess = { name: PersonName; from?: GuessOrigin };

/** One try that may be checked: how many there were since the last right one, and how long the next one must wait. */
export type CountedGuess = { tries: number; waitMs: number; untilMs: number };
/** The same, with the counters that were increased, so that a right passphrase can reset them. */
export type TakenTry = CountedGuess & {
  counted: readonly (Counted & { untilMs: number })[];
  knownAs?: string;
  judged?: string;
};

/** A passphrase is checked in a fraction of a second; after this time nobody waits for a process that died over it. */
const JUDGED_MS = 10_000;
const LOOK_AGAIN_MS = 100;
/** So many may wait in one process; more are refused at once. */
const IN_TURN_MAX = 32;
let inTurn = 0;

/**
 * Counts one try, or returns how long to wait. If others are being checked at this moment, it waits for them: if their
 * passphrases are right, they do not count. Otherwise several right ones at once would be refused.
 */
export async function takeTryInTurn(deps: Deps, guess: PassphraseGuess): Promise<Taken> {
  const judged = judgedCounter(guess);
  for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
    const taken = await takeTry(deps, guess, { judged });
    const mayWait = waitedMs < JUDGED_MS && inTurn < IN_TURN_MAX;
    if (taken.ok || !mayWait || !(await isPositive(deps, judged))) return taken;
    inTurn++;
    await deps.clock.sleep(LOOK_AGAIN_MS).finally(() => inTurn--);
  }
}

type Taken = { ok: true; value: TakenTry } | Refused;

/** The passphrase of this try was checked. */
export function judgedPiece({ judged }: TakenTry, nowMs: number): Piece {
  return judged === undefined ? {} : { writes: [{ do: "add", counter: judged, by: -1, untilMs: nowMs + JUDGED_MS }] };
}

/** Counts one try, or returns how long to wait. `judged`: the counter of the tries that are being checked. */
export async function takeTry(
  deps: Deps,
  guess: PassphraseGuess,
  { judged }: { judged?: string } = {},
): Promise<Taken> {
  return commitStep(deps, async (nowMs): Promise<Step<TakenTry>> => {
    const pieces: Piece[] = [];
    if (judged !== undefined)
      pieces.push({ writes: [{ do: "add", counter: judged, by: 1, untilMs: nowMs + JUDGED_MS }] });
    const counted: (Counted & { untilMs: number })[] = [];
    let value: CountedGuess = { tries: 0, waitMs: 0, untilMs: nowMs };
    const knownAs = knownCounter(guess);
    for (const place of placesOf(guess, knownAs !== undefined && (await isPositive(deps, knownAs, nowMs)))) {
      const { key } = place;
      const [before, lockedUntilMs] = await read(deps, key, nowMs);
      if (lockedUntilMs > 0) return locked(guess.name, lockedUntilMs - nowMs);
      const tries = before + 1;
      const waitMs = waitAfter(tries, place);
      const here = { tries, waitMs, untilMs: nowMs + waitMs };
      pieces.push(counting(key, here, nowMs));
      counted.push({ ...place, untilMs: waitMs === 0 ? 0 : here.untilMs });
      if (value.tries === 0 || waitMs > value.waitMs) value = here;
    }
    const named = { ...(knownAs === undefined ? {} : { knownAs }), ...(judged === undefined ? {} : { judged }) };
    return { ok: true, value: { ...value, counted, ...named }, pieces };
  });
}

function counting(key: string, { tries, waitMs, untilMs }: CountedGuess, nowMs: number): Piece {
  const [counted, lock] = countersOf(key);
  return {
    needs: [
      { is: "room", counters: [counted], add: 1, max: tries },
      { is: "room", counters: [lock], add: 1, max: 1 },
    ],
    writes: [
      { do: "add", counter: counted, by: 1, untilMs: nowMs + FORGOTTEN_MS },
      // The counter stores the end of the wait, so that others can say how long it lasts.
      ...(waitMs === 0 ? [] : [{ do: "add" as const, counter: lock, by: untilMs, untilMs }]),
    ],
  };
}

/** A new passphrase resets the counters of its name. */
export async function forgetTries(deps: Deps, name: PersonName, nowMs: number): Promise<Piece> {
  const places = [{ key: name }, { key: `${nameKey(name)} anywhere` }];
  return { writes: (await Promise.all(places.map(({ key }) => clearing(deps, key, nowMs)))).flat() };
}

/** A right passphrase resets the counters of its name. In shared counters it takes back its own try. */
export async function forgiveTry(deps: Deps, taken: TakenTry, nowMs: number): Promise<Piece> {
  const { counted, knownAs } = taken;
  const writes = counted.map(async ({ key, own, untilMs }) => {
    if (own) return clearing(deps, key, nowMs);
    const [tries, lock] = await read(deps, key, nowMs);
    return [
      ...adding(key, 0, tries > 0 ? -1 : 0, nowMs),
      ...(untilMs > 0 && lock === untilMs ? adding(key, 1, -untilMs, nowMs) : []),
    ];
  });
  const known = { do: "add" as const, by: 1, untilMs: nowMs + KNOWN_MS };
  const remembered = knownAs === undefined ? [] : [{ ...known, counter: knownAs }];
  const { writes: judged = [] } = judgedPiece(taken, nowMs);
  return { writes: [...(await Promise.all(writes)).flat(), ...remembered, ...judged] };
}

async function clearing(deps: Deps, key: string, nowMs: number): Promise<readonly Write[]> {
  const held = await read(deps, key, nowMs);
  return held.flatMap((value, at) => adding(key, at === 0 ? 0 : 1, -value, nowMs));
}

function adding(key: string, at: 0 | 1, by: number, nowMs: number): readonly Write[] {
  return by === 0 ? [] : [{ do: "add", counter: countersOf(key)[at], by, untilMs: nowMs + FORGOTTEN_MS }];
}

/** `own`: only tries for this name are counted there. */
type Counted = { key: string; free: number; own: boolean; waitMaxMs?: number };

/**
 * Over the network anybody can send any name. Each name has its own counter, known or not, so that nobody learns from a
 * wait which names are known, and the tries for one name do not affect another. The limits for an address and for
 * everybody also limit how many counters a stranger can create. At an address where the person is known, tries from other
 * addresses do not count.
 */
function placesOf({ name, from }: PassphraseGuess, known: boolean): readonly Counted[] {
  if (from === undefined) return [{ key: name, free: FREE_TRIES, own: true }];
  if ("signIn" in from) return [{ key: `${name} in ${from.signIn}`, free: FREE_TRIES, own: true }];
  const source = nameKey(sourceOf(from.address));
  const here: readonly Counted[] = [
    { key: `${nameKey(name)} from ${source}`, free: FREE_TRIES, own: true },
    { key: `anybody from ${source}`, free: FREE_HERE, own: false },
  ];
  if (known) return here;
  return [
    ...here,
    { key: `${nameKey(name)} anywhere`, free: FREE_ANYWHERE, own: true },
    { key: "anybody anywhere", free: FREE_IN_ALL, own: false, waitMaxMs: WAIT_IN_ALL_MS },
  ];
}

/** The counter of an address at which this person gave the right passphrase. */
function knownCounter({ name, from }: PassphraseGuess): string | undefined {
  if (from === undefined || !("address" in from)) return undefined;
  return `passphrase:known:${nameKey(name)} from ${nameKey(sourceOf(from.address))}`;
}

/** Tries for this name that came from the same place and are being checked. */
function judgedCounter(guess: PassphraseGuess): string {
  const [own] = placesOf(guess, true);
  return `passphrase:judged:${own?.key ?? ""}`;
}

async function isPositive({ store, workspace, clock }: Deps, counter: string, nowMs = clock.nowMs()): Promise<boolean> {
  const [times = 0] = await store.read({ ask: "counters", workspace, counters: [counter], nowMs });
  return times > 0;
}

/** The complete hash, so that no two names share a counter, and typed names are not stored. */
function nameKey(text: string): string {
  return sha256Hex(text).slice(0, 32);
}

/** Whoever has one IPv6 address has 2^64 of them, so they count as one. */
function sourceOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail] = address.split("::");
  const first = head.split(":").filter((piece) => piece !== "");
  const last = (tail ?? "").split(":").filter((piece) => piece !== "");
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill("0");
  return [...first, ...zeros, ...last].slice(0, 4).join(":");
}

async function read(deps: Deps, key: string, nowMs: number): Promise<readonly [number, number]> {
  const counters = countersOf(key);
  const [tries = 0, untilMs = 0] = await deps.store.read({
    ask: "counters",
    workspace: deps.workspace,
    counters,
    nowMs,
  });
  return [tries, untilMs];
}

function countersOf(key: string): readonly [string, string] {
  return [`passphrase:tries:${key}`, `passphrase:locked:${key}`];
}

function waitAfter(tries: number, { free, waitMaxMs = WAIT_MAX_MS }: Counted): number {
  return tries <= free ? 0 : Math.min(WAIT_FIRST_MS * 2 ** (tries - free - 1), waitMaxMs);
}

function locked(name: PersonName, waitMs: number): Refused {
  return refused(
    "LEEWAY_LOCKED",
    say("refusal.too_many_guesses", { person: name }),
    say("hint.wait_for_guesses", { span: formatDuration(Math.ceil(waitMs / 1000) * 1000) }),
  );
}
