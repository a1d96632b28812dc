import type { Entry } from "../core/ledger.ts";
import { say } from "../core/messages/message.ts";
import type { Gate, ServerGate } from "../library/gate.ts";
import { badInput } from "../service/refusal.ts";
import { parse, textOf } from "../service/shape.ts";
import { ACCEPT } from "../service/shapes/record.ts";
import type { ServerConnection } from "./server-connection.ts";
import type { Vouching } from "./vouching.ts";

// The record, the notices and the policy, as a person's token may read them.

const LISTED = 100;
const PAGE_MAX = 500;

export function ledgerAt({ ask, lines }: ServerConnection): Gate["ledger"] {
  return {
    entries: async (filter = {}, { limit = LISTED, order = "newest" } = {}) => {
      const { afterIndex, beforeIndex, kinds, fromMs, toMs, actor, subject } = filter;
      const found: Entry[] = [];
      let [after, before] = [afterIndex, beforeIndex];
      for (;;) {
        const query = {
          ...subject,
          after,
          cursor: before,
          kinds,
          from: fromMs,
          to: toMs,
          actor,
          order,
          limit: Math.min(PAGE_MAX, limit - found.length),
        };
        const { entries } = await ask("GET /v1/ledger", { query });
        found.push(...entries);
        const last = entries.at(-1)?.index;
        if (last === undefined || entries.length < query.limit || found.length >= limit) return found;
        if (order === "newest") before = last;
        else after = last;
      }
    },
    head: () => ask("GET /v1/ledger/head", {}),
    verify: async ({ onProgress } = {}) => {
      if (onProgress !== undefined) throw badInput("onProgress", say("refusal.only_end_told"), say("hint.leave_out"));
      return ask("GET /v1/ledger/verify", {}, { withinMs: VERIFY_MS });
    },
    export: (filter = {}) => {
      if (Object.keys(filter).length > 0) throw badInput("filter", say("refusal.whole_chain"), say("hint.leave_out"));
      return lines("GET /v1/ledger/export", { withinMs: VERIFY_MS });
    },
    prove: (index) => ask("GET /v1/ledger/:index/proof", { params: { index: String(index) } }, { withinMs: VERIFY_MS }),
    checkpoint: () => ask("GET /v1/ledger/checkpoint", {}),
  };
}

/** A long chain takes time. */
const VERIFY_MS = 600_000;

export function trustAt({ ask }: ServerConnection): Gate["trust"] {
  return {
    of: async (agent) => ask("GET /v1/trust/:agent", { params: { agent: textOf(agent, "agent") } }),
    export: async ({ agent } = {}) => ask("GET /v1/trust", { query: { agent } }),
  };
}

/** A server returns each person's own notices. */
export function noticesAt({ ask }: ServerConnection, { as }: Vouching): Gate["notices"] {
  return {
    list: async ({ to, unread = false, kinds, limit = LISTED } = {}) => {
      if (to !== undefined) await as({ by: to });
      const query = { unread, limit: kinds === undefined ? Math.min(limit, PAGE_MAX) : PAGE_MAX };
      const { notices } = await ask("GET /v1/notices", { query });
      return notices.filter(({ kind }) => kinds?.includes(kind) ?? true).slice(0, limit);
    },
    read: async (id) => {
      const params = { id: textOf(id, "id") };
      return ask("POST /v1/notices/:id/read", { params, body: {} }, { repeatable: true });
    },
  };
}

export function policyAt({ ask }: ServerConnection, { as }: Vouching): ServerGate["policy"] {
  return {
    inForce: () => ask("GET /v1/policy", {}),
    accept: async (path, what) => {
      const { version, ...who } = parse(ACCEPT, what);
      await as(who);
      return ask("PUT /v1/policy", { body: { path, version } });
    },
  };
}
