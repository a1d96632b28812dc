import type { ApprovalId } from "../core/ids.ts";
import { say } from "../core/messages/message.ts";
import type { Receipt } from "../core/receipt.ts";
import type { Deps } from "../gate/deps.ts";
import { approvalView } from "../service/approvals.ts";
import { VOUCHED } from "../service/people.ts";
import { LeewayRefusal } from "../service/refusal.ts";
import { reviewBy } from "../service/reviews.ts";
import { parse } from "../service/shape.ts";
import { PERSON_ANSWER } from "../service/shapes/review.ts";
import type { PolicyCallback } from "./callbacks.ts";
import { errorText } from "./carry.ts";

/** Asks the person at this program about open questions, each once as long as it is open. */
export type Questions = {
  put(receipt: Receipt): void;
  /** Waiting ends with an answer from anywhere, or with the reason why the answer given here does not count. */
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
      // A waiting caller gets the error; otherwise the question is recorded and stays open.
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
  if (given === undefined) return;
  await reviewBy(deps, approvalId, { ...parse(PERSON_ANSWER, given), digest: view.digest }, VOUCHED);
}

/** An error while asking is not an answer: nobody approved, and the caller is told why. */
async function told(ask: NonNullable<PolicyCallback["ask"]>, view: Awaited<ReturnType<typeof approvalView>>) {
  try {
    return await ask(view);
  } catch (error) {
    throw new LeewayRefusal(
      {
        code: "LEEWAY_CANCELLED",
        reason: say("refusal.person_not_asked", { error: errorText(error) }),
        hint: say("hint.stays_open"),
      },
      { approvalId: view.id, cause: error },
    );
  }
}
