import { say } from "../core/messages/message.ts";
import { StoreUnavailable } from "../ports.ts";
import { LeewayRefusal } from "./refusal.ts";

/** A store that cannot be used is one more refusal to a program: nothing was recorded, so nothing ran. */
export async function available<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    if (error.refused !== undefined) throw new LeewayRefusal(error.refused, { cause: error });
    throw new LeewayRefusal(
      {
        code: "LEEWAY_AUDIT_UNAVAILABLE",
        reason: say("refusal.record_unusable", { error: error.message }),
        hint: say("hint.free_disk"),
      },
      { cause: error },
    );
  }
}

type Verb = (...given: never[]) => unknown;

/** The same verbs, each of them refusing where it would have thrown the store's own error. */
export function allAvailable<V extends { readonly [name: string]: Verb }>(verbs: V): V {
  const wrapped = Object.entries(verbs).map(([name, verb]) => [
    name,
    (...given: never[]) => {
      const answer = verb(...given);
      return answer instanceof Promise ? available(() => answer) : answer;
    },
  ]);
  return Object.fromEntries(wrapped) as V;
}
