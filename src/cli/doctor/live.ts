import type { Settings } from "../../config/environment.ts";
import { announcedServer, serverElsewhere } from "../../config/server-file.ts";
import { changeOf } from "../../core/change.ts";
import { inTurn, say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import { rowFaultMessage } from "../../core/record/row-fault.ts";
import { clockText } from "../../core/show/when.ts";
import { check, DEFAULT_CALLER } from "../../gate/calls/judging.ts";
import { headOf, type Progress, verifyLedger } from "../../gate/record/ledger.ts";
import { clockNotes, lookAtLedger } from "../../gate/time/clock.ts";
import { StoreUnavailable } from "../../ports.ts";
import { callOf } from "../calls.ts";
import type { OpenedGate } from "../gate/database.ts";
import type { Finding } from "./finding.ts";

// Checks that do something: write an entry, read the record, decide a call.

const PROBE_MS = 60_000;
/** Verifying more entries takes long; `leeway verify` does it with a progress bar. */
const VERIFIED_MAX = 200_000;
/** A correct clock never shows a time before this program existed. */
const EARLIEST_MS = Date.UTC(2026, 0, 1);

export async function storeChecks(deps: OpenedGate, how: { onProgress: Progress }): Promise<Finding[]> {
  return [await probe(deps), await clockCheck(deps), await ledgerCheck(deps, how)];
}

/** An ordinary Change, synced like any other. It writes a counter that expires in a minute. */
async function probe(deps: OpenedGate): Promise<Finding> {
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
        says: "the database refused a test entry",
        hint: "please report this",
      };
    return { what: "store", state: "ok", says: "a test entry was written to disk" };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      what: "store",
      state: "bad",
      says: `nothing can be recorded, so nothing runs: ${why}`,
      hint: error instanceof StoreUnavailable ? textOf(error.hint, "en") : "please report this",
    };
  }
}

async function clockCheck(deps: OpenedGate): Promise<Finding> {
  const wallMs = deps.clock.wallMs();
  if (wallMs < EARLIEST_MS)
    return {
      what: "clock",
      state: "bad",
      says: `it shows ${clockText(wallMs)}, which is not possible`,
      hint: "set the clock",
    };
  await lookAtLedger(deps);
  const [note] = clockNotes(deps);
  if (note === undefined) return { what: "clock", state: "ok", says: clockText(wallMs) };
  return {
    what: "clock",
    state: "warn",
    says: `${note}; it shows ${clockText(wallMs)}, the gate uses ${clockText(deps.clock.nowMs())}`,
    hint: "set the clock if it is wrong; if it was wrong before, durations are still correct and only dates are ahead",
  };
}

/** If the gate refuses to decide at all: why, and what to do. */
export async function closedCheck(deps: OpenedGate): Promise<Finding | undefined> {
  try {
    await deps.standing.current();
    return undefined;
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || error.refused === undefined) throw error;
    const { reason, hint } = error.refused;
    return { what: "gate", state: "bad", says: textOf(reason, "en"), hint: textOf(hint, "en") };
  }
}

export async function ledgerCheck(deps: OpenedGate, how: { onProgress: Progress }): Promise<Finding> {
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
    const says = `${verified.entries} entries, all hashes correct; ${verified.rows?.compared ?? 0} rows match the record`;
    return { what: "ledger", state: "ok", says };
  }
  if (verified.rows !== undefined) {
    const says = `the chain is complete, but rows differ from what it recorded: ${textOf(inTurn(verified.rows.map(rowFaultMessage)), "en")}`;
    return { what: "ledger", state: "bad", says, hint: textOf(verified.rows[0]?.hint ?? say("hint.run_verify"), "en") };
  }
  const { fault } = verified;
  if (fault.is === "place") {
    const says = `all ${fault.index} entries are whole, but ${textOf(fault.why, "en")}`;
    return { what: "ledger", state: "bad", says, hint: "see `leeway verify`" };
  }
  return {
    what: "ledger",
    state: "bad",
    says: `broken at entry ${fault.index}: ${textOf(fault.why, "en")}`,
    hint: "restore a backup in another place and compare",
  };
}

const ANSWER_MS = 5_000;

/** A server that is announced in the state folder must answer and be able to decide. */
export async function serverChecks(settings: Pick<Settings, "stateFolder" | "db">): Promise<Finding[]> {
  const elsewhere = serverElsewhere(settings);
  if (elsewhere !== undefined) return [otherDatabase(elsewhere.url, elsewhere.database)];
  const server = announcedServer(settings.stateFolder);
  if (server === undefined)
    return [{ what: "server", state: "ok", says: "no server runs here; commands use the database" }];
  const said = await readiness(server.url);
  if (said === "ready") return [{ what: "server", state: "ok", says: `${server.url} answers (pid ${server.pid})` }];
  const says = `${server.url} (pid ${server.pid}): ${said}`;
  return [{ what: "server", state: "bad", says, hint: "read its messages on stderr, or start it again" }];
}

function otherDatabase(url: string, database: string): Finding {
  return {
    what: "server",
    state: "warn",
    says: `no server runs for this database: ${url} uses ${database}`,
    hint: "start one for this database with `leeway up`, or set LEEWAY_DB to the database of the server",
  };
}

export async function readiness(url: string): Promise<string> {
  try {
    const answer = await fetch(`${url}/readyz`, { redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
    const said = (await answer.json()) as { ok?: boolean; why?: string };
    return answer.ok && said.ok === true ? "ready" : (said.why ?? `it answers ${answer.status}`);
  } catch (error) {
    return `it does not answer (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Calls that must never run without approval, whatever the policy says. */
const MUST_NOT_RUN = [
  { tool: "a_tool_nobody_knows", args: {} },
  { tool: "shell", args: { command: "leeway approve apr_0" } },
] as const;

export async function decisionChecks(deps: OpenedGate): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { tool, args } of MUST_NOT_RUN) {
    const { decision } = await check(
      deps,
      callOf(deps, { agent: "doctor", tool, args, cwd: deps.policies.current().project }),
      DEFAULT_CALLER,
    );
    const call = `${tool} ${JSON.stringify(args)}`;
    found.push(
      decision.outcome === "run"
        ? {
            what: "decision",
            state: "bad",
            says: `${call} would run (${decision.tier})`,
            hint: "check the policy with `leeway policy show`",
          }
        : { what: "decision", state: "ok", says: `${call} would not run without approval (${decision.tier})` },
    );
  }
  return found;
}
