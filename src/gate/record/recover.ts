import { type Piece, put, unchanged } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { PersonName } from "../../core/ids.ts";
import { redactText } from "../../core/masking/redact.ts";
import { type Message, say } from "../../core/messages/message.ts";
import type { Person } from "../../core/people.ts";
import { madeRow } from "../../core/rows/row-hash.ts";
import { draft } from "../../core/steps/draft.ts";
import { voidIt } from "../../core/steps/running.ts";
import { commitStep, type Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { keepAdmins, keptAdmins } from "../people/admins.ts";
import { isPassphrase, openedHash } from "../people/passphrase.ts";
import { forgiveTry, takeTry } from "../people/passphrase-tries.ts";
import { personAt } from "../people/people.ts";
import { endedSignInsOf } from "../people/sign-in.ts";
import { circleFor } from "../standing/owner.ts";
import { liftedForLost } from "./lost-entries.ts";
import { nameInLedger, newestKept, signedNow, whyWentBack } from "./sealing.ts";

// A gate with a database that went back denies everything until a person says what happened. These verbs need a gate that
// was opened without the guard, because the guard refuses every write.

/** Who may say what happened: the admins at the last checkpoint, else the admins in the database, else nobody. */
export async function recoverers(deps: Deps): Promise<readonly Person[]> {
  const { seals } = deps;
  const kept = seals === undefined ? [] : await keptAdmins({ ...deps, seals });
  if (kept.length > 0) return kept;
  const { people } = (await deps.standing.current()).rows;
  return people.filter(({ state, admin, passphrase }) => state === "active" && admin && passphrase !== undefined);
}

/** After a wrong passphrase the next try must wait, each time longer. */
export async function proveRecoverer(deps: Deps, person: Person, passphrase: string): Promise<Refused | undefined> {
  const taken = await takeTry(deps, { name: person.name });
  if (!taken.ok) return taken;
  const hash = openedHash(deps, person.name, person.passphrase);
  if (hash === undefined || !(await isPassphrase(passphrase, hash))) {
    return refused("LEEWAY_FORBIDDEN", say("refusal.wrong_passphrase"), say("hint.try_again"));
  }
  const forgot = await commitStep(deps, async (nowMs) => ({
    ok: true,
    pieces: [await forgiveTry(deps, taken.value, nowMs)],
    value: undefined,
  }));
  return forgot.ok ? undefined : forgot;
}

export type Recovered = { found: Message; voided: number; signInsEnded: number; admin?: PersonName };

/**
 * Records what happened, and continues with the database as it is: approved calls that did not run are void, everybody must
 * sign in again, and new checkpoints begin. If the database has no people, the admin who proved who they are is added again.
 */
export async function recoverRecord(
  deps: Deps,
  given: { by: PersonName; because: string; admin?: Person },
): Promise<{ ok: true; value: Recovered } | Refused> {
  const { seals, workspace } = deps;
  const why = await whyWentBack(deps);
  if (seals === undefined || why === undefined) {
    return refused("LEEWAY_ALREADY_RESOLVED", say("refusal.not_gone_back"), say("hint.nothing_to_recover"));
  }
  if (given.because.trim() === "")
    return refused("LEEWAY_BAD_INPUT", say("refusal.no_reason"), say("hint.say_what_happened"));
  const sound = await signedNow(deps, { anew: true });
  // A database that cannot be verified by itself cannot be used.
  if (!sound.ok && sound.code !== "LEEWAY_BAD_INPUT") return sound;
  const done = await commitStep(deps, (nowMs) => recovering(deps, { ...given, found: why.reason }, nowMs));
  if (!done.ok) return done;
  const signed = await signedNow(deps, { anew: true });
  if (!signed.ok) return signed;
  const name = `before-${new Date(deps.clock.nowMs()).toISOString().replaceAll(/[:.]/g, "-")}`;
  await seals.beginAnew(workspace, signed.value.size, signed.value.note, name);
  await nameInLedger(deps, signed.value);
  await keepAdmins({ ...deps, seals });
  return done;
}

type Said = { by: PersonName; because: string; found: Message; admin?: Person };

async function recovering(deps: Deps, said: Said, nowMs: number): Promise<Step<Recovered>> {
  const inForce = await deps.standing.current();
  const { by, found } = said;
  const because = redactText(said.because);
  const signed = await newestKept(deps);
  const voids = await voidedPermits(deps, nowMs, say("reason.went_back", { because }));
  const ended: Piece[] = [];
  for (const { name } of inForce.rows.people) {
    ended.push(...(await endedSignInsOf(deps, { person: name }, { by, nowMs })));
  }
  const isNobody = inForce.rows.people.every(({ state }) => state !== "active");
  const admin = isNobody ? said.admin : undefined;
  // No epoch is used twice: a process that knows a later epoch must not take an older standing for it.
  const epoch = signed === undefined || "code" in signed ? 0 : (signed.end?.epoch ?? 0);
  const turns = Math.max(1, epoch - inForce.rows.epoch + 1);
  const entry = draft(deps.mint, {
    kind: "ledger.recovered",
    actor: `person:${by}`,
    subject: { person: by },
    body: { because, found, voided: voids.length, signInsEnded: ended.length, signed: await signedNote(deps) },
  });
  const pieces: Piece[] = [
    { entries: [entry], writes: Array.from({ length: turns }, () => ({ do: "turn" as const })) },
    ...(admin === undefined ? [] : [await againAdmin(deps, admin, nowMs)]),
    ...voids,
    ...ended,
    ...(await liftedForLost(deps, inForce.pauses, { by, nowMs })),
  ];
  const value = { found, voided: voids.length, signInsEnded: ended.length, ...(admin && { admin: admin.name }) };
  return { ok: true, pieces, value };
}

async function signedNote({ seals, workspace }: Deps): Promise<string | null> {
  return (await seals?.newest(workspace)) ?? null;
}

/** The person proved it with the passphrase of the last checkpoint, and keeps this passphrase. */
async function againAdmin(
  deps: Deps,
  { passkeys: _, accounts: _accounts, ...person }: Person,
  nowMs: number,
): Promise<Piece> {
  const held = await personAt(deps, person.name);
  const row: Person = { ...person, workspace: deps.workspace, addedMs: nowMs, state: "active" };
  const entry = draft(deps.mint, {
    kind: "person.added",
    actor: `person:${row.name}`,
    subject: { person: row.name },
    body: { admin: row.admin, auditor: row.auditor, groups: [...row.groups], assurance: "tty" },
    rows: [madeRow("people", row, held?.row)],
  });
  return { needs: [unchanged("people", row.name, held?.version ?? 0)], writes: [put("people", row)], entries: [entry] };
}

/** Changes a copy of a backup before it replaces the database: executions that could be used a second time are void. */
export function recordRestored(
  deps: Deps,
  { folder, by }: { folder: string; by: PersonName | undefined },
): Promise<{ ok: true; value: number } | Refused> {
  return commitStep(deps, async (nowMs): Promise<Step<number>> => {
    const voids = await voidedPermits(deps, nowMs, say("reason.restored"));
    const entry = draft(deps.mint, {
      kind: "ledger.restored",
      actor: by === undefined ? "leeway" : `person:${by}`,
      subject: by === undefined ? {} : { person: by },
      body: { folder, voided: voids.length },
    });
    return { ok: true, pieces: [{ entries: [entry], writes: [{ do: "turn" }] }, ...voids], value: voids.length };
  });
}

const READY_MAX = 100_000;

/** All executions that can still be used. In an older state of the database they may already have been used. */
async function voidedPermits(deps: Deps, nowMs: number, why: Message): Promise<readonly Piece[]> {
  const { store, workspace } = deps;
  const ready = await store.read({
    ask: "rows",
    workspace,
    table: "executions",
    where: { state: "ready" },
    limit: READY_MAX,
    order: "oldest",
  });
  const inForce = await deps.standing.current();
  const pieces: Piece[] = [];
  for (const held of ready) {
    const circle = await circleFor(deps, inForce, held.row);
    const step = voidIt(held, { why, actor: "leeway", circle }, deps.mint, nowMs);
    if (step.ok) pieces.push(step.piece);
  }
  return pieces;
}
