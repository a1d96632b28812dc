import { userInfo } from "node:os";
import type { Person } from "../core/people.ts";
import type { Deps } from "../gate/deps.ts";
import { checkPassphrase } from "../gate/people/people.ts";
import { Failure, failureOf, usage } from "./failure.ts";
import { hasPerson, type Io, namesServer } from "./io.ts";
import { hidden } from "./prompt.ts";
import { type Given, text } from "./spec.ts";

/** Somebody at a real terminal who knew their passphrase. */
type Proven = { name: string };

const TRIES_MAX = 3;

/** Every act of a person goes through here: an agent without a terminal, or without the passphrase, changes nothing. */
export async function prove(given: Given, deps: Deps, act: string): Promise<Proven> {
  const { io } = given;
  needTerminal(io, act);
  const person = await personAt(deps, text(given, "as"));
  return hidden(io, async (ask) => {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const passphrase = await ask(`passphrase of ${person.name}, to ${act}`);
      const checked = await checkPassphrase(deps, person.name, passphrase, { to: act });
      if (checked.ok) return { name: person.name };
      if (checked.code === "LEEWAY_LOCKED") throw failureOf(checked);
      io.stderr.write("that is not the passphrase\n");
    }
    throw new Failure(
      5,
      `${TRIES_MAX} wrong passphrases`,
      "nothing was changed; an admin can set a new one with `leeway people passphrase`",
    );
  });
}

export function needTerminal(io: Io, act: string): void {
  if (hasPerson(io)) return;
  throw new Failure(
    5,
    `to ${act} takes a person at a terminal, and this is not one`,
    "run the command yourself in a terminal; nothing was changed",
  );
}

/** Somebody can prove who they are: at a terminal, or by the token where a server is named. */
export function needActor(io: Io, act: string): void {
  if (!namesServer(io)) needTerminal(io, act);
}

/** Whom the command line takes the person at the keyboard for, before they proved it. */
export async function personAt(deps: Deps, named: string | undefined): Promise<Person> {
  const { people } = (await deps.standing.current()).rows;
  const active = people.filter((person) => person.state === "active");
  if (active.length === 0) throw new Failure(1, "nobody is set up yet", "run `leeway init` in a terminal first");
  const found = await personIfAny(deps, named);
  if (found !== undefined) return found;
  const names = active.map((person) => person.name).join(", ");
  throw usage(`there is no person called ${named ?? systemName()}`, `say who you are with --as: ${names}`);
}

/** The one who was named, else the one with the account's name, else the only one there is. */
export async function personIfAny(deps: Deps, named: string | undefined): Promise<Person | undefined> {
  const { people } = (await deps.standing.current()).rows;
  const active = people.filter((person) => person.state === "active");
  const wanted = named ?? systemName();
  const only = named === undefined && active.length === 1 ? active[0] : undefined;
  return active.find((person) => person.name === wanted) ?? only;
}

/** The account's own name: the environment is not asked, because anybody can write there. */
export function systemName(): string {
  return userInfo().username;
}

export const AS_OPTION = ["--as <name>", "who you are, if not the account you are signed in with"] as const;

const LENGTH_MIN = 8;

/** Asked twice, because nobody sees what they type. */
export async function newPassphrase(io: Io, name: string): Promise<string> {
  return hidden(io, async (ask) => {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const once = await ask(`a passphrase for ${name} (${LENGTH_MIN} characters or more)`);
      if ([...once].length < LENGTH_MIN) {
        io.stderr.write(`that has fewer than ${LENGTH_MIN} characters\n`);
        continue;
      }
      if ((await ask("the same again")) === once) return once;
      io.stderr.write("the two differ\n");
    }
    throw new Failure(1, "no passphrase was chosen", "nothing was changed; run the command again");
  });
}
