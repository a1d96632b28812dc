import { type Piece, put, unchanged } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import { FIRST_WORKSPACE, type PersonName, type SignInId } from "../../core/ids.ts";
import type { EntryKind } from "../../core/ledger.ts";
import { type Message, say } from "../../core/messages/message.ts";
import { type Person, withOwnMeans } from "../../core/people.ts";
import type { Assurance } from "../../core/policy.ts";
import { madeRow } from "../../core/rows/row-hash.ts";
import type { Versioned } from "../../core/rows/rows.ts";
import { draft } from "../../core/steps/draft.ts";
import { canonical } from "../../core/values/canonical.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { withoutTheirYes } from "../approvals/reopening.ts";
import { commitStep, type Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { revokedGrantsOf } from "../standing/grants.ts";
import type { InForce } from "../standing/standing.ts";
import {
  type Acting,
  actingAdmin,
  actStep,
  type HeldStanding,
  handOfActing,
  isSomebodyLeft,
  unsure,
} from "./acting.ts";
import { isPassphrase, openedHash, sealedHash } from "./passphrase.ts";
import {
  forgetTries,
  forgiveTry,
  type GuessOrigin,
  judgedPiece,
  type PassphraseGuess,
  type TakenTry,
  takeTryInTurn,
} from "./passphrase-tries.ts";
import { leavings, othersOut } from "./removal.ts";

/**
 * `by` is the admin who adds them. The first person adds themself. The first person of another workspace is added by an admin
 * of the default workspace.
 */
export type NewPerson = Acting & {
  name: PersonName;
  admin?: boolean;
  auditor?: boolean;
  groups?: readonly string[];
  passphrase?: string;
};

/** The roles and groups of a person. What is left out stays as it is. */
export type RoleChange = { admin?: boolean; auditor?: boolean; groups?: readonly string[] };

type Changed = { ok: true; value: Person } | Refused;

const PERSON_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u;

/** The first person is an admin. Everybody else is added by an admin. */
export async function addPerson(deps: Deps, given: NewPerson): Promise<Changed> {
  const short = given.passphrase === undefined ? undefined : tooShort(given.passphrase);
  if (short !== undefined) return short;
  const passphrase = given.passphrase === undefined ? undefined : await sealedHash(deps, given.name, given.passphrase);
  return actStep(deps, async (nowMs, inForce): Promise<Step<Person>> => {
    const isFirst = inForce.rows.people.every((person) => person.state !== "active");
    const no = isFirst ? await mayBegin(deps, given) : mayAdd(inForce, given);
    if (no !== undefined) return no;
    if (isFirst && given.auditor === true) {
      return refused("LEEWAY_BAD_INPUT", say("refusal.first_not_admin"), say("hint.add_admin_first"));
    }
    const contrary = bothWays(given);
    if (contrary !== undefined) return contrary;
    if (!PERSON_NAME.test(given.name)) {
      return refused(
        "LEEWAY_BAD_INPUT",
        say("refusal.not_a_name", { name: given.name }),
        say("hint.letters_digits_dots"),
      );
    }
    const held = await personAt(deps, given.name);
    if (held?.row.state === "active") {
      return refused(
        "LEEWAY_BAD_INPUT",
        say("refusal.person_exists", { person: given.name }),
        say("hint.another_name"),
      );
    }
    const by = isFirst && deps.workspace === FIRST_WORKSPACE ? given.name : given.by;
    const maker = by === given.name ? by : handOfActing(inForce, given);
    const row: Person = {
      name: given.name,
      workspace: deps.workspace,
      admin: isFirst || (given.admin ?? false),
      auditor: given.auditor ?? false,
      groups: [...new Set(given.groups)],
      ...(passphrase === undefined ? {} : { passphrase, ...(maker === given.name ? {} : { passphraseBy: maker }) }),
      // Older tokens and sign-ins with this name belong to an earlier person: they are older than the row.
      addedMs: held?.row.state === "removed" ? Math.max(nowMs, held.row.atMs + 1) : nowMs,
      state: "active",
    };
    return keptPerson(deps, held, row, { kind: "person.added", by, assurance: given.assurance });
  });
}

/** Changes the roles and groups of a person. It counts from their next answer on. */
export async function changePerson(deps: Deps, name: PersonName, given: Acting & RoleChange): Promise<Changed> {
  return actStep(deps, async (nowMs, inForce): Promise<Step<Person>> => {
    const acting = actingAdmin(inForce, given.by, say("act.change_people"));
    if ("code" in acting) return acting;
    const held = await personAt(deps, name);
    if (held?.row.state !== "active") return nobody(name);
    const { admin: isAdmin, auditor: isAuditor, groups: isIn } = held.row;
    const { admin = isAdmin, auditor = isAuditor, groups = isIn } = given;
    const row: Person = { ...held.row, admin, auditor, groups: [...new Set(groups)] };
    const was = standingOf(held.row);
    const no =
      bothWays(row) ??
      (admin ? undefined : lastAdmin(inForce, held.row)) ??
      (canonical(standingOf(row)) === canonical(was) ? unchangedPerson(name) : unsure(inForce, given));
    if (no !== undefined) return no;
    const { by, assurance } = given;
    const kept = keptPerson(deps, held, row, { kind: "person.changed", by, assurance, was });
    // The grants of a person who may no longer decide end too.
    const over = auditor ? await revokedGrantsOf(deps, inForce, name, { by, nowMs }) : [];
    const asked = await withoutTheirYes(deps, inForce, row, nowMs);
    return kept.ok ? { ...kept, pieces: [...kept.pieces, ...over, ...asked] } : kept;
  });
}

function bothWays({ admin, auditor }: RoleChange): Refused | undefined {
  if (admin !== true || auditor !== true) return undefined;
  return refused("LEEWAY_BAD_INPUT", say("refusal.admin_and_auditor"), say("hint.choose_one_of_them"));
}

function unchangedPerson(name: PersonName): Refused {
  return refused("LEEWAY_BAD_INPUT", say("refusal.nothing_changes"), say("hint.say_role_or_groups", { person: name }));
}

function lastAdmin(inForce: InForce, person: Person): Refused | undefined {
  if (!person.admin || isSomebodyLeft(inForce, person.name)) return undefined;
  return refused(
    "LEEWAY_FORBIDDEN",
    say("refusal.last_admin", { person: person.name }),
    say("hint.another_admin_first"),
  );
}

function mayAdd(inForce: HeldStanding, given: Acting): Refused | undefined {
  const acting = actingAdmin(inForce, given.by, say("act.add_people"));
  return "code" in acting ? acting : unsure(inForce, given);
}

/** If there are people in the default workspace, they must add the first person of a new one. */
async function mayBegin(deps: Deps, given: NewPerson): Promise<Refused | undefined> {
  if (deps.workspace === FIRST_WORKSPACE) return undefined;
  const outer = await deps.store.read({ ask: "standing", workspace: FIRST_WORKSPACE });
  const active = outer?.people.filter((person) => person.state === "active") ?? [];
  if (active.length === 0) return undefined;
  const isAdmin = active.some((person) => person.name === given.by && person.admin);
  if (isAdmin && given.assurance !== "process") return undefined;
  return refused(
    "LEEWAY_FORBIDDEN",
    say("refusal.first_workspace_admin", { workspace: FIRST_WORKSPACE }),
    say("hint.init_in_terminal"),
  );
}

/** Removes a person. Their tokens and sign-ins end. What they did stays in the ledger. */
export async function removePerson(deps: Deps, name: PersonName, acted: Acting): Promise<Changed> {
  const { by } = acted;
  return actStep(deps, async (nowMs, inForce): Promise<Step<Person>> => {
    const acting = actingAdmin(inForce, by, say("act.remove_people"));
    if ("code" in acting) return acting;
    const held = await personAt(deps, name);
    if (held?.row.state !== "active") return nobody(name);
    const no = lastAdmin(inForce, held.row) ?? unsure(inForce, acted);
    if (no !== undefined) return no;
    const { passphrase: _, passphraseBy: _by, passkeys: _keys, accounts: _accounts, ...rest } = held.row;
    const row: Person = { ...rest, state: "removed", atMs: nowMs };
    const kept = keptPerson(deps, held, row, { kind: "person.removed", by });
    if (!kept.ok) return kept;
    const leaving = await leavings(deps, inForce, name, { by, nowMs });
    return { ...kept, pieces: [...kept.pieces, ...leaving, ...(await withoutTheirYes(deps, inForce, row, nowMs))] };
  });
}

/**
 * Sets a person's own passphrase; an admin can set anybody's. All other sign-ins of this person end, except the browser in
 * which it is done.
 */
export async function setPassphrase(
  deps: Deps,
  name: PersonName,
  given: Acting & { passphrase: string; here?: SignInId },
): Promise<Changed> {
  const short = tooShort(given.passphrase);
  if (short !== undefined) return short;
  const passphrase = await sealedHash(deps, name, given.passphrase);
  return actStep(deps, async (nowMs, inForce): Promise<Step<Person>> => {
    const held = await personAt(deps, name);
    if (held?.row.state !== "active") return nobody(name);
    if (given.by !== name) {
      const acting = actingAdmin(inForce, given.by, say("act.set_passphrase"));
      if ("code" in acting) return acting;
    }
    const no = unsure(inForce, given);
    if (no !== undefined) return no;
    const { passphraseBy: _, ...rest } = held.row;
    const maker = handOfActing(inForce, given);
    const row: Person = { ...rest, passphrase, ...(maker === name ? {} : { passphraseBy: maker }) };
    const changed = keptPerson(deps, held, row, { kind: "person.changed", by: given.by });
    if (!changed.ok) return changed;
    const pieces = [await forgetTries(deps, name, nowMs), ...(await othersOut(deps, inForce, name, { given, nowMs }))];
    return { ...changed, pieces: [...changed.pieces, ...pieces] };
  });
}

/** The refusal is the same for a wrong passphrase, an unknown name and a person without passphrase. `to`: the purpose, for the ledger. */
export async function checkPassphrase(
  deps: Deps,
  name: PersonName,
  passphrase: string,
  { to, from }: { to: Message | string; from?: GuessOrigin },
): Promise<Changed> {
  // All invalid names share one counter. Otherwise a stranger could fill the store.
  const guess: PassphraseGuess = { name: PERSON_NAME.test(name) ? name : "-", ...(from === undefined ? {} : { from }) };
  const taken = await takeTryInTurn(deps, guess);
  if (!taken.ok) return taken;
  const held = await personAt(deps, name);
  const hashed = held?.row.state === "active" ? held.row.passphrase : undefined;
  // A hash is computed also for an unknown name, so that the time does not tell which names are known.
  const right = await isPassphrase(passphrase, openedHash(deps, name, hashed) ?? NOBODYS_HASH);
  if (right && hashed !== undefined && held !== undefined) return proved(deps, held.row, taken.value);
  // Tries for unknown names are counted but not recorded in the ledger. A write is done anyway, so that it takes the same time.
  const isKnown = held?.row.state === "active";
  await recordWrong(deps, isKnown ? name : undefined, taken.value, to);
  return refused("LEEWAY_FORBIDDEN", say("refusal.wrong_passphrase"), say("hint.try_again"));
}

function proved(deps: Deps, person: Person, taken: TakenTry): Promise<Changed> {
  return commitStep(deps, async (nowMs): Promise<Step<Person>> => {
    return { ok: true, value: person, pieces: [await forgiveTry(deps, taken, nowMs)] };
  });
}

/** The actor of the entry is the gate, because nobody proved to be the named person. */
async function recordWrong(
  deps: Deps,
  name: PersonName | undefined,
  taken: TakenTry,
  to: Message | string,
): Promise<void> {
  const { tries, waitMs } = taken;
  const subject = { person: name ?? "" };
  const entry = draft(deps.mint, { kind: "passphrase.wrong", actor: "leeway", subject, body: { to, tries, waitMs } });
  await commitStep(deps, async (nowMs) => {
    const counted = { do: "add" as const, counter: "passphrase:unknown", by: 1, untilMs: nowMs + 1 };
    const recorded: Piece = name === undefined ? { writes: [counted] } : { entries: [entry] };
    return { ok: true, value: undefined, pieces: [recorded, judgedPiece(taken, nowMs)] };
  });
}

const NOBODYS_HASH = `scrypt:32768:${"A".repeat(22)}==:${"A".repeat(43)}=`;

export async function listPeople(deps: Deps): Promise<readonly Person[]> {
  return (await deps.standing.current()).rows.people;
}

const PASSPHRASE_LENGTH_MIN = 8;

export function tooShort(passphrase: string): Refused | undefined {
  if ([...passphrase].length >= PASSPHRASE_LENGTH_MIN) return undefined;
  const hint = say("hint.characters_or_more", { count: PASSPHRASE_LENGTH_MIN });
  return refused("LEEWAY_BAD_INPUT", say("refusal.passphrase_short"), hint);
}

export function personAt(deps: Deps, name: PersonName): Promise<Versioned<"people"> | undefined> {
  return deps.store.read({ ask: "row", workspace: deps.workspace, table: "people", id: name });
}

export function nobody(name: PersonName): Refused {
  return refused("LEEWAY_NOT_FOUND", say("refusal.unknown_person", { person: name }), say("hint.people_list_shows"));
}

export function keptPerson(
  deps: Deps,
  held: Versioned<"people"> | undefined,
  made: Person,
  entry: { kind: EntryKind; by: PersonName; assurance?: Assurance; was?: JsonObject },
): Step<Person> {
  const { kind, by, assurance, was } = entry;
  const said = { ...(assurance === undefined ? {} : { assurance }), ...(was === undefined ? {} : { was }) };
  const row = withOwnMeans(held?.row, made);
  return {
    ok: true,
    value: row,
    pieces: [
      {
        needs: [unchanged("people", row.name, held?.version ?? 0)],
        writes: [put("people", row), { do: "turn" }],
        entries: [
          draft(deps.mint, {
            kind,
            actor: `person:${by}`,
            subject: { person: row.name },
            body: { ...standingOf(row), ...said },
            rows: [madeRow("people", row, held?.row)],
          }),
        ],
      },
    ],
  };
}

function standingOf({ admin, auditor, groups }: Person): JsonObject {
  return { admin, auditor, groups: [...groups] };
}
