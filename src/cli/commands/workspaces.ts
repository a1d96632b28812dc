import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isServerAddress } from "../../config/database-place.ts";
import { codeOf, prepareStateFolder, readSettings } from "../../config/environment.ts";
import { parsePolicyText } from "../../config/policy/policy-text.ts";
import { hasFolder, workspaceFolder, workspacePolicy, workspacesIn } from "../../config/workspace-folders.ts";
import { FIRST_WORKSPACE, isWorkspaceName } from "../../core/ids.ts";
import { PRESETS } from "../../core/policy.ts";
import { countsOf } from "../../gate/counts.ts";
import { addPerson } from "../../gate/people/people.ts";
import { type MachineAct, recordMachineAct } from "../../gate/standing/machine-acts.ts";
import { hasPeople, inPlace, inWorkspace, meantPlace, proveAdmin } from "../authority.ts";
import { Failure, orFail, usage } from "../failure.ts";
import { refuseServer, withDatabase } from "../gate/database.ts";
import { AS_OPTION, newPassphrase } from "../person.ts";
import { type CommandInput, type CommandSpec, first, oneOf, text } from "../spec.ts";
import { starterPolicy } from "../starter.ts";
import { fileText } from "../terminal/files.ts";
import type { Out } from "../terminal/io.ts";
import { table } from "../terminal/table.ts";
import { firstLine } from "./standing/people.ts";
import { loadedOrFail } from "./standing/policy.ts";

const list: CommandSpec = {
  name: "workspaces list",
  summary: "list the workspaces that a server of this machine serves, and how much each contains",
  examples: ["leeway workspaces list", "leeway workspaces list --json"],
  exits: [0, 1, 2],
  act: async (given) => {
    const found: Listed[] = [];
    for (const name of workspaceNames(given)) found.push(await listed(given, name));
    given.out.answer(found, () => listText(given.out, found));
    return 0;
  },
};

type Listed = { name: string; policy: string | null; people: number; pending: number; entries: number };

/** The first workspace, the one that the environment names, and those that have a folder. */
export function workspaceNames(given: CommandInput): readonly string[] {
  refuseServer(given);
  const { stateFolder, workspace } = readSettings(given.io.env);
  return [...new Set([FIRST_WORKSPACE, workspace, ...workspacesIn(stateFolder)])];
}

function listed(given: CommandInput, name: string): Promise<Listed> {
  const { stateFolder } = readSettings(given.io.env);
  return withDatabase(inWorkspace(given, name), async (deps) => {
    const { people } = (await deps.standing.current()).rows;
    const { pending, entries } = await countsOf(deps);
    const policy = hasFolder(stateFolder, name) ? workspacePolicy(stateFolder, name) : null;
    return { name, policy, people: people.filter(({ state }) => state === "active").length, pending, entries };
  });
}

function listText(out: Out, found: readonly Listed[]): string {
  const rows = found.map(({ name, policy, people, pending, entries }) => [
    name,
    String(people),
    String(pending),
    String(entries),
    policy ?? "as `leeway policy show` says",
  ]);
  return table(out, ["NAME", "PEOPLE", "PENDING", "ENTRIES", "POLICY"], rows);
}

const add: CommandSpec = {
  name: "workspaces add",
  summary: "add a workspace with its own people, agents, policy and record; a running server serves it at once",
  args: [["<name>", "its name in addresses and tokens: letters, digits, dots, dashes and underscores"]],
  options: [
    ["--admin <name>", "its first admin (default: you)"],
    ["--policy <file>", "begin with a copy of this policy file"],
    ["--preset <preset>", `begin with the starter policy: ${PRESETS.join(" | ")} (default: standard)`],
    ["--password-file <file>", "read the admin's passphrase from the first line of this file, instead of typing it"],
    AS_OPTION,
  ],
  examples: ["leeway workspaces add support", "leeway workspaces add support --admin ben --policy support.yaml"],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    const name = newName(given);
    const policy = policyFor(given);
    const by = await proved(given, `add the workspace ${name}`);
    const admin = text(given, "admin") ?? by;
    const inThere = inWorkspace(given, name);
    const isEmpty = !(await hasPeople(given, { ...meantPlace(given), workspace: name }));
    if (!isEmpty) refuseExisting(given, name);
    const passphrase = isEmpty ? await passphraseFor(given, admin) : undefined;
    const folder = makeFolder(given, name, policy);
    try {
      if (passphrase !== undefined) {
        const person = { name: admin, admin: true, passphrase, by, assurance: "tty" } as const;
        await withDatabase(inThere, async (deps) => orFail(await addPerson(deps, person)));
      }
      await recordHere(given, "workspace.added", { by, name, admin: isEmpty ? admin : null });
    } catch (error) {
      rmSync(folder, { recursive: true });
      throw error;
    }
    const file = workspacePolicy(readSettings(given.io.env).stateFolder, name);
    given.out.answer({ name, policy: file, admin: isEmpty ? admin : null }, () => addedText(name, file, isEmpty));
    return 0;
  },
};

/** Another machine may serve it. With another policy here, the same call would be decided differently on each machine. */
function refuseExisting(given: CommandInput, name: string): void {
  const ignored = ["admin", "passwordFile"].some((option) => text(given, option) !== undefined);
  if (ignored)
    throw usage(
      `the workspace ${name} exists already in the database, with its people`,
      "leave out --admin and --password-file; its own admins add people",
    );
  if (text(given, "policy") === undefined && text(given, "preset") === undefined)
    throw usage(
      `the workspace ${name} exists already in the database`,
      `copy the folder workspaces/${name} from the state folder of the machine that has it, or give the same policy with --policy`,
    );
}

function addedText(name: string, file: string, isNew: boolean): string {
  return [
    isNew
      ? `added the workspace ${name}; a server of this machine serves it under /w/${name}/`
      : `the workspace ${name} exists already in the database; from now on a server of this machine serves it, too, under /w/${name}/`,
    `its policy is ${file}`,
    `other commands use it with LEEWAY_WORKSPACE=${name}, for example \`LEEWAY_WORKSPACE=${name} leeway tokens add --agent coder\``,
  ].join("\n");
}

const remove: CommandSpec = {
  name: "workspaces remove",
  summary: "no longer serve a workspace; its record stays in the database, and its folder is kept elsewhere",
  args: [["<name>", "the workspace"]],
  options: [AS_OPTION],
  examples: ["leeway workspaces remove support"],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    const name = first(given);
    const { stateFolder } = settingsOf(given);
    if (name === FIRST_WORKSPACE)
      throw usage(`the workspace ${name} cannot be removed`, "it always exists; others can be removed");
    if (!isWorkspaceName(name) || !hasFolder(stateFolder, name))
      throw usage(`no workspace ${name} has a folder here`, "`leeway workspaces list` shows them");
    const by = await proved(given, `remove the workspace ${name}`);
    await recordHere(given, "workspace.removed", { by, name });
    const kept = join(stateFolder, "workspaces-removed");
    const to = join(kept, `${name}-${new Date(given.io.clock.nowMs()).toISOString().replaceAll(/[:.]/g, "-")}`);
    mkdirSync(kept, { recursive: true, mode: 0o700 });
    renameSync(workspaceFolder(stateFolder, name), to);
    given.out.answer({ name, kept: to }, () => removedText(given, name, to));
    return 0;
  },
};

/** A database file has one machine; PostgreSQL may have several. */
function removedText(given: CommandInput, name: string, to: string): string {
  const isShared = isServerAddress(settingsOf(given).db);
  const where = isShared ? " by this machine; other machines that have its folder still serve it" : "";
  return `the workspace ${name} is no longer served${where}; its folder is now ${to}`;
}

function settingsOf(given: CommandInput): ReturnType<typeof readSettings> {
  refuseServer(given);
  return readSettings(given.io.env);
}

function newName(given: CommandInput): string {
  const name = first(given);
  if (!isWorkspaceName(name))
    throw usage(`\`${name}\` is not a name`, "use letters, digits, dots, dashes and underscores");
  if (name === FIRST_WORKSPACE) throw usage(`the workspace ${name} always exists`, "choose another name");
  if (hasFolder(settingsOf(given).stateFolder, name))
    throw usage(`the workspace ${name} exists already`, "choose another name");
  return name;
}

/** Checked before anything is made: a workspace whose policy does not load denies everything. */
function policyFor(given: CommandInput): string {
  const file = text(given, "policy");
  const preset = text(given, "preset");
  if (file === undefined)
    return starterPolicy(oneOf(preset ?? "standard", PRESETS, "preset"), { isForWorkspace: true });
  if (preset !== undefined) throw usage("--policy and --preset cannot be used together", "give one of them");
  const content = fileText(file);
  const { home } = readSettings(given.io.env);
  loadedOrFail(parsePolicyText(content, file, { root: given.io.cwd, home }));
  return content;
}

/** Only an admin of the first workspace may change which others there are. */
async function proved(given: CommandInput, act: string): Promise<string> {
  const place = meantPlace(given);
  if (await hasPeople(given, place)) return proveAdmin(given, place, act);
  throw new Failure(5, `only an admin can ${act}, and nobody is set up yet`, "run `leeway init` first");
}

/** In the first workspace: its admins decide which others there are. */
function recordHere(
  given: CommandInput,
  kind: Extract<MachineAct, `workspace.${string}`>,
  { by, ...body }: { by: string; name: string; admin?: string | null },
): Promise<void> {
  return withDatabase(inPlace(given, meantPlace(given)), async (deps) => {
    orFail(await recordMachineAct(deps, kind, { by, assurance: "tty" }, body));
  });
}

function passphraseFor(given: CommandInput, admin: string): Promise<string> | string {
  const file = text(given, "passwordFile");
  return file === undefined ? newPassphrase(given.io, admin) : firstLine(fileText(file), file);
}

function makeFolder(given: CommandInput, name: string, policy: string): string {
  const { stateFolder } = settingsOf(given);
  const folder = workspaceFolder(stateFolder, name);
  prepareStateFolder(stateFolder);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(workspacePolicy(stateFolder, name), policy, { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw new Failure(1, `${folder} cannot be made (${codeOf(error)})`, "make its folder writable for you");
  }
  return folder;
}

export const workspaces: readonly CommandSpec[] = [list, add, remove];
