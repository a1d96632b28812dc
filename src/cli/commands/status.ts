import { existsSync } from "node:fs";
import { isServerAddress } from "../../config/database-place.ts";
import { readSettings } from "../../config/environment.ts";
import { serverElsewhere, stateFolderOf } from "../../config/server-file.ts";
import { nameText } from "../../core/letters/name-text.ts";
import { clockText } from "../../core/show/when.ts";
import { visibleOnOneLine } from "../../core/values/text.ts";
import { StoreUnavailable } from "../../ports.ts";
import type { CommandGate, HelpTexts, StatusHere, StatusShown } from "../gate/command-gate.ts";
import { POLICY_OPTION } from "../gate/database.ts";
import { withGate } from "../gate/with-gate.ts";
import { Register } from "../kept/register.ts";
import type { CommandSpec } from "../spec.ts";
import type { Out } from "../terminal/io.ts";
import { facts } from "../terminal/table.ts";
import { nameOf } from "../views/pause-names.ts";
import { goneLines, layerLines } from "../views/policy-view.ts";

export const status: CommandSpec = {
  name: "status",
  summary: "show the policy in force, the database, who can answer and what is waiting",
  options: [POLICY_OPTION],
  examples: ["leeway status", "leeway status --json"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (gate) => {
      const unrecordable = await whyNothingIsRecorded(gate);
      const found = await gate.status();
      const running = new Register(stateFolderOf(given.io.env)).running().length;
      const here = "database" in found ? { ...found, background: running } : found;
      const answer = unrecordable === undefined ? here : { ...here, unrecordable };
      const elsewhere = "database" in found ? serverElsewhere(readSettings(given.io.env)) : undefined;
      given.out.answer(answer, () =>
        statusText(given.out, found, gate.whereabouts, { running, elsewhere, unrecordable }),
      );
      return unrecordable === undefined ? 0 : 1;
    }),
};

/** A database that can only be read, such as a standby, is shown all the same. */
async function whyNothingIsRecorded(gate: Pick<CommandGate, "keepTime">): Promise<string | undefined> {
  try {
    await gate.keepTime();
    return undefined;
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || error.refused !== undefined) throw error;
    return error.message;
  }
}

/** Programs that are kept in the background, a server that uses another database, and why nothing can be recorded. */
type Around = {
  running: number;
  elsewhere: ReturnType<typeof serverElsewhere>;
  unrecordable: string | undefined;
};
type Row = readonly [name: string, value: string];

function statusText(out: Out, found: StatusShown, { lift }: HelpTexts, around: Around): string {
  if (found.policy === null)
    return facts(out, [["server", `${found.server} answers; an agent's token cannot see more`]]);
  const { running, elsewhere, unrecordable } = around;
  const { colours } = out;
  const here = "database" in found ? found : undefined;
  const gone = here === undefined ? [] : goneLines(found.policy, existsSync);
  const people = found.people.map(({ name, admin }) => (admin ? `${name} (admin)` : name)).join(", ");
  const unknown = `${found.unknown} executions have an unknown result: see \`leeway log --kind execution.unknown\``;
  const paused = found.pauses.map(({ scope, because, by, setMs }): Row => {
    const who = `by ${nameText(by)}, ${clockText(setMs)}`;
    return [
      "paused",
      `${colours.red(`${nameOf(scope)}: ${visibleOnOneLine(because)}`)} (${who}; to resume: ${lift(scope)})`,
    ];
  });
  return facts(out, [
    ["policy", [...layerLines(found.policy, found.workspace), ...gone].join("\n")],
    ...(here === undefined ? [] : machineRows(here)),
    ["workspace", found.workspace],
    ["server", serverText(found.server, elsewhere)],
    ["people", people === "" ? colours.yellow("nobody yet: run `leeway init`") : people],
    ["agents", String(found.agents)],
    ["pending", found.pending === 0 ? "nothing" : colours.yellow(`${found.pending}: see \`leeway inbox\``)],
    ["notices", found.unreadNotices === 0 ? "none unread" : `${found.unreadNotices} unread: see \`leeway inbox\``],
    ...recentRows(found.recent),
    ...(running === 0 ? [] : [["background", `${running} running: see \`leeway box list\``] as const]),
    ["ledger", `${found.ledger.entries} entries`],
    ...(unrecordable === undefined
      ? []
      : [["record", colours.red(`nothing can be recorded, so nothing runs: ${unrecordable}`)] as const]),
    ["signed by", found.ledger.signedBy ?? "nobody"],
    ...(found.unknown === 0 ? [] : [["unknown", colours.red(unknown)] as const]),
    ...found.clock.notes.map((note): Row => ["clock", colours.red(note)]),
    ...paused,
    ...Object.entries(here?.overrides ?? {}).map(([name, value]): Row => ["set outside", `${name}=${value}`]),
  ]);
}

/** Counted over the newest calls only, and it says so. */
function recentRows({ calls, asked, boxed, refused }: StatusHere["recent"]): readonly Row[] {
  if (calls === 0) return [];
  const walls = refused === 0 ? "" : ` (the walls refused something in ${refused})`;
  const of = calls === 1 ? "the newest call" : `the newest ${calls} calls`;
  return [["calls", `of ${of}: ${asked} asked about, ${boxed} in a box${walls}`]];
}

function machineRows({ project, database, key, ledger }: StatusHere): readonly Row[] {
  return [
    ["project", project],
    ["database", `${database}${newText(database, ledger.entries)}`],
    ["key", key],
  ];
}

function newText(database: string, entries: number): string {
  if (isServerAddress(database)) return entries === 0 ? " (Leeway has recorded nothing in it yet)" : "";
  return existsSync(database) ? "" : " (does not exist yet)";
}

/** The server that answered, or the one that runs on the database of this machine. */
function serverText(server: StatusHere["server"] | string, elsewhere: Around["elsewhere"]): string {
  if (typeof server === "string") return server;
  if (server !== null) return `${server.url} (pid ${server.pid})`;
  return elsewhere === undefined
    ? "none running"
    : `none for this database; ${elsewhere.url} (pid ${elsewhere.pid}) uses ${elsewhere.database}`;
}
