import type { ToolCall } from "../core/call.ts";
import { classOf } from "../core/effect.ts";
import { say } from "../core/messages/message.ts";
import type { Receipt } from "../core/receipt.ts";
import type { Calls } from "../library/calls.ts";
import type { Checked } from "../library/gate.ts";
import type { Clock } from "../ports.ts";
import { isFinal, LeewayRefusal } from "../service/refusal.ts";
import type { ReadCall } from "../service/shapes/call.ts";
import type { ServerConnection } from "./server-connection.ts";
import type { GivenTo } from "./table.ts";

/** A call and the agent that was named for it, if any was: otherwise the token says who asks. */
export type Sent = { call: ToolCall; agent?: string } & Pick<ReadCall, "runBy" | "definition">;

type CallsOf<Input> = Omit<Calls, "submit"> & {
  submit(input: Input): ReturnType<Calls["submit"]>;
};

/** The calls of one token, over HTTP. */
export function callsAt<Input = ReadCall>(
  asking: ServerConnection,
  clock: Clock,
  sentBy: (input: Input) => Sent,
): CallsOf<Input> {
  const { ask } = asking;
  return {
    submit: async (input) => {
      const sent = sentBy(input);
      // The call id was chosen here: sent again it is the same call, not another.
      const receipt = await ask("POST /v1/calls", { body: bodyOf(sent) }, { repeatable: true });
      return { call: sent.call, receipt: ensureReceipt(receipt) };
    },
    wait: (approvalId, how) => waited(asking, clock, approvalId, how),
    claim: (id) => ask("POST /v1/calls/:id/claim", { params: { id }, body: {} }),
    renew: async (id, attempt) => {
      await ask("POST /v1/calls/:id/renew", { params: { id }, body: { attempt } }, { repeatable: true });
    },
    settle: async (id, attempt, ending) => {
      await ask("POST /v1/calls/:id/settle", { params: { id }, body: { attempt, ...ending } }, { repeatable: true });
    },
    classOf: async (_, call) => classOf((await checkedAt(ask, { call })).effect),
    nowMs: () => clock.nowMs(),
    sleep: (ms) => clock.sleep(ms),
  };
}

export async function checkedAt(ask: ServerConnection["ask"], sent: Sent): Promise<Checked> {
  return ask("POST /v1/calls/check", { body: bodyOf(sent) }, { repeatable: true });
}

/** What the server is told: all that the program said, and nothing that is the server's to know. */
function bodyOf({ call, agent, runBy, definition }: Sent): GivenTo<"POST /v1/calls/check">["body"] {
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
  const untilMs = clock.nowMs() + timeoutMs;
  let awayMs: number | undefined;
  for (;;) {
    const leftMs = signal?.aborted === true ? 0 : Math.max(0, untilMs - clock.nowMs());
    const timeout = Math.min(WAIT_SECONDS_MAX, Math.ceil(leftMs / 1000));
    const given = { params: { id: approvalId }, query: { timeout } };
    const how = { withinMs: timeout * 1000 + ANSWER_MS, ...(signal && leftMs > 0 ? { signal } : {}) };
    try {
      const receipt = ensureReceipt(await ask("GET /v1/calls/:id/wait", given, how));
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

const OUTCOMES: readonly unknown[] = [
  "run",
  "pending",
  "not_executed",
  "denied",
  "delegated",
] satisfies Receipt["outcome"][];

/** A receipt lets a call run: whatever else stands at that address, and is none, lets nothing run. */
function ensureReceipt(answer: Partial<Receipt> | null): Receipt {
  if (isReceipt(answer)) return answer;
  throw new LeewayRefusal({
    code: "LEEWAY_AUDIT_UNAVAILABLE",
    reason: say("refusal.no_receipt"),
    hint: say("hint.check_address"),
  });
}

function isReceipt(answer: Partial<Receipt> | null): answer is Receipt {
  return OUTCOMES.includes(answer?.outcome) && typeof answer?.decision === "object" && answer.decision !== null;
}
