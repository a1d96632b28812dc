import { type Refused, refused } from "../../core/codes.ts";
import { say } from "../../core/messages/message.ts";
import type { Sealed } from "../../core/secret.ts";
import { isObject, type Json } from "../../core/values/json.ts";
import { commitStep, type Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { newSecret } from "./secret-locks.ts";

// A challenge for a proof. Its state is given out encrypted, so that the server stores nothing until the answer comes. That
// it was answered is counted in the store, so that an answer counts once, in all processes together.

/** Long enough to use a device, or to sign in at an issuer. */
const ANSWER_MS = 5 * 60_000;

type Challenge = { text: string; state: Sealed };

/** `about` is the purpose: an answer for one purpose does not count for another. */
export function newChallenge(deps: Deps, about: string): Challenge {
  const text = newSecret(deps);
  const untilMs = deps.clock.nowMs() + ANSWER_MS;
  return { text, state: deps.sealer.seal(JSON.stringify({ text, untilMs }), aboutOf(deps, about)) };
}

/** All workspaces of a server have the same key: a challenge of one counts in no other. */
function aboutOf({ workspace }: Deps, about: string): string {
  return `challenge in ${workspace} ${about}`;
}

/** Returns the text of the challenge, once. */
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

/** The same refusal for a challenge that is not ours, or has another purpose. */
function openedState(deps: Deps, state: string, about: string): { text: string; untilMs: number } | undefined {
  try {
    const value: Json = JSON.parse(deps.sealer.open(state as Sealed, aboutOf(deps, about)));
    if (!isObject(value) || typeof value["text"] !== "string" || typeof value["untilMs"] !== "number") return undefined;
    return { text: value["text"], untilMs: value["untilMs"] };
  } catch {
    return undefined;
  }
}
