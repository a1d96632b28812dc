import { put, unchanged } from "../core/change.ts";
import { type Refused, refused } from "../core/codes.ts";
import type { PersonName } from "../core/ids.ts";
import type { EntryKind } from "../core/ledger.ts";
import type { Person } from "../core/people.ts";
import type { Versioned } from "../core/rows.ts";
import { draft } from "../core/steps/draft.ts";
import { type Acting, actingAdmin, unsure } from "./acting.ts";
import { commitStep, type Step } from "./commit.ts";
import type { Deps } from "./deps.ts";
import { hashPassphrase, isPassphrase } from "./passphrase.ts";

/** `by` is the admin who adds them; the first person adds themself. */
export type NewPerson = Acting & {
  name: PersonName;
  admin?: boolean;
  auditor?: boolean;
  groups?: readonly string[];
  passphrase?: string;
};

type Changed = { ok: true; value: Person } | Refused;

/** The first person is an admin; everybody after that is added by one. */
export async function addPerson(deps: Deps, given: NewPerson): Promise<Changed> {
  const short = given.passphrase === undefined ? undefined : tooShort(given.passphrase);
  if (short !== undefined) return short;
  const passphrase = given.passphrase === undefined ? undefined : await hashPassphrase(given.passphrase);
  return commitStep(deps, async (nowMs): Promise<Step<Person>> => {
    const inForce = await deps.standing.current();
    const isFirst = inForce.rows.people.every((person) => person.state !== "active");
    const acting = isFirst ? undefined : actingAdmin(inForce, given.by, "add people");
    if (acting !== undefined && "code" in acting) return acting;
    const no = isFirst ? undefined : unsure(inForce, given);
    if (no !== undefined) return no;
    if (isFirst && given.auditor === true) {
      return refused("LEEWAY_BAD_INPUT", "the first person has to be able to decide", "add an admin first");
    }
    if (!/^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u.test(given.name)) {
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
    return kept(deps, held, row, { kind: "person.added", by: isFirst ? given.name : given.by });
  });
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
    const { passphrase: _, ...rest } = held.row;
    return kept(deps, held, { ...rest, state: "removed", atMs: nowMs }, { kind: "person.removed", by });
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
  return commitStep(deps, async (): Promise<Step<Person>> => {
    const held = await personAt(deps, name);
    if (held?.row.state !== "active") return nobody(name);
    const inForce = await deps.standing.current();
    if (given.by !== name) {
      const acting = actingAdmin(inForce, given.by, "set another person's passphrase");
      if ("code" in acting) return acting;
    }
    const no = unsure(inForce, given);
    if (no !== undefined) return no;
    return kept(deps, held, { ...held.row, passphrase }, { kind: "person.changed", by: given.by });
  });
}

/** Wrong, unknown and unset are told apart by nobody. */
export async function checkPassphrase(deps: Deps, name: PersonName, passphrase: string): Promise<Changed> {
  const held = await personAt(deps, name);
  const hashed = held?.row.state === "active" ? held.row.passphrase : undefined;
  // Hashing even for nobody keeps the time from telling who is known.
  const right = await isPassphrase(passphrase, hashed ?? NOBODYS_HASH);
  if (right && hashed !== undefined && held !== undefined) return { ok: true, value: held.row };
  return refused("LEEWAY_FORBIDDEN", "that is not the passphrase", "try again");
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

function personAt(deps: Deps, name: PersonName): Promise<Versioned<"people"> | undefined> {
  return deps.store.read({ ask: "row", workspace: deps.workspace, table: "people", id: name });
}

function nobody(name: PersonName): Refused {
  return refused("LEEWAY_NOT_FOUND", `${name} is not known here`, "`leeway people list` shows who is");
}

function kept(
  deps: Deps,
  held: Versioned<"people"> | undefined,
  row: Person,
  entry: { kind: EntryKind; by: PersonName },
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
            body: { admin, auditor, groups: [...groups] },
          }),
        ],
      },
    ],
  };
}
