import { userInfo } from "node:os";
import type { Person } from "../core/people.ts";
import type { Deps } from "../gate/deps.ts";
import { checkPassphrase } from "../gate/people/people.ts";
import { Failure, failureOf, usage } from "./failure.ts";
import { type CommandInput, text } from "./spec.ts";
import { hasPerson, type Io, namesServer } from "./terminal/io.ts";
import { hidden } from "./terminal/prompt.ts";

/** A person at a real terminal who gave their passphrase. */
type Proven = { name: string };

const TRIES_MAX = 3;

/**
 * Every act of a person goes through here: without a terminal or without the passphrase, an agent can change nothing.
 */
export async function prove(given: CommandInput, deps: Deps, act: string): Promise<Proven> {
  const { io } = given;
  needTerminal(io, act);
  const person = await personAt(deps, text(given, "as"));
  return hidden(io, async (ask) => {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const passphrase = await ask(`passphrase of ${person.name}, to ${act}`);
      const checked = await checkPassphrase(deps, person.name, passphrase, { to: act });
      if (checked.ok) return { name: person.name };
      if (checked.code === "LEEWAY_LOCKED") throw failureOf(checked);
      const left = TRIES_MAX - tries - 1;
      if (left > 0) io.stderr.write(`${wrongPassphraseText(person.name, left)}\n`);
    }
    throw new Failure(
      5,
      `${TRIES_MAX} wrong passphrases`,
      "nothing was changed; an admin can set a new passphrase with `leeway people passphrase`",
    );
  });
}

/** What a person can do after a wrong passphrase. */
export function wrongPassphraseText(name: string, left: number): string {
  return `wrong passphrase for ${name}: try again (${left === 1 ? "1 try" : `${left} tries`} left), or press Ctrl-C to leave; nothing has changed`;
}

export function needTerminal(io: Io, act: string): void {
  if (hasPerson(io)) return;
  throw new Failure(
    5,
    `a person at a terminal is needed to ${act}, and this is not a terminal`,
    "run the command yourself in a terminal; nothing was changed",
  );
}

/** A person can prove who they are: at a terminal, or with the token if a server is named. */
export function needActor(io: Io, act: string): void {
  if (!namesServer(io)) needTerminal(io, act);
}

/** The person whom the command line assumes at the keyboard, before they have proved it. */
export async function personAt(deps: Deps, named: string | undefined): Promise<Person> {
  const { people } = (await deps.standing.current()).rows;
  const active = people.filter((person) => person.state === "active");
  if (active.length === 0) throw new Failure(1, "nobody is set up yet", "run `leeway init` in a terminal first");
  const found = await personIfAny(deps, named);
  if (found !== undefined) return found;
  const names = active.map((person) => person.name).join(", ");
  throw usage(`no person is named ${named ?? systemName()}`, `give your name with --as: ${names}`);
}

/** The person named with --as, else the one with the account's name, else the only person. */
export async function personIfAny(deps: Deps, named: string | undefined): Promise<Person | undefined> {
  const { people } = (await deps.standing.current()).rows;
  const active = people.filter((person) => person.state === "active");
  const wanted = named ?? systemName();
  const only = named === undefined && active.length === 1 ? active[0] : undefined;
  return active.find((person) => person.name === wanted) ?? only;
}

/** The name of the system account. The environment is not used, because any program can set it. */
export function systemName(): string {
  return userInfo().username;
}

export const AS_OPTION = ["--as <name>", "your name, if it is not the name of your system account"] as const;

const LENGTH_MIN = 8;

/** Asked twice, because the input is not shown. */
export async function newPassphrase(io: Io, name: string): Promise<string> {
  return hidden(io, async (ask) => {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const once = await ask(`a passphrase for ${name} (${LENGTH_MIN} characters or more)`);
      if ([...once].length < LENGTH_MIN) {
        io.stderr.write(`the passphrase needs at least ${LENGTH_MIN} characters\n`);
        continue;
      }
      if ((await ask("the same passphrase again")) === once) return once;
      io.stderr.write("the two passphrases are different\n");
    }
    throw new Failure(1, "no passphrase was chosen", "nothing was changed; run the command again");
  });
}
