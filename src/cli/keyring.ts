import type { Deps } from "../gate/deps.ts";
import { checkPassphrase } from "../gate/people.ts";

const OPEN_MS = 5 * 60_000;

/** Remembers in this process alone, and not for long, that the person proved who they are. */
export type Keyring = { person: string; isOpen(): boolean; open(passphrase: string): Promise<boolean> };

export function keyringOf(deps: Deps, person: string): Keyring {
  let untilMs = 0;
  return {
    person,
    isOpen: () => deps.clock.nowMs() < untilMs,
    open: async (passphrase) => {
      const right = (await checkPassphrase(deps, person, passphrase)).ok;
      if (right) untilMs = deps.clock.nowMs() + OPEN_MS;
      return right;
    },
  };
}
