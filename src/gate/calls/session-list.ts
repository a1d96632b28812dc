import { isOpen } from "../../core/approval.ts";
import type { Entry } from "../../core/ledger.ts";
import { type SeenCall, type SessionSummary, sessionsOf } from "../../core/session.ts";
import type { Deps } from "../deps.ts";
import { listEntries } from "../record/ledger.ts";

/** As many recent calls and open questions are looked at: enough for the sessions that somebody works with today. */
const LOOKED_AT = 1_000;
const NEWEST = { limit: LOOKED_AT, order: "newest" } as const;

/** The sessions of the recent calls and of every open question. */
export async function listSessions(deps: Deps): Promise<readonly SessionSummary[]> {
  const { store, workspace, clock } = deps;
  const decided = await listEntries(deps, { kinds: ["call.decided"] }, NEWEST);
  const pending = await store.read({
    ask: "rows",
    workspace,
    table: "approvals",
    where: { state: "pending" },
    ...NEWEST,
  });
  const ended = await listEntries(deps, { kinds: ["session.ended"] }, NEWEST);
  return sessionsOf({
    calls: decided.map(callIn),
    questions: pending.map(({ row }) => row).filter((row) => isOpen(row, clock.nowMs())),
    ended: ended.map(({ subject, atMs }) => ({ ...subject, atMs })),
  });
}

/** The call of an entry. If its content was erased, only the agent itself is known. */
function callIn({ subject, atMs, body }: Entry): SeenCall {
  const { agent = "", tool = "", session, call } = subject;
  const { chain, cwd } = body?.json ?? {};
  const [root] = Array.isArray(chain) ? chain : [];
  return {
    agent,
    tool,
    atMs,
    ...(session === undefined ? {} : { session }),
    ...(call === undefined ? {} : { call }),
    ...(typeof root === "string" ? { root } : {}),
    ...(typeof cwd === "string" ? { cwd } : {}),
  };
}
