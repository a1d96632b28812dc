import { say } from "../../core/messages/message.ts";
import { LeewayRefusal } from "../../service/refusal.ts";

const WINDOW_MS = 60_000;
const GUESSES_MAX = 60;
const ADDRESSES_MAX = 10_000;

/**
 * Counts invalid tokens by the address they come from. After too many of them, further ones must wait. A valid token is
 * always accepted, because an address may be shared by many programs, or be a proxy for everybody.
 */
export type TokenGuesses = { refusal(address: string): LeewayRefusal | undefined; count(address: string): void };

export function guessesOf(nowMs: () => number): TokenGuesses {
  let counted = new Map<string, number>();
  let window = 0;
  const current = () => {
    const now = Math.floor(nowMs() / WINDOW_MS);
    if (now !== window || counted.size > ADDRESSES_MAX) counted = new Map();
    window = now;
    return counted;
  };
  return {
    count: (address) => void current().set(address, (current().get(address) ?? 0) + 1),
    refusal: (address) =>
      (current().get(address) ?? 0) < GUESSES_MAX
        ? undefined
        : new LeewayRefusal({
            code: "LEEWAY_LOCKED",
            reason: say("refusal.too_many_tokens"),
            hint: say("hint.wait_a_minute"),
          }),
  };
}
