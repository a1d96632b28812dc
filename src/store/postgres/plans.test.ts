import { afterAll, beforeAll, expect, test } from "vitest";
import { agent, approval, call, change, draftOf, notice, sealer, started, T0, W } from "../../../test/fixtures/rows.ts";
import { newDatabase } from "../../../test/postgres/database.ts";
import { put } from "../../core/change.ts";
import type { CallId } from "../../core/ids.ts";
import type { Query, Taking } from "../../ports.ts";
import { postgresStore } from "./index.ts";
import { answerTo } from "./queries/answers.ts";
import { takeFrom } from "./queries/take.ts";
import { secretsOf } from "./secrets.ts";
import { type Server, serverAt } from "./server/server.ts";
import type { Given, Session } from "./server/session.ts";

// What people and agents ask for all the time must not become slower with history: each statement may look only at about as
// many rows as it returns.

const HISTORY = 2_000;
const PAGE = 20;
/** A page of rows, with what belongs to each of them. */
const ROWS_MAX = 4 * PAGE;

let server: Server;
beforeAll(async () => {
  const url = await newDatabase();
  const store = postgresStore(url, { sealer });
  for (let from = 0; from < HISTORY; from += 500) {
    const many = Array.from({ length: 500 }, (_, i) => from + i);
    const calls = many.map((i) => started(call(`call_${i}` as CallId, { key: `k${i}`, agent: `agent-${i % 5}` })));
    const questions = many.map((i) =>
      put("approvals", approval(`apr_${i}`, { agent: `agent-${i % 5}`, digest: `sha256:${i}`, openedMs: T0 + i })),
    );
    const notices = many.map((i) => put("notices", notice(`ntc_${i}`)));
    const ended = many.map((i) => draftOf({ subject: { session: `s${i}` } }));
    await store.commit(
      change({
        writes: [...calls.flatMap(({ writes }) => writes), ...questions, ...notices, put("agents", agent(`a${from}`))],
        entries: [...calls.flatMap(({ entries }) => entries), ...ended],
      }),
    );
  }
  await store.close();
  server = serverAt(url);
  // As the server does by itself within a minute.
  await server.use((session) => session.exec("analyze"));
});
afterAll(() => server.close());

const newest = { limit: PAGE, order: "newest" } as const;
const after = { sortMs: T0 + HISTORY / 2, id: "apr_5" };
const ASKED: { readonly [what: string]: Query } = {
  "what is known about a call": {
    ask: "submission",
    workspace: W,
    callKey: "k7",
    agent: "agent-2",
    digest: "sha256:7",
    counters: ["spent"],
    nowMs: T0,
  },
  "everything in force": { ask: "standing", workspace: W },
  "a call by its id": { ask: "row", workspace: W, table: "calls", id: "call_700" },
  "an execution by its id": { ask: "row", workspace: W, table: "executions", id: "exe_700" },
  "the open questions": { ask: "rows", workspace: W, table: "approvals", where: { state: "pending" }, ...newest },
  "the next page of them": {
    ask: "rows",
    workspace: W,
    table: "approvals",
    where: { state: "pending" },
    after,
    ...newest,
  },
  "those that end soonest": {
    ask: "rows",
    workspace: W,
    table: "approvals",
    where: { state: "pending" },
    limit: PAGE,
    order: "soonest",
  },
  "those that somebody has put aside": {
    ask: "rows",
    workspace: W,
    table: "approvals",
    where: { state: "pending", collect: "snoozed" },
    limit: 1000,
    order: "oldest",
  },
  "those of an agent": {
    ask: "rows",
    workspace: W,
    table: "approvals",
    where: { state: "pending", agent: "agent-2" },
    ...newest,
  },
  "all questions": { ask: "rows", workspace: W, table: "approvals", where: {}, ...newest },
  "how many are open": { ask: "count", workspace: W, table: "approvals", where: { state: "pending" } },
  "the sums of limits": { ask: "counters", workspace: W, counters: ["spent"], nowMs: T0 },
  "a page of the ledger": { ask: "entries", workspace: W, where: {}, ...newest },
  "a page further back": { ask: "entries", workspace: W, where: { beforeIndex: 900 }, ...newest },
  "the history of a call": { ask: "entries", workspace: W, where: { subject: { call: "call_7" } }, ...newest },
  "the ledger of an agent": { ask: "entries", workspace: W, where: { subject: { agent: "agent-2" } }, ...newest },
  "the ledger of an agent that did nothing": {
    ask: "entries",
    workspace: W,
    where: { subject: { agent: "nobody" } },
    ...newest,
  },
  "the ledger of a person": { ask: "entries", workspace: W, where: { subject: { person: "ana" } }, ...newest },
  "what one kind of entry says about an agent": {
    ask: "entries",
    workspace: W,
    where: { subject: { agent: "nobody" }, kinds: ["call.decided"], beforeIndex: 900 },
    ...newest,
  },
  "the ledger of an hour": { ask: "entries", workspace: W, where: { fromMs: T0, toMs: T0 + 1 }, ...newest },
  "the next part of the chain": { ask: "links", workspace: W, afterIndex: 1_000, limit: PAGE },
  "the track record of an agent": { ask: "trust", workspace: W, agent: "agent-2" },
  "the end of the chain": { ask: "head", workspace: W },
};

type Plan = { "Node Type": string; Plans?: readonly Plan[]; [fact: string]: unknown };

/** Every step of every plan, in words. */
function stepsOf(plan: Plan): readonly { step: string; rows: number }[] {
  const fact = (name: string) => Number(plan[name] ?? 0);
  const rows =
    (fact("Actual Rows") + fact("Rows Removed by Filter") + fact("Rows Removed by Join Filter")) * fact("Actual Loops");
  const step = `${plan["Node Type"]} ${plan["Relation Name"] ?? ""} ${plan["Index Name"] ?? ""}`.trim();
  return [{ step, rows }, ...(plan.Plans ?? []).flatMap(stepsOf)];
}

/** As text in SQL. */
function literal(value: Given): string {
  if (Array.isArray(value)) return literal(`{${value.map((one) => JSON.stringify(one)).join(",")}}`);
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  return `'${String(value).replaceAll("'", "''")}'`;
}

/** Explains each statement before it is run, with the plan for all values; in a transaction that is undone. */
async function explained(act: (session: Session) => Promise<unknown>) {
  const steps: { step: string; rows: number }[] = [];
  await server.use(async (session) => {
    const explaining: Session = {
      ...session,
      run: async (sql, values) => {
        await session.exec("begin");
        await session.exec(`prepare explained as ${sql}`);
        const given = values.length === 0 ? "" : `(${values.map(literal).join(", ")})`;
        const [found] = await session.run(`explain (analyze, format json) execute explained${given}`, []);
        await session.exec("rollback; deallocate explained");
        const [{ Plan }] = JSON.parse(String(found?.["QUERY PLAN"]));
        steps.push(...stepsOf(Plan));
        return session.run(sql, values);
      },
      snapshot: (all) => all(explaining),
    };
    await act(explaining);
  });
  return steps.filter(({ step, rows }) => rows > ROWS_MAX || (/^Seq Scan/.test(step) && !SMALL.test(step)));
}

/** One row each. */
const SMALL = /^Seq Scan (versions|chains)/;

test.each(Object.entries(ASKED))("%s is looked up, however long the history is", async (_, query) => {
  expect(await explained((session) => answerTo(session, query, secretsOf(sealer)))).toEqual([]);
});

test.each(["notices", "deliveries", "timers", "executions"] as const)("due %s are looked up", async (queue) => {
  const taking: Taking = { workspace: W, max: PAGE, leaseMs: 1, owner: "me", nowMs: T0 - 1 };
  expect(await explained((session) => takeFrom(session, queue, taking, secretsOf(sealer)))).toEqual([]);
});
