import type { ToolCall } from "../core/call.ts";
import { classOf } from "../core/effect.ts";
import { say } from "../core/messages/message.ts";
import type { Receipt } from "../core/receipt.ts";
import { isObject, type JsonObject } from "../core/values/json.ts";
import type { Checked, Gate } from "../library/gate.ts";
import type { Calls } from "../library/guard.ts";
import type { Clock } from "../ports.ts";
import type { PlanReceipt } from "../service/plans.ts";
import { isFinal, LeewayRefusal } from "../service/refusal.ts";
import type { ReadCall } from "../service/shapes/call.ts";
import type { ReadPlan } from "../service/shapes/plan.ts";
import type { ServerConnection } from "./server-connection.ts";
import type { GivenTo } from "./table.ts";

/** A call, and the agent that was named for it, if any; otherwise the token says who calls. */
export type SentCall = { call: ToolCall; agent?: string; layers?: readonly JsonObject[] } & Pick<
  ReadCall,
  "runBy" | "definition"
>;

type CallsOf<Input> = Omit<Calls, "submit" | "submitPlan"> & {
  submit(input: Input): ReturnType<Calls["submit"]>;
};

/** The calls that one token makes over HTTP. */
export function callsAt<Input = ReadCall>(
  asking: ServerConnection,
  clock: Clock,
  sentBy: (input: Input) => SentCall,
): CallsOf<Input> {
  const { ask } = asking;
  return {
    submit: async (input) => {
      const sent = sentBy(input);
      // The call id was chosen here, so sending it again is the same call, not another one.
      const receipt = await ask("POST /v1/calls", { body: bodyOf(sent) }, { repeatable: true });
      return { call: sent.call, receipt: ensureReceipt(receipt, sent.call) };
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

export async function checkedAt(ask: ServerConnection["ask"], sent: SentCall): Promise<Checked> {
  return ask("POST /v1/calls/check", { body: bodyOf(sent) }, { repeatable: true });
}

/** `sent` is the call that asks about the plan: it says who asks. */
export async function plannedAt(
  { ask }: ServerConnection,
  sent: SentCall,
  { title, calls }: Pick<ReadPlan, "title" | "calls">,
): Promise<PlanReceipt> {
  const { tool: _, args: __, claims: ___, definition: ____, runBy: _____, replayOf: ______, ...said } = bodyOf(sent);
  const plan = await ask("POST /v1/plans", { body: { ...said, title, calls } }, { repeatable: true });
  return plan.receipt === undefined ? plan : { ...plan, receipt: ensureReceipt(plan.receipt) };
}

/** The state of a call, or undefined if the server knows no call with this id. */
export async function foundAt(
  { ask }: ServerConnection,
  { agent, chain, ...named }: Pick<ToolCall, "chain" | "session" | "run" | "callId"> & { agent?: string },
): ReturnType<Gate["find"]> {
  const between = chain.length === 0 ? {} : { chain: JSON.stringify(chain) };
  const query = { ...named, ...between, ...(agent === undefined ? {} : { agent }) };
  try {
    return ensureReceipt(await ask("GET /v1/calls", { query }));
  } catch (error) {
    if (error instanceof LeewayRefusal && error.code === "LEEWAY_NOT_FOUND") return undefined;
    throw error;
  }
}

/** What is sent to the server: everything that the program said, and nothing that the server knows itself. */
export function bodyOf({
  call,
  agent,
  layers = [],
  runBy,
  definition,
}: SentCall): GivenTo<"POST /v1/calls/check">["body"] {
  const { workspace: _, agent: __, chain, described: ___, ...rest } = call;
  return {
    ...rest,
    ...(definition === undefined ? {} : { definition }),
    ...(agent === undefined ? {} : { agent }),
    ...(chain.length === 0 ? {} : { chain }),
    ...(layers.length === 0 ? {} : { layers }),
    ...(runBy === undefined ? {} : { runBy }),
  };
}

/** The longest time that a server lets a client wait in one request. */
const WAIT_SECONDS_MAX = 60;
/** Additional time for the response itself. */
const ANSWER_MS = 15_000;
/** A server that restarts is back within this time. */
const AWAY_MS_MAX = 30_000;
const PAUSE_MS = 250;

/** Waits in as many requests as needed. If the server went away, it is asked again when it is back, because the question is stored. */
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
      if (receipt.outcome !== "pending" || receipt.newReplies !== undefined || leftMs === 0) return receipt;
      awayMs = undefined;
    } catch (error) {
      awayMs ??= clock.nowMs();
      if (isFinal(error) || isClosed() || leftMs === 0 || clock.nowMs() - awayMs >= AWAY_MS_MAX) throw error;
    }
    // A server that is stopping answers immediately; without a pause we would send a thousand useless requests.
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

/**
 * Only a receipt lets a call run: a response of another program at that address lets nothing run. The answer to a call
 * names the call, so that no stored answer to another one can let it run.
 */
export function ensureReceipt(answer: Partial<Receipt> | null, sent?: Pick<ToolCall, "callId">): Receipt {
  if (isReceipt(answer) && (sent === undefined || answer.callId === sent.callId)) return answer;
  throw new LeewayRefusal({
    code: "LEEWAY_AUDIT_UNAVAILABLE",
    reason: say("refusal.no_receipt"),
    hint: say("hint.check_address"),
  });
}

/** Changed arguments must be complete: without them the call would run as nobody approved it. */
function isReceipt(answer: Partial<Receipt> | null): answer is Receipt {
  if (answer === null || !OUTCOMES.includes(answer.outcome)) return false;
  const { decision, edited } = answer;
  if (!isObject(decision) || !Array.isArray(decision["because"])) return false;
  return edited === undefined || (isObject(edited) && isObject(edited["args"]));
}
