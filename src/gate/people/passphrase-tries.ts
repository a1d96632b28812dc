import type { Piece, Write } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { PersonName, SignInId } from "../../core/ids.ts";
import { say } from "../../core/messages/message.ts";
import { formatDuration } from "../../core/values/duration.ts";
import { sha256Hex } from "../../core/values/hash.ts";
import { commitStep, type Step } from "../commit.ts";
import type { Deps } from "../deps.ts";

// How often somebody may guess. Counted in the store, so that a loop of processes waits like one process does, and
// counted before the guess is looked at, so that a hundred guesses at once are not a hundred answers.

/** Slips of the hand cost nothing; from here on each wrong one doubles the wait. */
const FREE_TRIES = 2;
/** At one name from all addresses together: whoever guesses elsewhere keeps the right person out only after this many. */
const FREE_ANYWHERE = 50;
/** From one address at whatever names. */
const FREE_HERE = 30;
/** At all names from all addresses. */
const FREE_IN_ALL = 1_000;
const WAIT_FIRST_MS = 5_000;
/** Whoever guesses could keep the right person out for as long: so it is not long. */
const WAIT_MAX_MS = 15 * 60_000;
/** Over the limit for all, everybody shares one slow door: it must open often enough for who has the right passphrase. */
const WAIT_IN_ALL_MS = 2_000;
const FORGOTTEN_MS = 24 * 3_600_000;
/** How long somebody is known where they gave the right passphrase: strangers elsewhere do not keep them out there. */
const KNOWN_MS = 30 * 24 * 3_600_000;

/** Where a guess comes from, where that is known: an address, or a browser that the person is signed in in already. */
export type From = { address: string } | { signIn: SignInId };
export type PassphraseGuess = { name: PersonName; from?: From };

/** One guess that may be looked at: how many there were with it since the last right one, and what it cost. */
export type Try = { tries: number; waitMs: number; untilMs: number };
/** The same, with what was counted where, to be given back should it turn out right. */
export type TakenTry = Try & { counted: readonly (Counted & { untilMs: number })[]; knownAs?: string };

/** Takes the right to one guess, or says how long to wait. */
export async function takeTry(deps: Deps, guess: PassphraseGuess): Promise<{ ok: true; value: TakenTry } | Refused> {
  return commitStep(deps, async (nowMs): Promise<Step<TakenTry>> => {
    const pieces: Piece[] = [];
    const counted: (Counted & { untilMs: number })[] = [];
    let value: Try = { tries: 0, waitMs: 0, untilMs: nowMs };
    const knownAs = knownCounter(guess);
    for (const place of placesOf(guess, await isKnown(deps, knownAs, nowMs))) {
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
    return { ok: true, value: { ...value, counted, ...(knownAs === undefined ? {} : { knownAs }) }, pieces };
  });
}

function counting(key: string, { tries, waitMs, untilMs }: Try, nowMs: number): Piece {
  const [counted, lock] = countersOf(key);
  return {
    needs: [
      { is: "room", counters: [counted], add: 1, max: tries },
      { is: "room", counters: [lock], add: 1, max: 1 },
    ],
    writes: [
      { do: "add", counter: counted, by: 1, untilMs: nowMs + FORGOTTEN_MS },
      // What it holds is when it ends: whoever finds it says for how long.
      ...(waitMs === 0 ? [] : [{ do: "add" as const, counter: lock, by: untilMs, untilMs }]),
    ],
  };
}

/** A new passphrase starts the counts of its name over. */
export async function forgetTries(deps: Deps, name: PersonName, nowMs: number): Promise<Piece> {
  const places = [{ key: name }, { key: `${nameKey(name)} anywhere` }];
  return { writes: (await Promise.all(places.map(({ key }) => clearing(deps, key, nowMs)))).flat() };
}

/** A right passphrase starts the counts of its own name over. Where others are counted too, it gives back its own try. */
export async function forgiveTry(deps: Deps, { counted, knownAs }: TakenTry, nowMs: number): Promise<Piece> {
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
  return { writes: [...(await Promise.all(writes)).flat(), ...remembered] };
}

async function clearing(deps: Deps, key: string, nowMs: number): Promise<readonly Write[]> {
  const held = await read(deps, key, nowMs);
  return held.flatMap((value, at) => adding(key, at === 0 ? 0 : 1, -value, nowMs));
}

function adding(key: string, at: 0 | 1, by: number, nowMs: number): readonly Write[] {
  return by === 0 ? [] : [{ do: "add", counter: countersOf(key)[at], by, untilMs: nowMs + FORGOTTEN_MS }];
}

/** `own`: only guesses at this one name are counted there. */
type Counted = { key: string; free: number; own: boolean; waitMaxMs?: number };

/**
 * Over the network names and addresses are whatever somebody sends. Each name is counted for itself, known or not, so that
 * nobody learns from a wait who is known, and nobody's guesses or successes touch another's count. How many counters a
 * stranger can leave behind is bounded by the counts of the address and of all together. Where the person is known, what
 * is guessed elsewhere does not count.
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

/** What is counted where this person gave the right passphrase over the network. */
function knownCounter({ name, from }: PassphraseGuess): string | undefined {
  if (from === undefined || !("address" in from)) return undefined;
  return `passphrase:known:${nameKey(name)} from ${nameKey(sourceOf(from.address))}`;
}

async function isKnown(deps: Deps, counter: string | undefined, nowMs: number): Promise<boolean> {
  if (counter === undefined) return false;
  const [times = 0] = await deps.store.read({
    ask: "counters",
    workspace: deps.workspace,
    counters: [counter],
    nowMs,
  });
  return times > 0;
}

/** Whole, so that no two names share a count; hashed, so that what strangers type is not kept. */
function nameKey(text: string): string {
  return sha256Hex(text).slice(0, 32);
}

/** Who has one IPv6 address has 2^64 of them: they count as one. */
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
