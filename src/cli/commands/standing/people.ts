import { announcedServer, stateFolderOf } from "../../../config/server-file.ts";
import { FIRST_WORKSPACE } from "../../../core/ids.ts";
import { nameText } from "../../../core/letters/name-text.ts";
import { inOrAgo } from "../../../core/show/when.ts";
import { visible } from "../../../core/values/text.ts";
import { linkAccount } from "../../../gate/people/credentials.ts";
import { invite as inviteStep } from "../../../gate/people/invitations.ts";
import { addPerson, changePerson, type RoleChange, removePerson, setPassphrase } from "../../../gate/people/people.ts";
import { isLoopbackHost } from "../../../http/connection/listening.ts";
import { namesOf } from "../../../http/connection/names.ts";
import { baseOf } from "../../../http/workspaces.ts";
import { leaveOf } from "../../authority.ts";
import { Failure, orFail, usage } from "../../failure.ts";
import type { PersonListed } from "../../gate/command-gate.ts";
import { type OpenedGate, withDatabase } from "../../gate/database.ts";
import { withGate } from "../../gate/with-gate.ts";
import { AS_OPTION, newPassphrase, prove } from "../../person.ts";
import { type CommandInput, type CommandSpec, first, flag, needed, oneOf, text } from "../../spec.ts";
import { fileText } from "../../terminal/files.ts";
import { hasPerson, type Out } from "../../terminal/io.ts";
import { table } from "../../terminal/table.ts";

const list: CommandSpec = {
  name: "people list",
  summary: "list the people who can answer, and their roles",
  examples: ["leeway people list"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (gate) => {
      const people = await gate.people();
      given.out.answer(people, () => peopleText(given.out, people, gate.nowMs()));
      return 0;
    }),
};

/** The passphrase column appears only if the gate tells whether people have one; a server does not. */
function peopleText(out: Out, people: readonly PersonListed[], nowMs: number): string {
  if (people.length === 0) return "Nobody is set up yet. Run `leeway init` to become the first person.";
  const tells = people.some(({ hasPassphrase }) => hasPassphrase !== undefined);
  const rows = people.map((person) => [
    visible(person.name),
    person.state === "removed" ? "removed" : roleOf(person),
    person.groups.map(visible).join(", ") || "-",
    ...(tells ? [person.hasPassphrase === true ? "set" : "none"] : []),
    inOrAgo(person.addedMs, nowMs),
  ]);
  return table(out, ["NAME", "ROLE", "GROUPS", ...(tells ? ["PASSPHRASE"] : []), "ADDED"], rows);
}

function roleOf({ admin, auditor }: { admin: boolean; auditor: boolean }): string {
  return admin ? "admin" : auditor ? "auditor" : "reviewer";
}

const add: CommandSpec = {
  name: "people add",
  summary: "add a person who can answer questions",
  args: [["<name>", "the name that policies and the record use for this person"]],
  options: [
    ["--admin", "this person may also change people, policy, grants and agents"],
    ["--auditor", "this person can read everything, but cannot answer"],
    ["--group <names>", "groups, separated by commas"],
    ["--password-file <file>", "read their passphrase from the first line of this file, instead of typing it"],
    AS_OPTION,
  ],
  examples: ["leeway people add ben", "leeway people add cleo --admin --group leads --password-file cleo.txt"],
  exits: [0, 1, 2, 5],
  page: "People",
  act: (given) =>
    withDatabase(given, async (deps) => {
      const name = first(given);
      if (!/^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u.test(name))
        throw usage(`\`${visible(name)}\` is not a valid name`, "use letters, digits, dots, dashes, underscores and @");
      if (flag(given, "admin") && flag(given, "auditor"))
        throw usage("a person cannot be both an admin and an auditor", "give --admin or --auditor, not both");
      const { by, assurance } = await adder(given, deps, name);
      const file = text(given, "passwordFile");
      const passphrase = file === undefined ? await newPassphrase(given.io, name) : firstLine(fileText(file), file);
      const added = orFail(
        await addPerson(deps, {
          name,
          admin: flag(given, "admin"),
          auditor: flag(given, "auditor"),
          groups: groupsOf(text(given, "group") ?? NONE),
          passphrase,
          by,
          assurance,
        }),
      );
      given.out.answer({ name: added.value.name, admin: added.value.admin }, () =>
        flag(given, "auditor")
          ? `added ${name}; they can read everything, and answer nothing`
          : `added ${name}; on this machine they answer with \`--as ${name}\``,
      );
      return 0;
    }),
};

/** Admins add people. The first admin adds themselves: at a terminal, or without one with the passphrase in a file. */
async function adder(
  given: CommandInput,
  deps: OpenedGate,
  name: string,
): Promise<{ by: string; assurance: "tty" | "process" }> {
  const { people: known } = (await deps.standing.current()).rows;
  const isFirst = known.every(({ state }) => state !== "active") && text(given, "passwordFile") !== undefined;
  if (!isFirst || hasPerson(given.io)) return { by: (await prove(given, deps, "add a person")).name, assurance: "tty" };
  return { by: await leaveOf(given, name), assurance: "process" };
}

/** The sign for "no groups", as in the list. */
const NONE = "-";

function groupsOf(names: string): readonly string[] {
  if (names === NONE) return [];
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

const ROLES = {
  admin: { admin: true, auditor: false },
  reviewer: { admin: false, auditor: false },
  auditor: { admin: false, auditor: true },
} as const;

const change: CommandSpec = {
  name: "people change",
  summary: "change the role and groups of a person; what you leave out stays as it is",
  args: [["<name>", "the person"]],
  options: [
    ["--role <role>", "admin, reviewer or auditor"],
    ["--group <names>", "the complete list of their groups, separated by commas (`-`: no groups)"],
    AS_OPTION,
  ],
  examples: [
    "leeway people change ben --role admin",
    "leeway people change cleo --role reviewer --group leads,finance",
  ],
  exits: [0, 1, 2, 5],
  page: "People",
  act: (given) =>
    withDatabase(given, async (deps) => {
      const name = first(given);
      const becoming = becomingOf(given);
      const { name: by } = await prove(given, deps, `change ${name}`);
      const { value } = orFail(await changePerson(deps, name, { ...becoming, by, assurance: "tty" }));
      const { admin, auditor, groups } = value;
      given.out.answer({ name, admin, auditor, groups }, () => {
        const among = groups.length === 0 ? "no group" : groups.map(visible).join(", ");
        return `${name} is ${roleOf(value)} now, in ${among}`;
      });
      return 0;
    }),
};

function becomingOf(given: CommandInput): RoleChange {
  const [role, groups] = [text(given, "role"), text(given, "group")];
  if (role === undefined && groups === undefined) throw usage("nothing to change", "give --role or --group, or both");
  return {
    ...(role === undefined ? {} : ROLES[oneOf(role, ["admin", "reviewer", "auditor"], "role")]),
    ...(groups === undefined ? {} : { groups: groupsOf(groups) }),
  };
}

const invite: CommandSpec = {
  name: "people invite",
  summary: "make a link with which a person chooses their own passphrase, once; adds the person if they are new",
  args: [["<name>", "the name that policies and the record use for this person"]],
  options: [
    ["--admin", "if the person is new: they may also change people, policy, grants and agents"],
    ["--auditor", "if the person is new: they can read everything, but cannot answer"],
    ["--group <names>", "if the person is new: their groups, separated by commas"],
    ["--url <url>", "the address of the server's pages (default: the server that runs on this machine)"],
    AS_OPTION,
  ],
  examples: ["leeway people invite ben", "leeway people invite cleo --group leads --url https://leeway.example.com"],
  exits: [0, 1, 2, 5],
  page: "People",
  act: (given) =>
    withDatabase(given, async (deps) => {
      const name = first(given);
      const site = siteOf(given, deps);
      const { name: by } = await prove(given, deps, `invite ${nameText(name)}`);
      const acting = { by, assurance: "tty" } as const;
      const { people } = (await deps.standing.current()).rows;
      if (!people.some((person) => person.name === name && person.state === "active")) {
        const groups = groupsOf(text(given, "group") ?? NONE);
        const [admin, auditor] = [flag(given, "admin"), flag(given, "auditor")];
        orFail(await addPerson(deps, { name, admin, auditor, groups, ...acting }));
      }
      const { token, text: secret } = orFail(await inviteStep(deps, name, acting)).value;
      const link = `${site}${deps.workspace === FIRST_WORKSPACE ? "" : baseOf(deps.workspace)}/join/${secret}`;
      given.out.answer({ name, link, untilMs: token.untilMs }, () => link);
      if (!given.out.json)
        given.out.note(`send this link to ${name}: it works once, within three days, and is not shown again`);
      return 0;
    }),
};

/** The address for the link: the server given with --url, else the pages of the server on this machine. */
function siteOf(given: CommandInput, deps: OpenedGate): string {
  const named = text(given, "url");
  const url = named ?? announcedServer(stateFolderOf(given.io.env))?.url;
  if (url === undefined)
    throw usage(
      "a link needs a server, and no server runs on this machine",
      "start one with `leeway up`, or give --url",
    );
  if (!/^https?:\/\/[^/]+\/?$/.test(url))
    throw usage(`--url ${visible(url)} is not the address of a server`, "write https://leeway.example.com");
  const { hostname, port } = new URL(url);
  if (named === undefined && isLoopbackHost(hostname)) {
    return namesOf(deps, { host: hostname, port: Number(port), apart: true }).origin;
  }
  return url.replace(/\/$/, "");
}

const remove: CommandSpec = {
  name: "people remove",
  summary: "remove a person: they can no longer answer; what they did stays in the record",
  args: [["<name>", "the person"]],
  options: [AS_OPTION],
  examples: ["leeway people remove ben"],
  exits: [0, 1, 2, 5],
  page: "People",
  act: (given) =>
    withDatabase(given, async (deps) => {
      const { name: by } = await prove(given, deps, "remove a person");
      const removed = orFail(await removePerson(deps, first(given), { by, assurance: "tty" }));
      given.out.answer({ name: removed.value.name, state: removed.value.state }, () => `removed ${removed.value.name}`);
      return 0;
    }),
};

const passphrase: CommandSpec = {
  name: "people passphrase",
  summary: "change a passphrase: your own, or as an admin that of another person",
  args: [["<name>", "the person whose passphrase it is"]],
  options: [
    ["--password-file <file>", "read the new passphrase from the first line of this file, instead of typing it"],
    AS_OPTION,
  ],
  examples: ["leeway people passphrase ana", "leeway people passphrase ben --as ana"],
  exits: [0, 1, 2, 5],
  page: "People",
  act: (given) =>
    withDatabase(given, async (deps) => {
      const name = first(given);
      const { people } = (await deps.standing.current()).rows;
      if (!people.some((person) => person.name === name && person.state === "active"))
        throw new Failure(1, `no person is named ${nameText(name)}`, "run `leeway people list` to see all people");
      const { name: by } = await prove(given, deps, `change the passphrase of ${name}`);
      const file = text(given, "passwordFile");
      const chosen = file === undefined ? await newPassphrase(given.io, name) : firstLine(fileText(file), file);
      const { value } = orFail(await setPassphrase(deps, name, { passphrase: chosen, by, assurance: "tty" }));
      const { passphraseBy } = value;
      const theirs = `; their approvals count as ${passphraseBy}'s until they accept an invitation or use a passkey of their own`;
      given.out.answer(
        { name, by, ...(passphraseBy === undefined ? {} : { passphraseBy }) },
        () => `${name} has a new passphrase${passphraseBy === undefined ? "" : theirs}`,
      );
      return 0;
    }),
};

const link: CommandSpec = {
  name: "people link",
  summary: "let a person sign in with an account of another service (OpenID Connect)",
  args: [["<name>", "the person"]],
  options: [
    ["--issuer <url>", "the address of the service that holds the account (its OpenID issuer)"],
    ["--subject <id>", "the id that the service uses for the person"],
    AS_OPTION,
  ],
  examples: ["leeway people link ana --issuer https://id.example.com --subject 4711"],
  exits: [0, 1, 2, 5],
  act: (given) =>
    withDatabase(given, async (deps) => {
      const name = first(given);
      const issuer = needed(given, "issuer", "copy it from the page that refused the account");
      const subject = needed(given, "subject", "copy it from the page that refused the account");
      const { name: by } = await prove(given, deps, `link an account with ${name}`);
      orFail(await linkAccount(deps, name, { issuer, subject }, { by, assurance: "tty" }));
      given.out.answer({ name, issuer, subject }, () => `${name} can now sign in with this account of ${issuer}`);
      return 0;
    }),
};

export const people = [list, add, invite, change, passphrase, link, remove];

export function firstLine(content: string, file: string): string {
  const line = content.split("\n")[0]?.trimEnd() ?? "";
  if (line === "") throw usage(`the first line of ${file} is empty`, "write the passphrase in the first line");
  return line;
}
