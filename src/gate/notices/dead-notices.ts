import { put, unchanged } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { PersonName } from "../../core/ids.ts";
import { say } from "../../core/messages/message.ts";
import type { Notice } from "../../core/notice.ts";
import { draft } from "../../core/steps/draft.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { actingAdmin, actStep } from "../people/acting.ts";

export type DeadNotice = Extract<Notice, { state: "dead" }>;

const LISTED_MAX = 200;

/** Notices that were given up, newest first. Each says why. */
export async function deadNotices({ store, workspace }: Deps, limit = LISTED_MAX): Promise<readonly DeadNotice[]> {
  const where = { state: "dead" };
  const rows = await store.read({ ask: "rows", workspace, table: "notices", where, limit, order: "newest" });
  return rows.flatMap(({ row }) => (row.state === "dead" ? [row] : []));
}

/** Sends a given-up notice again, as if it were new: it is tried for a day once more. */
export function retryNotice(
  deps: Deps,
  id: string,
  { by }: { by: PersonName },
): Promise<{ ok: true; value: Notice } | Refused> {
  return actStep(deps, async (nowMs, inForce): Promise<Step<Notice>> => {
    const person = actingAdmin(inForce, by, say("act.retry_notices"));
    if ("code" in person) return person;
    const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "notices", id });
    if (held === undefined)
      return refused("LEEWAY_NOT_FOUND", say("refusal.no_dead_notice", { id }), say("hint.dead_listed"));
    if (held.row.state !== "dead")
      return refused("LEEWAY_BAD_INPUT", say("refusal.notice_not_dead"), say("hint.dead_listed"));
    const { state: _, atMs: _at, why: _why, ...base } = held.row;
    const row: Notice = { ...base, attempts: 0, dueMs: nowMs, retriedMs: nowMs, state: "waiting" };
    const body = { notice: id, channel: row.channel };
    const entry = draft(deps.mint, { kind: "notice.retried", actor: `person:${by}`, subject: {}, body });
    const needs = [unchanged("notices", id, held.version)];
    return { ok: true, pieces: [{ needs, writes: [put("notices", row)], entries: [entry] }], value: row };
  });
}
