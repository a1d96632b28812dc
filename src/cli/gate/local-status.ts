import { shownDatabase } from "../../config/database-place.ts";
import { readSettings, type Settings } from "../../config/environment.ts";
import { announcedServer, serverElsewhere } from "../../config/server-file.ts";
import { statusOf } from "../../service/views/status.ts";
import type { Io } from "../terminal/io.ts";
import { liftedBy } from "../views/pause-names.ts";
import type { Machine, StatusHere } from "./command-gate.ts";
import type { OpenedGate } from "./database.ts";

/** The state of the local gate, as `person` sees it, and where its files are. */
export async function statusHere(io: Io, deps: OpenedGate, person: string | undefined): Promise<StatusHere> {
  const { pauses, ...status } = await statusOf(deps, person);
  return {
    ...status,
    ...machineOf(io, deps),
    pauses: pauses.map((pause) => ({ ...pause, lift: liftedBy(pause.scope) })),
  };
}

function machineOf(io: Io, deps: OpenedGate): Machine {
  const settings = readSettings(io.env);
  return {
    project: deps.policies.current().project,
    database: shownDatabase(settings.db),
    stateFolder: settings.stateFolder,
    key: settings.key === undefined ? settings.keyFile : "LEEWAY_KEY",
    overrides: overridesOf(io, settings),
    server: serverOn(settings),
  };
}

/** A server that uses another database answers nothing that is asked in this one. */
function serverOn(settings: Settings): Machine["server"] {
  const server = announcedServer(settings.stateFolder);
  if (server === undefined || serverElsewhere(settings) !== undefined) return null;
  return { url: server.url, pid: server.pid };
}

const OVERRIDES = ["LEEWAY_DB", "LEEWAY_KEY", "LEEWAY_POLICY", "LEEWAY_WORKSPACE", "XDG_STATE_HOME"] as const;

/** Variables that change where things are, shown so that a person notices variables that they did not set. */
function overridesOf(io: Io, settings: Settings): Record<string, string> {
  const set = OVERRIDES.filter((name) => (io.env[name] ?? "") !== "");
  const shown = (name: string) =>
    name === "LEEWAY_KEY" ? "(set)" : name === "LEEWAY_DB" ? shownDatabase(settings.db) : (io.env[name] ?? "");
  return Object.fromEntries(set.map((name) => [name, shown(name)]));
}
