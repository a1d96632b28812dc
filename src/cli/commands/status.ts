import { existsSync } from "node:fs";
import { readSettings, type Settings } from "../../config/environment.ts";
import { announcedServer } from "../../config/server-file.ts";
import { isOpen } from "../../core/approval.ts";
import { clockText } from "../../core/show/when.ts";
import { visible } from "../../core/values/text.ts";
import { signedBy } from "../../gate/record/sealing.ts";
import { policyInForce } from "../../gate/standing/policy.ts";
import { clockNotes } from "../../gate/time/clock.ts";
import { type Opened, POLICY_OPTION, withGate } from "../gate.ts";
import type { Io, Out } from "../io.ts";
import { toldTo, unreadOf } from "../notice-lines.ts";
import { personIfAny } from "../person.ts";
import { goneLines, layerLines } from "../policy-view.ts";
import type { CommandSpec } from "../spec.ts";
import { facts } from "../table.ts";
import { keepTime } from "../timekeeping.ts";
import { liftedBy, nameOf } from "./pause.ts";

const OVERRIDES = ["LEEWAY_DB", "LEEWAY_KEY", "LEEWAY_POLICY", "LEEWAY_WORKSPACE", "XDG_STATE_HOME"] as const;
const PENDING_MAX = 1000;

export const status: CommandSpec = {
  name: "status",
  summary: "the policy in force, the database, who can answer and what is pending",
  options: [POLICY_OPTION],
  examples: ["leeway status", "leeway status --json"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (deps) => {
      await keepTime(deps);
      const found = await statusOf(given.io, deps);
      given.out.answer(found, () => statusText(given.out, found));
      return 0;
    }),
};

type Status = Awaited<ReturnType<typeof statusOf>>;

async function statusOf(io: Io, deps: Opened) {
  const settings = readSettings(io.env);
  const { rows } = await deps.standing.current();
  const told = await toldTo(deps, (await personIfAny(deps, undefined))?.name);
  const head = await deps.store.read({ ask: "head", workspace: deps.workspace });
  return {
    workspace: deps.workspace,
    policy: await policyInForce(deps),
    project: deps.policies.current().project,
    database: settings.db,
    stateFolder: settings.stateFolder,
    key: settings.key === undefined ? settings.keyFile : "LEEWAY_KEY",
    overrides: overridesOf(io, settings),
    server: announcedServer(settings.stateFolder) ?? null,
    pending: await pendingCount(deps),
    unreadNotices: unreadOf(told).length,
    unknown: await deps.store.read({
      ask: "count",
      workspace: deps.workspace,
      table: "executions",
      where: { state: "unknown" },
    }),
    pauses: rows.pauses
      .filter((pause) => pause.state === "set")
      .map(({ id, scope, because, by, setMs }) => ({ id, scope, because, by, setMs, lift: liftedBy(scope) })),
    people: rows.people.filter((person) => person.state === "active").map(({ name, admin }) => ({ name, admin })),
    agents: await deps.store.read({ ask: "count", workspace: deps.workspace, table: "agents", where: {} }),
    clock: { behindMs: deps.clock.aheadMs(), notes: clockNotes(deps) },
    ledger: {
      entries: head.index,
      head: head.hash,
      signedBy: (await signedBy(deps)) ?? null,
    },
  };
}

/** What the environment changed about where things are: somebody who did not set it should see it. */
function overridesOf(io: Io, settings: Settings): Record<string, string> {
  const set = OVERRIDES.filter((name) => (io.env[name] ?? "") !== "");
  const shown = (name: string) =>
    name === "LEEWAY_KEY" ? "(set)" : name === "LEEWAY_DB" ? settings.db : (io.env[name] ?? "");
  return Object.fromEntries(set.map((name) => [name, shown(name)]));
}

async function pendingCount(deps: Opened): Promise<number> {
  const held = await deps.store.read({
    ask: "rows",
    workspace: deps.workspace,
    table: "approvals",
    where: { state: "pending" },
    limit: PENDING_MAX,
    order: "oldest",
  });
  if (held.length < PENDING_MAX) return held.filter(({ row }) => isOpen(row, deps.clock.nowMs())).length;
  // More than are looked at one by one: as many as are on record as open.
  return deps.store.read({ ask: "count", workspace: deps.workspace, table: "approvals", where: { state: "pending" } });
}

function statusText(out: Out, found: Status): string {
  const { colours } = out;
  const people = found.people.map(({ name, admin }) => (admin ? `${name} (admin)` : name)).join(", ");
  const rows: [string, string][] = [
    ["policy", [...layerLines(found.policy), ...goneLines(found.policy, existsSync)].join("\n")],
    ["project", found.project],
    ["database", `${found.database}${existsSync(found.database) ? "" : " (not made yet)"}`],
    ["key", found.key],
    ["workspace", found.workspace],
    ["server", found.server === null ? "none running" : `${found.server.url} (pid ${found.server.pid})`],
    ["people", people === "" ? colours.yellow("nobody yet: run `leeway init`") : people],
    ["agents", String(found.agents)],
    ["pending", found.pending === 0 ? "nothing" : colours.yellow(`${found.pending}: see \`leeway inbox\``)],
    ["told", found.unreadNotices === 0 ? "nothing new" : `${found.unreadNotices} unread: see \`leeway inbox\``],
    ["ledger", `${found.ledger.entries} entries`],
    ["signed by", found.ledger.signedBy ?? "nobody"],
  ];
  if (found.unknown > 0)
    rows.push([
      "unknown",
      colours.red(`${found.unknown} executions ended nobody knows how: see \`leeway log --kind execution.unknown\``),
    ]);
  for (const note of found.clock.notes) rows.push(["clock", colours.red(note)]);
  for (const { scope, because, by, setMs, lift } of found.pauses) {
    const who = `by ${visible(by)}, ${clockText(setMs)}`;
    rows.push(["paused", `${colours.red(`${nameOf(scope)}: ${visible(because)}`)} (${who}; \`${lift}\` lifts it)`]);
  }
  for (const [name, value] of Object.entries(found.overrides)) rows.push(["set outside", `${name}=${value}`]);
  return facts(out, rows);
}
