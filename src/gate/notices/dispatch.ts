import { put, unchanged } from "../../core/change.ts";
import { type Message, say } from "../../core/messages/message.ts";
import { inEnglish } from "../../core/messages/text.ts";
import type { Notice } from "../../core/notice.ts";
import type { Versioned } from "../../core/rows/rows.ts";
import { draft } from "../../core/steps/draft.ts";
import { commitStep } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { withCount, withNames } from "./notice-text.ts";

export const NOTICE_ATTEMPTS_MAX = 8;
const BACK_OFF_MS = 1000;

export type Dispatched = "delivered" | "retry" | "dead";

/** Delivers one notice at least once. If a channel fails, only its own notices are delayed. */
export async function dispatch(deps: Deps, taken: Versioned<"notices">): Promise<Dispatched> {
  const row = await withCount(deps, taken.row);
  const failure = await deliver(deps, row);
  const nowMs = deps.clock.nowMs();
  const next = after(row, failure, nowMs);
  const { id } = row;
  await commitStep(deps, async () => {
    const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "notices", id });
    // Another process delivered or changed it meanwhile; that state stays.
    if (held?.version !== taken.version) return { ok: true, pieces: [], value: undefined };
    const entries =
      next.state === "dead"
        ? [draft(deps.mint, { kind: "notice.dead", actor: "leeway", subject: {}, body: { notice: id, why: next.why } })]
        : [];
    const needs = [unchanged("notices", id, taken.version)];
    return { ok: true, pieces: [{ needs, writes: [put("notices", next)], entries }], value: undefined };
  });
  return next.state === "waiting" ? "retry" : next.state;
}

/** Why it could not be delivered; undefined if it was. */
async function deliver(deps: Deps, notice: Notice): Promise<Message | string | undefined> {
  // For the inbox nothing is sent: it shows the row.
  if (notice.channel === "inbox") return undefined;
  const channel = deps.channels.get(notice.channel);
  if (channel === undefined) return say("reason.channel_missing", { channel: notice.channel });
  try {
    const told = inEnglish(await withNames(deps, notice));
    await channel.deliver({ ...told, address: { to: "person", contacts: [] }, language: "en" });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function after(notice: Notice, failure: Message | string | undefined, nowMs: number): Notice {
  const attempts = notice.attempts + 1;
  const base = { ...notice, attempts };
  if (failure === undefined) return { ...base, state: "delivered", atMs: nowMs };
  if (attempts >= NOTICE_ATTEMPTS_MAX) return { ...base, state: "dead", atMs: nowMs, why: failure };
  return { ...base, state: "waiting", dueMs: nowMs + BACK_OFF_MS * 2 ** attempts + jitterMs(notice) };
}

/** Spreads the retries of many notices. Uses the id instead of a random number. */
function jitterMs(notice: Notice): number {
  let sum = 0;
  for (let i = 0; i < notice.id.length; i++) sum = (sum * 31 + notice.id.charCodeAt(i)) % BACK_OFF_MS;
  return sum;
}
