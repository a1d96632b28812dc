import type { Refused } from "../core/codes.ts";
import type { Deps } from "../gate/deps.ts";
import { checkPassphrase } from "../gate/people/people.ts";

const OPEN_MS = 5 * 60_000;

/** Remembers in this process alone, and not for long, that the person proved who they are. */
export type Keyring = {
  person: string;
  isOpen(): boolean;
  /** The reason where it stays shut. */
  open(passphrase: string): Promise<{ ok: true } | Refused>;
};

export function keyringOf(deps: Deps, person: string): Keyring {
  let untilMs = 0;
  return {
    person,
    isOpen: () => deps.clock.nowMs() < untilMs,
    open: async (passphrase) => {
      const checked = await checkPassphrase(deps, person, passphrase, { to: "answer in the inbox" });
      if (checked.ok) untilMs = deps.clock.nowMs() + OPEN_MS;
      return checked;
    },
  };
}
