import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isServerAddress, shownDatabase } from "../../config/database-place.ts";
import { readSettings } from "../../config/environment.ts";
import { PRESETS } from "../../core/policy.ts";
import type { Grant } from "../../core/standing/grant.ts";
import { visible } from "../../core/values/text.ts";
import { addPerson } from "../../gate/people/people.ts";
import { listAgents, setOwner } from "../../gate/standing/agents.ts";
import { acceptPolicy } from "../../gate/standing/policy.ts";
import { leaveOf } from "../authority.ts";
import { Failure, orFail, usage } from "../failure.ts";
import { type OpenedGate, withDatabase } from "../gate/database.ts";
import {
  type HostChange,
  installHost,
  isMcpMissing,
  MCP,
  noServersText,
  refuseUnknownHosts,
  removeHost,
  SET_UP,
} from "../host-setup.ts";
import { compileInBackground } from "../make-compiled.ts";
import { AS_OPTION, needTerminal, newPassphrase, prove, systemName } from "../person.ts";
import { type CommandInput, type CommandSpec, flag, oneOf, text } from "../spec.ts";
import { starterPolicy } from "../starter.ts";
import { fileText, placeOf, refuseUnwritable } from "../terminal/files.ts";
import { hasPerson, type Io, namesServer, type Out, widthOf } from "../terminal/io.ts";
import { askYesNo } from "../terminal/prompt.ts";
import { wrap, wrapBelow } from "../terminal/table.ts";
import { trustIfWanted } from "../trust-project.ts";
import { passesText } from "../views/grant-view.ts";
import { answeredTexts, installedText, removedText } from "../views/host-view.ts";
import { firstLine } from "./standing/people.ts";
import { changeText, loadedOrFail } from "./standing/policy.ts";

export const init: CommandSpec = {
  name: "init",
  summary: "set up: you as the first admin, a passphrase, a policy for this project, and the hook of an agent program",
  args: [
    [
      "[host...]",
      `what to put Leeway in front of: ${SET_UP.join(", ")} (the MCP servers in the settings of MCP clients)`,
    ],
  ],
  options: [
    ["--name <name>", "who you are (default: your account's name)"],
    ["--preset <preset>", `${PRESETS.join(" | ")} (default: standard)`],
    ["--password-file <file>", "read your passphrase from the first line of this file, instead of typing it"],
    ["--yes", "do not ask before writing"],
    [
      "--trust-project",
      "if no box can be made here: let agents run this project's own code for 7 days without a question",
    ],
    [
      "--user",
      "install the hook for all projects of this user, not only for this one; mcp: leave the project's files alone",
    ],
    ["--dry-run", "show everything that would be set up, written or removed, and change nothing"],
    ["--undo", "remove the policy file that init wrote; with a host: take its hook out again"],
    AS_OPTION,
  ],
  examples: [
    "leeway init",
    "leeway init claude-code",
    "leeway init claude-code --dry-run",
    "leeway init claude-code --undo",
    "leeway init mcp",
    "leeway init --yes --name ana --preset conservative --password-file passphrase.txt",
    "leeway init --undo",
  ],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    refuseUnknownHosts(given.args);
    if (flag(given, "undo")) return given.args.length === 0 ? undo(given) : removeHosts(given);
    if (flag(given, "dryRun")) return showOnly(given);
    const code = await (given.args.length === 0 ? setUp(given) : setUpHosts(given));
    compileInBackground();
    return code;
  },
};

/** First the gate itself, if it is not set up yet; then each host. */
async function setUpHosts(given: CommandInput): Promise<number> {
  const quiet: CommandInput = { ...given, out: { ...given.out, answer: () => undefined } };
  const server = await serverOf(given);
  if (server === undefined) await setUp(quiet);
  const hosts: HostChange[] = [];
  for (const host of given.args) hosts.push(...(await installHost(given, host)));
  if (given.args.includes(MCP)) await (await import("../mcp/pin-listed.ts")).pinListed(given);
  const said = () => [...hosts.map(installedText), ...answeredTexts(given, hosts, server)].join("\n");
  given.out.answer({ hosts }, said);
  return 0;
}

/** The address of the server that decides for the hooks, if one is named. Then nothing is set up on this machine. */
async function serverOf(given: CommandInput): Promise<string | undefined> {
  if (!namesServer(given.io) || given.args.length === 0) return undefined;
  const { decidingServer } = await import("../gate/agent-token.ts");
  return decidingServer(given);
}

/** `--dry-run`: shows the set-up that is missing and the change of each host, and makes nothing, not even a database. */
async function showOnly(given: CommandInput): Promise<number> {
  if ((await serverOf(given)) !== undefined) return showHosts(given, []);
  const plan = await planWithoutWriting(given);
  if (isUnfinished(plan)) given.out.note(planText(given.io, plan, "Leeway would set up:"));
  if (given.args.length > 0) return showHosts(given, isUnfinished(plan) ? [] : [`${plan.file} is accepted already.`]);
  const setUp = { policy: plan.file, wrotePolicy: false, firstPerson: null, accepted: !plan.accept, changed: false };
  const said = [...(isUnfinished(plan) ? [] : [`Everything is set up already: ${plan.file} is accepted.`]), DRY_RUN];
  given.out.answer(setUp, () => said.join("\n"));
  return 0;
}

const DRY_RUN = "This was a dry run: nothing was changed.";

async function showHosts(given: CommandInput, said: readonly string[]): Promise<number> {
  const hosts: HostChange[] = [];
  for (const host of given.args) hosts.push(...(await installHost(given, host)));
  const none = isMcpMissing(given.args, hosts) ? [noServersText(given)] : [];
  given.out.answer({ hosts }, () => [...said, ...hosts.map(installedText), ...none, DRY_RUN].join("\n"));
  return 0;
}

/** To open a database is to make one, so on a machine without one the plan is made with a temporary one. */
async function planWithoutWriting(given: CommandInput): Promise<Plan> {
  const { db } = readSettings(given.io.env);
  // A server's database exists already, and only the tables of Leeway are made in it.
  if (isServerAddress(db) || existsSync(db))
    return withDatabase(given, (deps) => planOf(given, deps), { mayBeNew: true });
  const folder = mkdtempSync(join(tmpdir(), "leeway-dry-run-"));
  try {
    const env = { ...given.io.env, XDG_STATE_HOME: folder, LEEWAY_DB: "" };
    return await withDatabase({ ...given, io: { ...given.io, env } }, (deps) => planOf(given, deps), {
      mayBeNew: true,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function removeHosts(given: CommandInput): Promise<number> {
  const hosts: HostChange[] = [];
  for (const host of given.args) hosts.push(...(await removeHost(given, host)));
  given.out.answer({ hosts }, () => hosts.map(removedText).join("\n"));
  return 0;
}

/** What init still has to do. A second run finds nothing to do and changes nothing. */
/** `found`: the policy that is there already, as it will be accepted. */
type Plan = {
  file: string;
  write?: string;
  found?: { text: string; version: string };
  firstPerson?: string;
  accept: boolean;
  admins: readonly string[];
};

function isUnfinished({ write, firstPerson, accept }: Plan): boolean {
  return write !== undefined || firstPerson !== undefined || accept;
}

async function setUp(given: CommandInput): Promise<number> {
  const plan = await withDatabase(given, (deps) => planOf(given, deps), { mayBeNew: true });
  if (!isUnfinished(plan)) {
    given.out.answer(
      { ...resultOf(plan), changed: false },
      () =>
        `Everything is set up: ${plan.file} is accepted, ${plan.admins.join(", ")} can answer questions. Run \`leeway status\` for details.`,
    );
    return 0;
  }
  if (plan.write !== undefined) refuseUnwritable(plan.file);
  if (plan.firstPerson !== undefined) refuseWithoutPassphrase(given);
  if (plan.accept && plan.firstPerson === undefined) needTerminal(given.io, `accept ${plan.file}`);
  given.out.note(planText(given.io, plan, "Leeway will set up:"));
  await consent(given);
  const adopted = plan.firstPerson === undefined ? [] : await welcome(given, plan.firstPerson);
  if (plan.write !== undefined) writeFileSync(plan.file, plan.write, { flag: "wx" });
  // Opened again, so that the gate sees the new file.
  let accepted = !plan.accept;
  const trusted = await withDatabase(given, async (deps) => {
    const by = plan.accept ? await accept(given, deps, plan) : plan.firstPerson;
    accepted = true;
    return by === undefined ? undefined : trustIfWanted(given, deps, by);
  }).catch((error: unknown) => {
    // Whoever did not accept the policy did not want the file.
    if (plan.write !== undefined && !accepted) rmSync(plan.file);
    throw error;
  });
  const result = {
    ...resultOf(plan),
    adopted,
    ...(trusted === undefined ? {} : { trusted: trusted.id }),
    changed: true,
  };
  given.out.answer(result, () => doneText(given.out, plan, adopted, trusted));
  return 0;
}

async function planOf(given: CommandInput, deps: OpenedGate): Promise<Plan> {
  const preset = oneOf(text(given, "preset") ?? "standard", PRESETS, "preset");
  const settings = readSettings(given.io.env);
  if (settings.policy !== undefined)
    throw usage("LEEWAY_POLICY is set, so the policy files of projects are not used", "unset it to set up a project");
  const { rows } = await deps.standing.current();
  const own = deps.policies.current().files.findLast(({ path }) => path !== settings.userPolicy);
  const file = own?.path ?? join(given.io.cwd, "leeway.yaml");
  if (own !== undefined && !own.loaded.ok)
    throw new Failure(
      1,
      `${file} has errors and cannot be loaded`,
      "run `leeway policy check` to see the errors, and fix them first",
    );
  const version = own?.loaded.ok === true ? own.loaded.policy.version : undefined;
  const accepted = rows.policies.some(
    (row) => row.state === "accepted" && row.path === file && row.version === version,
  );
  const nobody = !rows.people.some((person) => person.state === "active");
  const isFound = own !== undefined && version !== undefined && !accepted;
  return {
    file,
    ...(isFound ? { found: { text: await changeText(given, deps, own), version } } : {}),
    ...(own === undefined ? { write: starterPolicy(preset) } : {}),
    ...(nobody ? { firstPerson: text(given, "name") ?? systemName() } : {}),
    accept: !accepted,
    admins: rows.people.flatMap(({ state, admin, name }) => (state === "active" && admin ? [name] : [])),
  };
}

function resultOf(plan: Plan) {
  return {
    policy: plan.file,
    wrotePolicy: plan.write !== undefined,
    firstPerson: plan.firstPerson ?? null,
    accepted: true,
  };
}

function planText(io: Io, plan: Plan, heading: string): string {
  const { db, keyFile } = readSettings(io.env);
  const lines = [
    heading,
    ...(plan.firstPerson === undefined
      ? []
      : [`  ${plan.firstPerson} as admin, with a passphrase, in ${shownDatabase(db)} (key: ${keyFile})`]),
    ...(plan.write === undefined
      ? []
      : [
          `  ${placeOf(plan.file)}, with this text:`,
          ...plan.write
            .trimEnd()
            .split("\n")
            .map((line) => `    ${line}`),
        ]),
    // Somebody else may have written it, and it decides from now on.
    ...(plan.found === undefined
      ? []
      : [
          "  a policy is here already. It decides what agents may do, so read it before you go on:",
          ...plan.found.text.split("\n").map((line) => `    ${line}`),
        ]),
    ...(plan.accept ? [`  ${placeOf(plan.file)} accepted, so that it is used`] : []),
    ...(plan.write === undefined
      ? []
      : ["  note: selfReview is on, so you can approve your own calls; you are the only person so far"]),
  ];
  return lines.map((line) => wrapYaml(line, widthOf(io.stderr))).join("\n");
}

/** Every line of a wrapped comment begins with `#`, so that the text shown is the text of a policy. */
function wrapYaml(line: string, width: number): string {
  const indent = /^ *# /.exec(line)?.[0];
  return indent === undefined ? wrapBelow(line, width) : wrap(line.slice(indent.length), width, indent);
}

async function consent(given: CommandInput): Promise<void> {
  if (flag(given, "yes")) return;
  if (!hasPerson(given.io))
    throw new Failure(
      5,
      "a person at a terminal must confirm the set-up, and this is not a terminal",
      "run `leeway init` in a terminal, or use --yes and --password-file",
    );
  if (!(await askYesNo(given.io, "set this up?"))) throw new Failure(1, "cancelled", "nothing was changed");
}

/** Said before anything is shown: a person who reads a log should find it in the first line. */
function refuseWithoutPassphrase(given: CommandInput): void {
  if (hasPerson(given.io) || !flag(given, "yes") || text(given, "passwordFile") !== undefined) return;
  throw usage(
    "--yes without a terminal also needs --password-file: nobody is there to type a new passphrase",
    "write a passphrase of your own into a file, and give --password-file FILE",
  );
}

/** The first person on a machine needs no permission. Agents without an owner become theirs. */
export async function welcome(given: CommandInput, name: string): Promise<readonly string[]> {
  const by = await leaveOf(given, name);
  const file = text(given, "passwordFile");
  if (file === undefined && !hasPerson(given.io))
    throw usage("there is no terminal to type a passphrase", "give --password-file");
  const passphrase = file === undefined ? await newPassphrase(given.io, name) : firstLine(fileText(file), file);
  const add = async (deps: OpenedGate) => {
    const assurance = hasPerson(given.io) ? "tty" : "process";
    orFail(await addPerson(deps, { name, admin: true, passphrase, by, assurance }));
    const alone = (await listAgents(deps)).filter((agent) => agent.owner === undefined).map((agent) => agent.name);
    for (const agent of alone) orFail(await setOwner(deps, { agent, owner: name, by: name, assurance: "tty" }));
    return alone;
  };
  return withDatabase(given, add, { mayBeNew: true });
}

async function accept(given: CommandInput, deps: OpenedGate, plan: Plan): Promise<string> {
  const file = deps.policies.current().files.find(({ path }) => path === plan.file);
  if (file === undefined) throw new Error(`${plan.file} no longer exists`);
  const { version } = loadedOrFail(file.loaded);
  if (plan.found !== undefined && plan.found.version !== version)
    throw new Failure(1, `${plan.file} was changed after it was shown`, "it was not accepted; run the command again");
  const { name } =
    plan.firstPerson === undefined ? await prove(given, deps, `accept ${plan.file}`) : { name: plan.firstPerson };
  orFail(await acceptPolicy(deps, plan.file, { by: name, assurance: "tty", version }));
  return name;
}

function doneText(out: Out, plan: Plan, adopted: readonly string[], trusted: Grant | undefined): string {
  const lines = [
    ...(plan.firstPerson === undefined ? [] : [`${plan.firstPerson} is an admin and signs in with the passphrase`]),
    ...(adopted.length === 0
      ? []
      : [`${plan.firstPerson} now owns the agents that already existed: ${adopted.map(visible).join(", ")}`]),
    ...(plan.write === undefined ? [] : [`wrote ${plan.file}`]),
    `accepted ${plan.file}`,
    ...(trusted === undefined ? [] : [`granted ${trusted.id}: ${passesText(trusted)}`]),
    "Next: `leeway check --command 'git push'`, `leeway run -- …`, `leeway inbox`.",
  ];
  return lines.map((line) => wrapBelow(line, out.width)).join("\n");
}

/** Only an unchanged file of init is removed; the record and the accepted policy stay. */
async function undo(given: CommandInput): Promise<number> {
  const file = join(given.io.cwd, "leeway.yaml");
  const ours = existsSync(file) && PRESETS.some((preset) => readFileSync(file, "utf8") === starterPolicy(preset));
  if (existsSync(file) && !ours)
    throw new Failure(
      1,
      `${file} was changed after init wrote it`,
      "if you want to remove it, delete the file yourself",
    );
  if (ours && flag(given, "dryRun")) {
    given.out.answer({ removed: null }, () => `would remove ${file}; this was a dry run, so nothing was changed`);
    return 0;
  }
  if (ours) rmSync(file);
  given.out.answer({ removed: ours ? file : null }, () =>
    ours
      ? `removed ${file}\nThe accepted policy stays in force until somebody accepts another one. The record stays too.`
      : "Nothing to undo: init wrote no file here.",
  );
  return 0;
}
