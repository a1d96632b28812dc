import { type Refused, refused } from "../../core/codes.ts";
import type { PersonName } from "../../core/ids.ts";
import { say } from "../../core/messages/message.ts";
import { type Account, makerOf, type Passkey, type Person } from "../../core/people.ts";
import { commitStep, type Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { type Acting, actingAdmin, actStep, type HeldStanding, handOfActing, unsure } from "./acting.ts";
import { keptPerson, nobody, personAt } from "./people.ts";

// What a person can sign in with besides the passphrase: passkeys, and accounts of an issuer.

type Changed = { ok: true; value: Person } | Refused;
const PASSKEYS_MAX = 20;

/** Only a person's own key: nobody can add a key for another person. */
export function addPasskey(deps: Deps, name: PersonName, passkey: Passkey, acting: Acting): Promise<Changed> {
  return changing(deps, name, acting, { own: true }, (person, inForce) => {
    const { people } = inForce.rows;
    const { passkeys = [] } = person;
    const maker = makerOf(person, acting);
    if (maker !== undefined) return notTheirOwn(maker);
    // The refusal does not say whose key it is.
    if (people.some((one) => one.name !== name && one.state === "active" && hasPasskey(one, passkey.id)))
      return refused("LEEWAY_BAD_INPUT", say("refusal.passkey_not_added"), say("hint.device_makes_another"));
    if (passkeys.length >= PASSKEYS_MAX)
      return refused("LEEWAY_BAD_INPUT", say("refusal.too_many_passkeys"), say("hint.remove_one"));
    return { ...person, passkeys: [...passkeys.filter(({ id }) => id !== passkey.id), passkey] };
  });
}

function notTheirOwn(maker: PersonName): Refused {
  const hint = say("hint.own_sign_in");
  return refused("LEEWAY_FORBIDDEN", say("refusal.made_by_other", { person: maker }), hint);
}

/** Removes a person's own key. An admin can remove any key, for example of a lost device. */
export function removePasskey(deps: Deps, name: PersonName, id: string, acting: Acting): Promise<Changed> {
  return changing(deps, name, acting, { own: false }, (person) => {
    const { passkeys = [] } = person;
    if (passkeys.every((one) => one.id !== id))
      return refused("LEEWAY_NOT_FOUND", say("refusal.no_passkey"), say("hint.list_them"));
    return { ...person, passkeys: passkeys.filter((one) => one.id !== id) };
  });
}

/**
 * Connects an account of an issuer with a person, so that they can sign in with it. An admin or the person does it. An
 * account belongs to one person.
 */
export function linkAccount(
  deps: Deps,
  name: PersonName,
  { issuer, subject }: Account,
  acting: Acting,
): Promise<Changed> {
  const account = { issuer, subject };
  return changing(
    deps,
    name,
    acting,
    { own: false, adminUnless: (person) => hasAccount(person, account) },
    (person, inForce) => {
      const { people } = inForce.rows;
      const held = people.find((one) => one.name !== name && one.state === "active" && hasAccount(one, account));
      if (held !== undefined)
        return refused(
          "LEEWAY_BAD_INPUT",
          say("refusal.account_taken", { person: held.name }),
          say("hint.choose_another"),
        );
      const others = (person.accounts ?? []).filter((one) => !isSame(one, account));
      const by = handOfActing(inForce, acting);
      return { ...person, accounts: [...others, { ...account, ...(by === name ? {} : { by }) }] };
    },
  );
}

export async function personWithPasskey(
  deps: Deps,
  id: string,
): Promise<{ person: Person; passkey: Passkey } | undefined> {
  for (const person of (await deps.standing.current()).rows.people) {
    const passkey = person.state === "active" ? person.passkeys?.find((one) => one.id === id) : undefined;
    if (passkey !== undefined) return { person, passkey };
  }
  return undefined;
}

export async function personWithAccount(
  deps: Deps,
  account: Account,
): Promise<{ person: Person; by?: PersonName } | undefined> {
  for (const person of (await deps.standing.current()).rows.people) {
    const found = person.state === "active" ? person.accounts?.find((one) => isSame(one, account)) : undefined;
    if (found !== undefined) return { person, ...(found.by === undefined ? {} : { by: found.by }) };
  }
  return undefined;
}

/** The counter of a device must increase. If it does not, the key was copied. */
export async function countUse(deps: Deps, name: PersonName, id: string, counter: number): Promise<Changed> {
  return commitStep(deps, async (): Promise<Step<Person>> => {
    const held = await personAt(deps, name);
    const passkey = held?.row.passkeys?.find((one) => one.id === id);
    if (held?.row.state !== "active" || passkey === undefined) return nobody(name);
    if (counter === 0 && passkey.counter === 0) return { ok: true, pieces: [], value: held.row };
    if (counter <= passkey.counter) {
      return refused("LEEWAY_FORBIDDEN", say("refusal.passkey_used_elsewhere"), say("hint.remove_and_add"));
    }
    const passkeys = (held.row.passkeys ?? []).map((one) => (one.id === id ? { ...one, counter } : one));
    return keptPerson(deps, held, { ...held.row, passkeys }, { kind: "person.changed", by: name });
  });
}

function hasPasskey({ passkeys = [] }: Person, id: string): boolean {
  return passkeys.some((one) => one.id === id);
}

function hasAccount({ accounts = [] }: Person, account: Account): boolean {
  return accounts.some((one) => isSame(one, account));
}

function isSame(a: Account, b: Account): boolean {
  return a.issuer === b.issuer && a.subject === b.subject;
}

/** `adminUnless`: only an admin may do it, also for their own name, unless this is true. */
type Whose = { own: boolean; adminUnless?: (person: Person) => boolean };

function changing(
  deps: Deps,
  name: PersonName,
  acting: Acting,
  whose: Whose,
  change: (person: Person, inForce: HeldStanding) => Person | Refused,
): Promise<Changed> {
  return actStep(deps, async (_, inForce): Promise<Step<Person>> => {
    if (acting.by !== name && whose.own)
      return refused("LEEWAY_FORBIDDEN", say("refusal.somebody_else"), say("hint.do_as_yourself"));
    const held = await personAt(deps, name);
    if (held?.row.state !== "active") return nobody(name);
    if (acting.by !== name || whose.adminUnless?.(held.row) === false) {
      const admin = actingAdmin(inForce, acting.by, say("act.change_sign_in"));
      if ("code" in admin) return admin;
    }
    const no = unsure(inForce, acting);
    if (no !== undefined) return no;
    const changed = change(held.row, inForce);
    if ("code" in changed) return changed;
    return keptPerson(deps, held, changed, { kind: "person.changed", by: acting.by });
  });
}
