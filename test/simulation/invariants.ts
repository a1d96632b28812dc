import { bodyHashOf, type Entry, entryHashOf } from "../../src/core/ledger.ts";
import { PEOPLE, WORKSPACE, type World } from "./world.ts";

const QUORUM: Record<string, number> = { pay: 2 };
const FREE = new Set(["look", "note"]);
const CLOSED = new Set(["never", "dream"]);

/** Everything that must be true at the end of any simulated run. Returns what is not, as sentences. */
export async function violations(world: World): Promise<string[]> {
  return [
    ...(await unauthorised(world)),
    ...twice(world),
    ...(await lostAnswers(world)),
    ...(await lostNotices(world)),
    ...(await unfinished(world)),
    ...(await brokenChain(world)),
  ];
}

async function rows<T extends "approvals" | "executions" | "notices">(world: World, table: T) {
  const found = await world.truth.read({
    ask: "rows",
    workspace: WORKSPACE,
    table,
    where: {},
    limit: 100_000,
    order: "oldest",
  });
  return new Map(found.map(({ row }) => [row.id as string, row]));
}

/** Nothing happens without authority for exactly those bytes at that moment. */
async function unauthorised(world: World): Promise<string[]> {
  const executions = await rows(world, "executions");
  const approvals = await rows(world, "approvals");
  return world.happened.flatMap((done) => {
    const found: string[] = [];
    const execution = executions.get(done.execution);
    if (!heldStates(done.tool).includes(done.heldAs))
      found.push(`${done.tool} happened while its execution was ${done.heldAs}`);
    if (execution === undefined) return [...found, `${done.tool} happened without an execution`];
    if (execution.digest !== done.digest) found.push(`${done.tool} happened with other bytes than those approved`);
    if (CLOSED.has(done.tool)) found.push(`${done.tool} must never happen`);
    if (execution.approval === undefined)
      return FREE.has(done.tool) ? found : [...found, `${done.tool} happened unapproved`];
    const approval = approvals.get(execution.approval);
    const counted = (approval?.reviews ?? []).filter(
      (given) =>
        given.verdict === "approve" &&
        given.digest === execution.digest &&
        PEOPLE.some((person) => !person.auditor && person.name === given.by) &&
        given.atMs < (approval?.answerByMs ?? 0),
    );
    const people = new Set(counted.map((given) => given.by)).size;
    if (people < (QUORUM[done.tool] ?? 1)) found.push(`${done.tool} happened with ${people} valid answers`);
    if (done.tool === "vault" && counted.some((given) => given.bulk)) found.push("vault happened on a bulk answer");
    return found;
  });
}

/** A process that lost the lease may still be running; an idempotent tool may then be tried again. */
function heldStates(tool: string): readonly string[] {
  return ["claimed", "handed", "unknown", ...(tool === "again" ? ["ready"] : [])];
}

/** One start for each execution; only a tool that was declared idempotent may be tried again. */
function twice(world: World): string[] {
  const counts = new Map<string, number>();
  for (const done of world.happened)
    if (done.tool !== "again") counts.set(done.execution, (counts.get(done.execution) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([execution, count]) => `${execution} happened ${count} times`);
}

async function lostAnswers(world: World): Promise<string[]> {
  const approvals = await rows(world, "approvals");
  return world.taken
    .filter(
      (taken) =>
        !(approvals.get(taken.approval)?.reviews ?? []).some(
          (given) => given.by === taken.by && given.verdict === taken.verdict,
        ),
    )
    .map((taken) => `the answer of ${taken.by} to ${taken.approval} was acknowledged and lost`);
}

async function lostNotices(world: World): Promise<string[]> {
  const refs = new Set([...(await rows(world, "notices")).values()].map((notice) => notice.ref));
  const approvals = await rows(world, "approvals");
  return [...approvals.keys()].filter((id) => !refs.has(id)).map((id) => `nobody was told of ${id}`);
}

/** After the last tick nothing is left half-way: crashed calls are unknown, and unanswered questions have expired. */
async function unfinished(world: World): Promise<string[]> {
  const executions = [...(await rows(world, "executions")).values()];
  const approvals = [...(await rows(world, "approvals")).values()];
  const happened = new Set(world.happened.map((done) => done.execution));
  return [
    ...executions
      .filter((row) => row.state === "claimed" || row.state === "ready")
      .map((row) => `${row.id} (${row.tool}) is still ${row.state}`),
    ...executions
      .filter((row) => row.state === "void" && happened.has(row.id))
      .map((row) => `${row.id} happened and is void`),
    ...approvals.filter((row) => row.state === "pending").map((row) => `${row.id} is still pending`),
  ];
}

async function brokenChain(world: World): Promise<string[]> {
  const entries = await world.truth.read({
    ask: "entries",
    workspace: WORKSPACE,
    where: {},
    limit: 100_000,
    order: "oldest",
  });
  const found: string[] = [];
  let before: Entry | undefined;
  for (const entry of entries) {
    const { hash, body, ...bare } = entry;
    if (entry.index !== (before?.index ?? 0) + 1) found.push(`entry ${entry.index} follows ${before?.index ?? 0}`);
    if (entry.previous !== (before?.hash ?? null)) found.push(`entry ${entry.index} has another parent`);
    if (entry.atMs < (before?.atMs ?? 0)) found.push(`entry ${entry.index} is older than its parent`);
    if (hash !== entryHashOf(bare)) found.push(`entry ${entry.index} has another hash`);
    if (body === undefined || bodyHashOf(body.salt, body.json) !== entry.bodyHash)
      found.push(`entry ${entry.index} has another body`);
    before = entry;
  }
  return [...found, ...startedWhilePaused(world, entries), ...startedWithoutPeople(entries)];
}

/** Everybody whose approval was used existed when the call started, and without interruption since they approved. */
function startedWithoutPeople(entries: readonly Entry[]): string[] {
  const found: string[] = [];
  const since = new Map(PEOPLE.filter(({ auditor }) => !auditor).map(({ name }) => [name, 0]));
  const yeses = new Map<string, Map<string, number>>();
  for (const { kind, subject, index, body } of entries) {
    const { person = "", approval = "", tool = "" } = subject;
    if (kind === "person.removed") since.delete(person);
    if (kind === "person.added") since.set(person, index);
    if (kind === "approval.reviewed" && body?.json["verdict"] === "approve") {
      yeses.set(approval, (yeses.get(approval) ?? new Map()).set(person, index));
    }
    if (kind !== "execution.claimed" || subject.approval === undefined) continue;
    const counting = [...(yeses.get(approval) ?? [])].filter(([name, at]) => at >= (since.get(name) ?? Infinity));
    if (counting.length < (QUORUM[tool] ?? 1)) {
      found.push(`entry ${index} started ${tool} with ${counting.length} approvals of existing people`);
    }
  }
  return found;
}

/** Between the confirmation of a pause of everything and its end, nothing starts. */
function startedWhilePaused(world: World, entries: readonly Entry[]): string[] {
  return world.paused.flatMap(({ fromIndex, toIndex }) =>
    entries
      .filter((entry) => entry.index > fromIndex && entry.index <= toIndex)
      .filter(
        (entry) =>
          entry.kind === "execution.claimed" || (entry.kind === "call.decided" && entry.subject.outcome === "run"),
      )
      .map((entry) => `entry ${entry.index} started ${entry.subject.tool} while everything was paused`),
  );
}
