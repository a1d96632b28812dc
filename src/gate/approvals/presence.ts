import type { ApprovalId } from "../../core/ids.ts";
import { StoreUnavailable } from "../../ports.ts";
import { commitStep } from "../commit.ts";
import type { Deps } from "../deps.ts";

// Whether a caller still waits for an answer, in this process or another, so that a card can say what an approval will do. It
// is a hint for people; nothing is decided by it.

const BEAT_MS = 10_000;
/** Two intervals, because one report may be late. */
const HEARD_MS = 25_000;

/** Reports every few seconds that a caller waits for this question, however often it is called. */
export function presenceOf(deps: Deps): (id: ApprovalId | undefined) => Promise<void> {
  let nextMs = 0;
  return async (id) => {
    const nowMs = deps.clock.nowMs();
    if (id === undefined || nowMs < nextMs) return;
    nextMs = nowMs + BEAT_MS;
    const write = { do: "add", counter: counterOf(id), by: 1, untilMs: nowMs + HEARD_MS } as const;
    try {
      await commitStep(deps, async () => ({ ok: true, pieces: [{ writes: [write] }], value: undefined }));
    } catch (error) {
      // If this report fails, the caller still waits.
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  };
}

/** Whether a caller waits for the answer to this question now. */
export async function isAwaited({ store, workspace, clock }: Deps, id: ApprovalId): Promise<boolean> {
  const [beats = 0] = await store.read({
    ask: "counters",
    workspace,
    counters: [counterOf(id)],
    nowMs: clock.nowMs(),
  });
  return beats > 0;
}

function counterOf(id: ApprovalId): string {
  return `waiting:${id}`;
}
