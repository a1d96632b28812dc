import type { Entry, Head } from "../core/ledger.ts";
import type { Gate } from "../library/gate.ts";
import { ACCEPT } from "../service/records.ts";
import { badInput } from "../service/refusal.ts";
import { checked, textOf } from "../service/shape.ts";
import { at } from "./path.ts";
import type { ServerConnection } from "./server-connection.ts";
import type { Vouching } from "./vouching.ts";

// The record, the notices and the policy, as a person's token may read them.

type Answered<V> = V extends (...given: never[]) => Promise<infer T> ? T : never;
type Notices = Gate["notices"];
type Policies = Gate["policy"];
type Trust = Gate["trust"];
type Ledger = Gate["ledger"];

const LISTED = 100;
const PAGE_MAX = 500;

export function ledgerAt({ ask, lines }: ServerConnection): Ledger {
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
          kinds: kinds?.join(","),
          from: fromMs,
          to: toMs,
          actor,
          order,
          limit: Math.min(PAGE_MAX, limit - found.length),
        };
        const { entries } = (await ask({ path: "/v1/ledger", query })) as unknown as { entries: readonly Entry[] };
        found.push(...entries);
        const last = entries.at(-1)?.index;
        if (last === undefined || entries.length < query.limit || found.length >= limit) return found;
        if (order === "newest") before = last;
        else after = last;
      }
    },
    head: async () => (await ask({ path: "/v1/ledger/head" })) as unknown as Head,
    verify: async ({ onProgress } = {}) => {
      if (onProgress !== undefined) throw badInput("onProgress", "a server tells only the end", "leave it out");
      const verified = await ask({ path: "/v1/ledger/verify", withinMs: VERIFY_MS });
      return verified as unknown as Answered<Ledger["verify"]>;
    },
    export: (filter = {}) => {
      if (Object.keys(filter).length > 0) throw badInput("filter", "a server gives the whole chain", "leave it out");
      return lines({ path: "/v1/ledger/export", withinMs: VERIFY_MS });
    },
    prove: async (index) => {
      const proof = await ask({ path: at`/v1/ledger/${String(index)}/proof`, withinMs: VERIFY_MS });
      return proof as unknown as Answered<Ledger["prove"]>;
    },
    checkpoint: async () => {
      const signed = await ask({ path: "/v1/ledger/checkpoint" });
      return signed as unknown as Answered<Ledger["checkpoint"]>;
    },
  };
}

/** A long chain takes a while. */
const VERIFY_MS = 600_000;

export function trustAt({ ask }: ServerConnection): Trust {
  return {
    of: async (agent) =>
      (await ask({ path: at`/v1/trust/${textOf(agent, "agent")}` })) as unknown as Answered<Trust["of"]>,
    export: async ({ agent } = {}) =>
      (await ask({ path: "/v1/trust", query: { agent } })) as unknown as Answered<Trust["export"]>,
  };
}

/** A server tells everybody their own. */
export function noticesAt({ ask }: ServerConnection, { as }: Vouching): Notices {
  return {
    list: async ({ to, unread = false, kinds, limit = LISTED } = {}) => {
      if (to !== undefined) await as({ by: to });
      const query = { unread: String(unread), limit: kinds === undefined ? Math.min(limit, PAGE_MAX) : PAGE_MAX };
      const found = (await ask({ path: "/v1/notices", query })) as unknown as { notices: Answered<Notices["list"]> };
      return found.notices.filter(({ kind }) => kinds?.includes(kind) ?? true).slice(0, limit);
    },
    read: async (id) => {
      const path = at`/v1/notices/${textOf(id, "id")}/read`;
      return (await ask({ path, method: "POST", body: {}, repeatable: true })) as unknown as Answered<Notices["read"]>;
    },
  };
}

export function policyAt({ ask }: ServerConnection, { as }: Vouching): Policies {
  return {
    inForce: async () => (await ask({ path: "/v1/policy" })) as unknown as Answered<Policies["inForce"]>,
    accept: async (path, what) => {
      const { version, ...who } = checked(what, ACCEPT);
      await as(who);
      const body = { path, version };
      return (await ask({ path: "/v1/policy", method: "PUT", body })) as unknown as Answered<Policies["accept"]>;
    },
  };
}
