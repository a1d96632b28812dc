import type { Piece } from "../core/change.ts";
import { type Refused, refused } from "../core/codes.ts";
import type { PersonName, SignInId } from "../core/ids.ts";
import { formatDuration } from "../core/values/duration.ts";
import { sha256Hex } from "../core/values/hash.ts";
import { commitStep, type Step } from "./commit.ts";
import type { Deps } from "./deps.ts";

// How often somebody may guess. Counted in the store, so that a loop of processes waits like one process does, and
// counted before the guess is looked at, so that a hundred guesses at once are not a hundred answers.

/** Slips of the hand cost nothing; from here on each wrong one doubles the wait. */
const FREE_TRIES = 2;
/** From all addresses together: whoever guesses somewhere else keeps the right person out only after this many. */
const FREE_ANYWHERE = 50;
const WAIT_FIRST_MS = 5_000;
/** Whoever guesses could keep the right person out for as long: so it is not long. */
const WAIT_MAX_MS = 15 * 60_000;
const FORGOTTEN_MS = 24 * 3_600_000;

/** Where a guess comes from, where that is known: an address, or a browser that the person is signed in in already. */
export type From = { address: string } | { signIn: SignInId };
export type PassphraseGuess = { name: PersonName; from?: From };

/** One guess that may be looked at: how many there were with it since the last right one, and what it cost. */
export type Try = { tries: number; waitMs: number; untilMs: number };

/** Takes the right to one guess, or says how long to wait. */
export async function takeTry(deps: Deps, guess: PassphraseGuess): Promise<{ ok: true; value: Try } | Refused> {
  return commitStep(deps, async (nowMs): Promise<Step<Try>> => {
    const pieces: Piece[] = [];
    let value: Try = { tries: 0, waitMs: 0, untilMs: nowMs };
    for (const { key, free } of placesOf(guess)) {
      const [before, lockedUntilMs] = await read(deps, key, nowMs);
      if (lockedUntilMs > 0) return locked(guess.name, lockedUntilMs - nowMs);
      const tries = before + 1;
      const waitMs = waitAfter(tries, free);
      const here = { tries, waitMs, untilMs: nowMs + waitMs };
      pieces.push(counting(key, here, nowMs));
      if (value.tries === 0 || waitMs > value.waitMs) value = here;
    }
    return { ok: true, value, pieces };
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

/** A right passphrase, or a new one, starts the count over. */
export async function forgetTries(deps: Deps, guess: PassphraseGuess, nowMs: number): Promise<Piece> {
  const untilMs = nowMs + FORGOTTEN_MS;
  const writes: Piece["writes"] = (
    await Promise.all(
      placesOf(guess).map(async ({ key }) => {
        const held = await read(deps, key, nowMs);
        return countersOf(key).map((counter, at) => ({ do: "add" as const, counter, by: -(held[at] ?? 0), untilMs }));
      }),
    )
  ).flat();
  return { writes };
}

type Counted = { key: string; free: number };

/**
 * Over the network names and addresses are whatever somebody sends. Each is counted as one of a few hundred, known or not:
 * so nobody fills the store with them, and nobody learns from a wait who is known.
 */
function placesOf({ name, from }: PassphraseGuess): readonly Counted[] {
  if (from === undefined) return [{ key: name, free: FREE_TRIES }];
  if ("signIn" in from) return [{ key: `${name} in ${from.signIn}`, free: FREE_TRIES }];
  return [
    { key: `${oneOf256(name)} from ${oneOf256(from.address)}`, free: FREE_TRIES },
    { key: `${oneOf256(name)} anywhere`, free: FREE_ANYWHERE },
  ];
}

function oneOf256(text: string): string {
  return sha256Hex(text).slice(0, 2);
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

function waitAfter(tries: number, free: number): number {
  return tries <= free ? 0 : Math.min(WAIT_FIRST_MS * 2 ** (tries - free - 1), WAIT_MAX_MS);
}

function locked(name: PersonName, waitMs: number): Refused {
  return refused(
    "LEEWAY_LOCKED",
    `too many wrong passphrases for ${name}`,
    `wait ${formatDuration(Math.ceil(waitMs / 1000) * 1000)}; if it was not you, see \`leeway log --kind passphrase.wrong\``,
  );
}
