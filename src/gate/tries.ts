import type { Piece } from "../core/change.ts";
import { type Refused, refused } from "../core/codes.ts";
import type { PersonName } from "../core/ids.ts";
import { formatDuration } from "../core/values/duration.ts";
import { commitStep, type Step } from "./commit.ts";
import type { Deps } from "./deps.ts";

// How often somebody may guess. Counted in the store, so that a loop of processes waits like one process does, and
// counted before the guess is looked at, so that a hundred guesses at once are not a hundred answers.

/** Slips of the hand cost nothing; from here on each wrong one doubles the wait. */
const FREE_TRIES = 2;
const WAIT_FIRST_MS = 5_000;
/** Whoever guesses could keep the right person out for as long: so it is not long. */
const WAIT_MAX_MS = 15 * 60_000;
const FORGOTTEN_MS = 24 * 3_600_000;

/** One guess that may be looked at: how many there were with it since the last right one, and what it cost. */
export type Try = { tries: number; waitMs: number; untilMs: number };

/** Takes the right to one guess, or says how long to wait. */
export async function takeTry(deps: Deps, name: PersonName): Promise<{ ok: true; value: Try } | Refused> {
  return commitStep(deps, async (nowMs): Promise<Step<Try>> => {
    const [before, lockedUntilMs] = await read(deps, name, nowMs);
    if (lockedUntilMs > 0) return locked(name, lockedUntilMs - nowMs);
    const tries = before + 1;
    const waitMs = waitAfter(tries);
    const untilMs = nowMs + waitMs;
    const [counted, lock] = countersOf(name);
    const piece: Piece = {
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
    return { ok: true, value: { tries, waitMs, untilMs }, pieces: [piece] };
  });
}

/** A right passphrase, or a new one, starts the count over. */
export async function forgetTries(deps: Deps, name: PersonName, nowMs: number): Promise<Piece> {
  const held = await read(deps, name, nowMs);
  const untilMs = nowMs + FORGOTTEN_MS;
  return {
    writes: countersOf(name).map((counter, at) => ({ do: "add" as const, counter, by: -(held[at] ?? 0), untilMs })),
  };
}

async function read(deps: Deps, name: PersonName, nowMs: number): Promise<readonly [number, number]> {
  const counters = countersOf(name);
  const [tries = 0, untilMs = 0] = await deps.store.read({
    ask: "counters",
    workspace: deps.workspace,
    counters,
    nowMs,
  });
  return [tries, untilMs];
}

function countersOf(name: PersonName): readonly [string, string] {
  return [`passphrase:tries:${name}`, `passphrase:locked:${name}`];
}

function waitAfter(tries: number): number {
  return tries <= FREE_TRIES ? 0 : Math.min(WAIT_FIRST_MS * 2 ** (tries - FREE_TRIES - 1), WAIT_MAX_MS);
}

function locked(name: PersonName, waitMs: number): Refused {
  return refused(
    "LEEWAY_LOCKED",
    `too many wrong passphrases for ${name}`,
    `wait ${formatDuration(Math.ceil(waitMs / 1000) * 1000)}; if it was not you, see \`leeway log --kind passphrase.wrong\``,
  );
}
