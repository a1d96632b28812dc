import { put, unchanged } from "../core/change.ts";
import { type Refused, refused } from "../core/codes.ts";
import type { PersonName } from "../core/ids.ts";
import type { EntryKind } from "../core/ledger.ts";
import type { Person } from "../core/people.ts";
import type { Assurance } from "../core/policy.ts";
import { madeRow } from "../core/record/row-hash.ts";
import type { Versioned } from "../core/rows.ts";
import { draft } from "../core/steps/draft.ts";
import { type Acting, actingAdmin, unsure } from "./acting.ts";
import { commitStep, type Step } from "./commit.ts";
import type { Deps } from "./deps.ts";
import { hashPassphrase, isPassphrase } from "./passphrase.ts";
import type { InForce } from "./standing.ts";
import { forgetTries, type Try, takeTry } from "./tries.ts";

/** There from the beginning; its admins begin the others. */
export const WORKSPACE_FIRST = "default";

/**
 * `by` is the admin who adds them. The first person adds themself; the first of a further workspace is added by an admin
 * of the default one.
 */
export type NewPerson = Acting & {
  name: PersonName;
  admin?: boolean;
  auditor?: boolean;
  groups?: readonly string[];
  passphrase?: string;
};

type Changed = { ok: true; value: Person } | Refused;

const PERSON_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u;

/** The first person is an admin; everybody after that is added by one. */
export async function addPerson(deps: Deps, given: NewPerson): Promise<Changed> {
  const short = given.passphrase === undefined ? undefined : tooShort(given.passphrase);
  if (short !== undefined) return short;
  const passphrase = given.passphrase === undefined ? undefined : await hashPassphrase(given.passphrase);
  return commitStep(deps, async (nowMs): Promise<Step<Person>> => {
    const inForce = await deps.standing.current();
    const isFirst = inForce.rows.people.every((person) => person.state !== "active");
    const no = isFirst ? await mayBegin(deps, given) : mayAdd(inForce, given);
    if (no !== undefined) return no;
    if (isFirst && given.auditor === true) {
      return refused("LEEWAY_BAD_INPUT", "the first person has to be able to decide", "add an admin first");
    }
    if (!PERSON_NAME.test(given.name)) {
      return refused("LEEWAY_BAD_INPUT", `${given.name} is not a name`, "use letters, digits, dots and dashes");
    }
    const held = await personAt(deps, given.name);
    if (held?.row.state === "active") {
      return refused("LEEWAY_BAD_INPUT", `${given.name} is known already`, "choose another name");
    }
    const row: Person = {
      name: given.name,
      workspace: deps.workspace,
      admin: isFirst || (given.admin ?? false),
      auditor: given.auditor ?? false,
      groups: given.groups ?? [],
      ...(passphrase === undefined ? {} : { passphrase }),
      addedMs: nowMs,
      state: "active",
    };
    return keptPerson(deps, held, row, {
      kind: "person.added",
      by: isFirst && deps.workspace === WORKSPACE_FIRST ? given.name : given.by,
      assurance: given.assurance,
    });
  });
}

function mayAdd(inForce: InForce, given: Acting): Refused | undefined {
  const acting = actingAdmin(inForce, given.by, "add people");
  return "code" in acting ? acting : unsure(inForce, given);
}

/** Whoever chooses a name for a workspace must not become its admin for it, where there are people to ask. */
async function mayBegin(deps: Deps, given: NewPerson): Promise<Refused | undefined> {
  if (deps.workspace === WORKSPACE_FIRST) return undefined;
  const outer = await deps.store.read({ ask: "standing", workspace: WORKSPACE_FIRST });
  const active = outer?.people.filter((person) => person.state === "active") ?? [];
  if (active.length === 0) return undefined;
  const isAdmin = active.some((person) => person.name === given.by && person.admin);
  if (isAdmin && given.assurance !== "process") return undefined;
  return refused(
    "LEEWAY_FORBIDDEN",
    `an admin of the workspace ${WORKSPACE_FIRST} begins another one`,
    "let one of them run `leeway init` in a terminal",
  );
}

/** They answer no more; what they did stays in the record. */
export async function removePerson(deps: Deps, name: PersonName, acted: Acting): Promise<Changed> {
  const { by } = acted;
  return commitStep(deps, async (nowMs): Promise<Step<Person>> => {
    const inForce = await deps.standing.current();
    const acting = actingAdmin(inForce, by, "remove people");
    if ("code" in acting) return acting;
    const held = await personAt(deps, name);
    if (held?.row.state !== "active") return nobody(name);
    const admins = inForce.rows.people.filter((person) => person.state === "active" && person.admin);
    if (held.row.admin && admins.length === 1) {
      return refused("LEEWAY_FORBIDDEN", `${name} is the last admin`, "make somebody else an admin first");
    }
    const no = unsure(inForce, acted);
    if (no !== undefined) return no;
    const { passphrase: _, passkeys: _keys, accounts: _accounts, ...rest } = held.row;
    return keptPerson(deps, held, { ...rest, state: "removed", atMs: nowMs }, { kind: "person.removed", by });
  });
}

/** One's own passphrase, or anybody's for an admin. */
export async function setPassphrase(
  deps: Deps,
  name: PersonName,
  given: Acting & { passphrase: string },
): Promise<Changed> {
  const short = tooShort(given.passphrase);
  if (short !== undefined) return short;
  const passphrase = await hashPassphrase(given.passphrase);
  return commitStep(deps, async (nowMs): Promise<Step<Person>> => {
    const held = await personAt(deps, name);
    if (held?.row.state !== "active") return nobody(name);
    const inForce = await deps.standing.current();
    if (given.by !== name) {
      const acting = actingAdmin(inForce, given.by, "set another person's passphrase");
      if ("code" in acting) return acting;
    }
    const no = unsure(inForce, given);
    if (no !== undefined) return no;
    const changed = keptPerson(deps, held, { ...held.row, passphrase }, { kind: "person.changed", by: given.by });
    return changed.ok ? { ...changed, pieces: [...changed.pieces, await forgetTries(deps, name, nowMs)] } : changed;
  });
}

/** Wrong, unknown and unset are told apart by nobody. `to` is what the passphrase was asked for, for the record. */
export async function checkPassphrase(
  deps: Deps,
  name: PersonName,
  passphrase: string,
  { to }: { to: string },
): Promise<Changed> {
  // Names that nobody can have are counted as one: a stranger could else fill the store with what they type.
  const taken = await takeTry(deps, PERSON_NAME.test(name) ? name : "-");
  if (!taken.ok) return taken;
  const held = await personAt(deps, name);
  const hashed = held?.row.state === "active" ? held.row.passphrase : undefined;
  // Hashing even for nobody keeps the time from telling who is known.
  const right = await isPassphrase(passphrase, hashed ?? NOBODYS_HASH);
  if (right && hashed !== undefined && held !== undefined) return proved(deps, held.row);
  // Names that nobody has are whatever somebody types: they are counted, and fill no ledger.
  if (held?.row.state === "active") await recordWrong(deps, name, { to, ...taken.value });
  return refused("LEEWAY_FORBIDDEN", "that is not the passphrase", "try again");
}

function proved(deps: Deps, person: Person): Promise<Changed> {
  return commitStep(deps, async (nowMs): Promise<Step<Person>> => {
    return { ok: true, value: person, pieces: [await forgetTries(deps, person.name, nowMs)] };
  });
}

/** The gate is who acts: nobody proved to be the person who is named. */
async function recordWrong(deps: Deps, name: PersonName, wrong: Try & { to: string }): Promise<void> {
  const { to, tries, waitMs } = wrong;
  const entry = draft(deps.mint, {
    kind: "passphrase.wrong",
    actor: "leeway",
    subject: { person: name },
    body: { to, tries, waitMs },
  });
  await commitStep(deps, async () => ({ ok: true, value: undefined, pieces: [{ entries: [entry] }] }));
}

const NOBODYS_HASH = `scrypt:32768:${"A".repeat(22)}==:${"A".repeat(43)}=`;

export async function listPeople(deps: Deps): Promise<readonly Person[]> {
  return (await deps.standing.current()).rows.people;
}

const PASSPHRASE_LENGTH_MIN = 8;

function tooShort(passphrase: string): Refused | undefined {
  if ([...passphrase].length >= PASSPHRASE_LENGTH_MIN) return undefined;
  const hint = `use ${PASSPHRASE_LENGTH_MIN} characters or more`;
  return refused("LEEWAY_BAD_INPUT", "the passphrase is too short", hint);
}

export function personAt(deps: Deps, name: PersonName): Promise<Versioned<"people"> | undefined> {
  return deps.store.read({ ask: "row", workspace: deps.workspace, table: "people", id: name });
}

export function nobody(name: PersonName): Refused {
  return refused("LEEWAY_NOT_FOUND", `${name} is not known here`, "`leeway people list` shows who is");
}

export function keptPerson(
  deps: Deps,
  held: Versioned<"people"> | undefined,
  row: Person,
  entry: { kind: EntryKind; by: PersonName; assurance?: Assurance },
): Step<Person> {
  const { admin, auditor, groups } = row;
  return {
    ok: true,
    value: row,
    pieces: [
      {
        needs: [unchanged("people", row.name, held?.version ?? 0)],
        writes: [put("people", row), { do: "turn" }],
        entries: [
          draft(deps.mint, {
            kind: entry.kind,
            actor: `person:${entry.by}`,
            subject: { person: row.name },
            body: {
              admin,
              auditor,
              groups: [...groups],
              ...(entry.assurance === undefined ? {} : { assurance: entry.assurance }),
            },
            rows: [madeRow("people", row, held?.row)],
          }),
        ],
      },
    ],
  };
}
