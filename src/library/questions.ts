import type { ApprovalId } from "../core/ids.ts";
import type { Receipt } from "../core/receipt.ts";
import type { Deps } from "../gate/deps.ts";
import { approvalView } from "../service/approvals.ts";
import { LeewayRefusal } from "../service/refusal.ts";
import { PERSON_ANSWER, reviewFor } from "../service/reviews.ts";
import { checked } from "../service/shape.ts";
import type { PolicyCallback } from "./callbacks.ts";
import { errorText } from "./carry.ts";

/** Puts open questions before the person at this program, each once for as long as it is open here. */
export type Questions = {
  put(receipt: Receipt): void;
  /** Waiting ends with the answer, wherever it is given, or with the reason why the one given here does not count. */
  beside(approvalId: string, wait: (signal: AbortSignal) => Promise<Receipt>): Promise<Receipt>;
};

export function questions(deps: Deps, callback: PolicyCallback | undefined): Questions {
  const open = new Map<string, Promise<void>>();
  const ask = callback?.ask;
  return {
    put: ({ approvalId, outcome }) => {
      if (ask === undefined || approvalId === undefined || outcome !== "pending" || open.has(approvalId)) return;
      const asked = askPerson(deps, ask, approvalId);
      open.set(approvalId, asked);
      const done = () => void open.delete(approvalId);
      // Whoever waits hears of a failure; with nobody waiting, the question is on record and stays open.
      asked.then(done, done);
    },
    beside: async (approvalId, wait) => {
      const enough = new AbortController();
      const asked = open.get(approvalId);
      try {
        if (asked === undefined) return await wait(enough.signal);
        return await Promise.race([wait(enough.signal), asked.then(() => wait(enough.signal))]);
      } finally {
        enough.abort();
      }
    },
  };
}

async function askPerson(deps: Deps, ask: NonNullable<PolicyCallback["ask"]>, approvalId: ApprovalId): Promise<void> {
  const view = await approvalView(deps, approvalId);
  const given = await told(ask, view);
  if (given !== undefined) await reviewFor(deps, approvalId, { ...checked(given, PERSON_ANSWER), digest: view.digest });
}

/** A broken way to ask is no answer at all: nobody said yes, and the caller hears why. */
async function told(ask: NonNullable<PolicyCallback["ask"]>, view: Awaited<ReturnType<typeof approvalView>>) {
  try {
    return await ask(view);
  } catch (error) {
    throw new LeewayRefusal(
      {
        code: "LEEWAY_CANCELLED",
        reason: `the person could not be asked: ${errorText(error)}`,
        hint: "the question stays open for the other reviewers",
      },
      { approvalId: view.id, cause: error },
    );
  }
}
