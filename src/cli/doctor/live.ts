import { announcedServer } from "../../config/server-file.ts";
import { changeOf } from "../../core/change.ts";
import { rowFaultText } from "../../core/record/row-fault.ts";
import { clockText } from "../../core/show/when.ts";
import { check } from "../../gate/calls/check.ts";
import { MANNER } from "../../gate/calls/submit.ts";
import { headOf, type Progress, verifyLedger } from "../../gate/record/ledger.ts";
import { clockNotes, lookAtLedger } from "../../gate/time/clock.ts";
import { StoreUnavailable } from "../../ports.ts";
import { callOf } from "../calls.ts";
import type { Opened } from "../gate/database.ts";
import type { Finding } from "./finding.ts";

// What is proved by doing it: a write, a reading of the record, a decision.

const PROBE_MS = 60_000;
/** More than this takes a while; `leeway verify` does it with a bar. */
const VERIFIED_MAX = 200_000;
/** No clock that is right shows a time before this program existed. */
const EARLIEST_MS = Date.UTC(2026, 0, 1);

export async function storeChecks(deps: Opened, how: { onProgress: Progress }): Promise<Finding[]> {
  return [await probe(deps), await clockCheck(deps), await ledgerCheck(deps, how)];
}

/** A Change like any other, synced like any other, that leaves a counter which is forgotten in a minute. */
async function probe(deps: Opened): Promise<Finding> {
  const nowMs = deps.clock.nowMs();
  const add = { do: "add", counter: "doctor:probe", by: 1, untilMs: nowMs + PROBE_MS } as const;
  try {
    const committed = await deps.store.commit(
      changeOf(deps.mint, { workspace: deps.workspace, nowMs }, [{ writes: [add] }]),
    );
    if (!committed.ok)
      return {
        what: "store",
        state: "bad",
        says: "a Change that needs nothing was refused",
        hint: "please report this",
      };
    return { what: "store", state: "ok", says: "a probe was written and synced" };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      what: "store",
      state: "bad",
      says: `nothing can be recorded, so nothing runs: ${why}`,
      hint: "free the disk or unlock the database",
    };
  }
}

async function clockCheck(deps: Opened): Promise<Finding> {
  const wallMs = deps.clock.wallMs();
  if (wallMs < EARLIEST_MS)
    return {
      what: "clock",
      state: "bad",
      says: `it says ${clockText(wallMs)}, which cannot be`,
      hint: "set the clock",
    };
  await lookAtLedger(deps);
  const [note] = clockNotes(deps);
  if (note === undefined) return { what: "clock", state: "ok", says: clockText(wallMs) };
  return {
    what: "clock",
    state: "warn",
    says: `${note}; it says ${clockText(wallMs)}, the gate ${clockText(deps.clock.nowMs())}`,
    hint: "set the clock if it is wrong; if it was wrong before, all spans of time hold and only dates are ahead",
  };
}

/** Where the gate refuses to decide at all: why, and what to do. */
export async function closedCheck(deps: Opened): Promise<Finding | undefined> {
  try {
    await deps.standing.current();
    return undefined;
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || error.refused === undefined) throw error;
    const { reason, hint } = error.refused;
    return { what: "gate", state: "bad", says: reason, hint };
  }
}

export async function ledgerCheck(deps: Opened, how: { onProgress: Progress }): Promise<Finding> {
  const head = await headOf(deps);
  if (head.index > VERIFIED_MAX)
    return {
      what: "ledger",
      state: "warn",
      says: `${head.index} entries, not verified here`,
      hint: "run `leeway verify`",
    };
  const verified = await verifyLedger(deps, how);
  if (verified.ok) {
    const says = `${verified.entries} entries, every hash right; ${verified.rows?.compared ?? 0} rows as recorded`;
    return { what: "ledger", state: "ok", says };
  }
  if (verified.rows !== undefined) {
    const says = `the chain is whole, but the rows are not what it recorded: ${verified.rows.map(rowFaultText).join("; ")}`;
    return { what: "ledger", state: "bad", says, hint: verified.rows[0]?.hint ?? "run `leeway verify`" };
  }
  return {
    what: "ledger",
    state: "bad",
    says: `broken at entry ${verified.fault.index}: ${verified.fault.why}`,
    hint: "restore a backup elsewhere and compare",
  };
}

const ANSWER_MS = 5_000;

/** A server that announced itself has to answer, and to be able to decide. */
export async function serverChecks(stateFolder: string): Promise<Finding[]> {
  const server = announcedServer(stateFolder);
  if (server === undefined) return [{ what: "server", state: "ok", says: "none runs here; commands use the database" }];
  const said = await readiness(server.url);
  if (said === "ready") return [{ what: "server", state: "ok", says: `${server.url} answers (pid ${server.pid})` }];
  const says = `${server.url} (pid ${server.pid}): ${said}`;
  return [{ what: "server", state: "bad", says, hint: "look at what it says on stderr, or start it again" }];
}

async function readiness(url: string): Promise<string> {
  try {
    const answer = await fetch(`${url}/readyz`, { redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
    const said = (await answer.json()) as { ok?: boolean; why?: string };
    return answer.ok && said.ok === true ? "ready" : (said.why ?? `it answers ${answer.status}`);
  } catch (error) {
    return `it does not answer (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Calls that must never pass by themselves, whatever the policy says. */
const MUST_NOT_RUN = [
  { tool: "a_tool_nobody_knows", args: {} },
  { tool: "shell", args: { command: "leeway approve apr_0" } },
] as const;

export async function decisionChecks(deps: Opened): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { tool, args } of MUST_NOT_RUN) {
    const { decision } = await check(
      deps,
      callOf(deps, { agent: "doctor", tool, args, cwd: deps.policies.current().project }),
      MANNER,
    );
    const call = `${tool} ${JSON.stringify(args)}`;
    found.push(
      decision.outcome === "run"
        ? {
            what: "decision",
            state: "bad",
            says: `${call} would run (${decision.tier})`,
            hint: "look at `leeway policy show`",
          }
        : { what: "decision", state: "ok", says: `${call} would not run by itself (${decision.tier})` },
    );
  }
  return found;
}
