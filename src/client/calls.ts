import type { ToolCall } from "../core/call.ts";
import { classOf } from "../core/effect.ts";
import type { Receipt } from "../core/receipt.ts";
import { isObject, type Json } from "../core/values/json.ts";
import type { Calls } from "../library/calls.ts";
import type { Checked } from "../library/gate.ts";
import type { Clock } from "../ports.ts";
import type { ClaimedCall } from "../service/claimed.ts";
import type { CallInput } from "../service/input.ts";
import { isFinal, LeewayRefusal } from "../service/refusal.ts";
import { at } from "./path.ts";
import type { ServerConnection } from "./server-connection.ts";

/** A call and the agent that was named for it, if any was: otherwise the token says who asks. */
export type Sent = { call: ToolCall; agent?: string } & Pick<CallInput, "runBy" | "definition">;

type CallsOf<Input> = Omit<Calls, "submit"> & {
  submit(input: Input): ReturnType<Calls["submit"]>;
};

/** The calls of one token, over HTTP. */
export function callsAt<Input = CallInput>(
  asking: ServerConnection,
  clock: Clock,
  sentBy: (input: Input) => Sent,
): CallsOf<Input> {
  const { ask } = asking;
  return {
    submit: async (input) => {
      const sent = sentBy(input);
      // The call id was chosen here: sent again it is the same call, not another.
      const receipt = await ask({ path: "/v1/calls", method: "POST", body: bodyOf(sent), repeatable: true });
      return { call: sent.call, receipt: receiptOf(receipt) };
    },
    wait: (approvalId, how) => waited(asking, clock, approvalId, how),
    claim: async (executionId) => {
      const path = at`/v1/calls/${executionId}/claim`;
      return (await ask({ path, method: "POST", body: {} })) as unknown as ClaimedCall;
    },
    renew: async (executionId, attempt) => {
      const path = at`/v1/calls/${executionId}/renew`;
      await ask({ path, method: "POST", body: { attempt }, repeatable: true });
    },
    settle: async (executionId, attempt, ending) => {
      const path = at`/v1/calls/${executionId}/settle`;
      await ask({ path, method: "POST", body: { attempt, ...ending }, repeatable: true });
    },
    classOf: async (_, call) => classOf((await checkedAt(ask, { call })).effect),
    nowMs: () => clock.nowMs(),
    sleep: (ms) => clock.sleep(ms),
  };
}

export async function checkedAt(ask: ServerConnection["ask"], sent: Sent): Promise<Checked> {
  const body = bodyOf(sent);
  return (await ask({ path: "/v1/calls/check", method: "POST", body, repeatable: true })) as unknown as Checked;
}

/** What the server is told: all that the program said, and nothing that is the server's to know. */
function bodyOf({ call, agent, runBy, definition }: Sent): object {
  const { workspace: _, agent: __, chain, described: ___, ...rest } = call;
  return {
    ...rest,
    ...(definition === undefined ? {} : { definition }),
    ...(agent === undefined ? {} : { agent }),
    ...(chain.length === 0 ? {} : { chain }),
    ...(runBy === undefined ? {} : { runBy }),
  };
}

/** The longest that a server lets anybody wait in one go. */
const WAIT_SECONDS_MAX = 60;
/** An answer takes its time on top of what is waited for. */
const ANSWER_MS = 15_000;
/** A server that is being started again is back within this. */
const AWAY_MS_MAX = 30_000;
const PAUSE_MS = 250;

/** In as many goes as it takes. A server that went away is asked again once it is back: the question is on record. */
async function waited(
  { ask, isClosed }: ServerConnection,
  clock: Clock,
  approvalId: string,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Promise<Receipt> {
  const path = at`/v1/calls/${approvalId}/wait`;
  const untilMs = clock.nowMs() + timeoutMs;
  let awayMs: number | undefined;
  for (;;) {
    const leftMs = signal?.aborted === true ? 0 : Math.max(0, untilMs - clock.nowMs());
    const timeout = Math.min(WAIT_SECONDS_MAX, Math.ceil(leftMs / 1000));
    const how = { query: { timeout }, withinMs: timeout * 1000 + ANSWER_MS };
    try {
      const receipt = receiptOf(await ask({ path, ...how, ...(signal && leftMs > 0 ? { signal } : {}) }));
      if (receipt.outcome !== "pending" || leftMs === 0) return receipt;
      awayMs = undefined;
    } catch (error) {
      awayMs ??= clock.nowMs();
      if (isFinal(error) || isClosed() || leftMs === 0 || clock.nowMs() - awayMs >= AWAY_MS_MAX) throw error;
    }
    // A server that stops answers at once; asked without a pause it would be asked in vain a thousand times.
    await clock.sleep(PAUSE_MS, signal);
  }
}

const OUTCOMES: readonly string[] = [
  "run",
  "pending",
  "not_executed",
  "denied",
  "delegated",
] satisfies Receipt["outcome"][];

/** Whatever is no receipt lets nothing run. */
function receiptOf(answer: Json): Receipt {
  if (isObject(answer) && OUTCOMES.includes(String(answer["outcome"])) && isObject(answer["decision"])) {
    return answer as unknown as Receipt;
  }
  throw new LeewayRefusal({
    code: "LEEWAY_AUDIT_UNAVAILABLE",
    reason: "what the server answered is no receipt",
    hint: "check that the address is a Leeway server's",
  });
}
