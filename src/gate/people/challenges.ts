import { type Refused, refused } from "../../core/codes.ts";
import { say } from "../../core/messages/message.ts";
import type { Sealed } from "../../core/secret.ts";
import { isObject, type Json } from "../../core/values/json.ts";
import { commitStep, type Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { newSecret } from "./secret-locks.ts";

// A proof that answers a question of ours. The question is handed out sealed, so that nothing has to be remembered until
// it comes back; that it was answered is counted in the store, so that no answer counts twice, in whatever process.

/** Long enough to touch a device or to sign in elsewhere. */
const ANSWER_MS = 5 * 60_000;

type Challenge = { text: string; state: Sealed };

/** `about` is what it is asked for: an answer to one thing is no answer to another. */
export function newChallenge(deps: Deps, about: string): Challenge {
  const text = newSecret(deps);
  const untilMs = deps.clock.nowMs() + ANSWER_MS;
  return { text, state: deps.sealer.seal(JSON.stringify({ text, untilMs }), `challenge ${about}`) };
}

/** What was asked, once. */
export async function takeChallenge(
  deps: Deps,
  state: string,
  about: string,
): Promise<{ ok: true; value: string } | Refused> {
  const opened = openedState(deps, state, about);
  if (opened === undefined) return TOO_LATE;
  const { text, untilMs } = opened;
  return commitStep(deps, async (nowMs): Promise<Step<string>> => {
    if (nowMs >= untilMs) return TOO_LATE;
    const counter = `challenge:${text}`;
    const [answered = 0] = await deps.store.read({
      ask: "counters",
      workspace: deps.workspace,
      counters: [counter],
      nowMs,
    });
    if (answered > 0) return TOO_LATE;
    const piece = {
      needs: [{ is: "room" as const, counters: [counter], add: 1, max: 1 }],
      writes: [{ do: "add" as const, counter, by: 1, untilMs }],
    };
    return { ok: true, pieces: [piece], value: text };
  });
}

const TOO_LATE = refused("LEEWAY_FORBIDDEN", say("refusal.answer_too_late"), say("hint.begin_again"));

/** Not ours, or about something else: whoever sent it gets the same answer. */
function openedState(deps: Deps, state: string, about: string): { text: string; untilMs: number } | undefined {
  try {
    const value: Json = JSON.parse(deps.sealer.open(state as Sealed, `challenge ${about}`));
    if (!isObject(value) || typeof value["text"] !== "string" || typeof value["untilMs"] !== "number") return undefined;
    return { text: value["text"], untilMs: value["untilMs"] };
  } catch {
    return undefined;
  }
}
