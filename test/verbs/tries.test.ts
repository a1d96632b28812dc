import { expect, test } from "vitest";
import { sha256Hex } from "../../src/core/values/hash.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { forgiveTry, type GuessOrigin, takeTry } from "../../src/gate/people/passphrase-tries.ts";
import { addPerson, checkPassphrase, setPassphrase } from "../../src/gate/people/people.ts";
import { HOUR_MS, office } from "./kit.ts";

// Guesses are counted by the whole name, by where they come from, and in total. A success of one person does not reset guesses of others.

const ANA = { by: "ana", assurance: "tty" } as const;
const HERE: GuessOrigin = { address: "192.0.2.1" };

/** Names that once shared a counter: the same first two digits of their hash. */
function sharing(name: string): string {
  for (let n = 0; ; n++) {
    const other = `${name}${n}`;
    if (sha256Hex(other).slice(0, 2) === sha256Hex(name).slice(0, 2)) return other;
  }
}

async function guessed(deps: Deps, name: string, from: GuessOrigin = HERE): Promise<"looked at" | "locked"> {
  return (await takeTry(deps, { name, from })).ok ? "looked at" : "locked";
}

async function times(count: number, act: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n++) await act(n);
}

test("wrong passphrases for one name do not lock another name, and a success of another does not unlock it", async () => {
  const { deps } = await office();
  const other = sharing("ben");
  await addPerson(deps, { name: other, ...ANA });
  await setPassphrase(deps, other, { by: other, assurance: "tty", passphrase: "correct horse" });
  await times(3, () => guessed(deps, "ben"));
  expect(await guessed(deps, "ben")).toBe("locked");
  expect((await checkPassphrase(deps, other, "correct horse", { to: "sign in", from: HERE })).ok).toBe(true);
  expect(await guessed(deps, "ben")).toBe("locked");
});

test("each address has its own count for all names, and a right passphrase gives back only its own attempt", async () => {
  const { deps, clock } = await office();
  await setPassphrase(deps, "ben", { by: "ben", assurance: "tty", passphrase: "correct horse" });
  const right = () => checkPassphrase(deps, "ben", "correct horse", { to: "sign in", from: HERE });
  await times(29, (n) => guessed(deps, `made-up-${n}`));
  for (let n = 0; n < 3; n++) expect((await right()).ok).toBe(true);
  await times(2, (n) => guessed(deps, `one-more-${n}`));
  expect(await guessed(deps, "yet-another")).toBe("locked");
  expect(await right()).toMatchObject({ code: "LEEWAY_LOCKED" });
  expect(
    (await checkPassphrase(deps, "ben", "correct horse", { to: "sign in", from: { address: "192.0.2.2" } })).ok,
  ).toBe(true);
  clock.advance(HOUR_MS);
  expect((await right()).ok).toBe(true);
});

test("all addresses of one IPv6 network count as one address", async () => {
  const { deps } = await office();
  await times(31, (n) => guessed(deps, `made-up-${n}`, { address: `2001:db8:1:2::${n.toString(16)}` }));
  expect(await guessed(deps, "another", { address: "2001:db8:1:2:aaaa:bbbb:cccc:dddd" })).toBe("locked");
  expect(await guessed(deps, "another", { address: "2001:db8:1:3::1" })).toBe("looked at");
});

test("there is also a limit for all addresses together, above which the next guess waits two seconds", async () => {
  const { deps, clock } = await office();
  await times(1_001, (n) => guessed(deps, `made-up-${n}`, { address: `198.51.${Math.floor(n / 250)}.${n % 250}` }));
  const elsewhere: GuessOrigin = { address: "203.0.113.9" };
  expect(await guessed(deps, "ana", elsewhere)).toBe("locked");
  clock.advance(2_000);
  const taken = await takeTry(deps, { name: "ana", from: elsewhere });
  if (!taken.ok) throw new Error(taken.reason.say);
  expect(await guessed(deps, "cleo", { address: "203.0.113.10" })).toBe("locked");
  // It was right: the next person does not wait because of it.
  const change = await forgiveTry(deps, taken.value, clock.nowMs());
  const at = { workspace: deps.workspace, atMs: clock.nowMs() };
  await deps.store.commit({ id: deps.mint.next("chg"), ...at, needs: [], entries: [], writes: change.writes ?? [] });
  expect(await guessed(deps, "cleo", { address: "203.0.113.10" })).toBe("looked at");
});

test("however many others guess at a name, its person can sign in where they signed in before, and guesses there still cost time", async () => {
  const { deps, clock } = await office();
  await setPassphrase(deps, "ben", { by: "ben", assurance: "tty", passphrase: "correct horse" });
  const right = (from: GuessOrigin) => checkPassphrase(deps, "ben", "correct horse", { to: "sign in", from });
  expect((await right(HERE)).ok).toBe(true);
  const strangers = (n: number) => guessed(deps, "ben", { address: `198.51.${Math.floor(n / 250)}.${n % 250}` });
  for (let n = 0; n < 200; n++) {
    await strangers(n);
    clock.advance(16 * 60_000);
  }
  await strangers(200);
  expect(await right({ address: "203.0.113.9" })).toMatchObject({ code: "LEEWAY_LOCKED" });
  expect((await right(HERE)).ok).toBe(true);
  await times(3, () => guessed(deps, "ben"));
  expect(await right(HERE)).toMatchObject({ code: "LEEWAY_LOCKED" });
  clock.advance(31 * 24 * HOUR_MS);
  await times(51, strangers);
  expect(await right(HERE)).toMatchObject({ code: "LEEWAY_LOCKED" });
});

test("an unknown name costs as many writes as a known one, and leaves no entry", async () => {
  const { deps } = await office();
  await setPassphrase(deps, "ben", { by: "ben", assurance: "tty", passphrase: "correct horse" });
  const commits = async (name: string) => {
    let count = 0;
    const store = {
      ...deps.store,
      commit: (...given: Parameters<Deps["store"]["commit"]>) => {
        count++;
        return deps.store.commit(...given);
      },
    };
    await checkPassphrase({ ...deps, store }, name, "wrong horse", { to: "sign in", from: HERE });
    return count;
  };
  expect(await commits("nobody-here")).toBe(await commits("ben"));
});
