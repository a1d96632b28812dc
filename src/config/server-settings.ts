import { lstatSync } from "node:fs";
import { join } from "node:path";
import { say } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import { object, optional, record, required } from "../core/policy/map-shape.ts";
import { collectFaults, flag, refine, text } from "../core/policy/shape.ts";
import { describeFault, type Fault } from "../core/policy/tree.ts";
import type { Position } from "../core/policy.ts";
import { codeOf, SettingError } from "./environment.ts";
import { readText } from "./file.ts";
import { refuseOthersFile } from "./owner.ts";
import { readYaml } from "./parse/yaml.ts";

// Settings of the server's operator. The file is in the state folder, where no agent may write; in a project folder
// an agent could choose what runs with the server's rights.

/** How a server runs the calls of one tool. */
export type RunnerSettings = { tool: string; at: Position } & (
  | { by: "command"; env: Readonly<Record<string, string>>; idempotent: boolean }
  | { by: "http"; url: string; secret: string; idempotent: boolean; nearby: boolean }
);

/** A service that takes part in decisions. */
export type CallbackSettings = {
  at: Position;
  name: string;
  url: string;
  secret: string;
  supportsInteraction: boolean;
  nearby: boolean;
};

export type ServerSettings = { file: string; runners: readonly RunnerSettings[]; callback?: CallbackSettings };

const byCommand = object("thing.command_runner", {
  env: optional(record("thing.variables", text("thing.variable_value"))),
  idempotent: optional(flag),
});

const byHttp = object("thing.http_runner", {
  url: required(text("thing.address")),
  secret: required(text("thing.secret")),
  idempotent: optional(flag),
  nearby: optional(flag),
});

const runner = refine(
  object("thing.runner", { command: optional(byCommand), http: optional(byHttp) }),
  ({ command, http }, tree, faults) => {
    if (command !== undefined && http === undefined) {
      const env = Object.fromEntries((command.env ?? []).map(({ name, value }) => [name, value]));
      return { by: "command" as const, env, idempotent: command.idempotent ?? false };
    }
    if (http !== undefined && command === undefined) {
      const { url, secret, idempotent = false, nearby = false } = http;
      return { by: "http" as const, url, secret, idempotent, nearby };
    }
    faults.add(tree.at, say("server.not_one_runner"), say("server.choose_runner"));
    return undefined;
  },
);

const callback = refine(
  object("thing.callback", {
    name: required(text("thing.name")),
    url: required(text("thing.address")),
    secret: required(text("thing.secret")),
    interaction: optional(flag),
    nearby: optional(flag),
  }),
  ({ interaction = true, nearby = false, ...rest }, { at }): CallbackSettings => {
    return { ...rest, at, nearby, supportsInteraction: interaction };
  },
);

const document = object("thing.server_settings", {
  runners: optional(record("thing.runners", runner)),
  callback: optional(callback),
});

/**
 * The content of `server.yaml` in the state folder, or nothing if there is none. Errors are reported with their
 * place.
 */
export function readServerSettings(stateFolder: string): ServerSettings {
  const file = join(stateFolder, "server.yaml");
  refuseOpen(file);
  const read = readText(file, { followLinks: false });
  if (read === undefined) return { file, runners: [] };
  if (!read.ok) throw new SettingError(`${file}: ${textOf(read.why, "en")}`, textOf(read.hint, "en"));
  return parseServerSettings(read.text, file);
}

export function parseServerSettings(content: string, file: string): ServerSettings {
  const faults = collectFaults();
  const tree = readYaml(content, file);
  if (!tree.ok) throw faultyFile(tree.faults);
  const raw = document.read(tree.tree, faults);
  if (raw === undefined || faults.all.length > 0) throw faultyFile(faults.all);
  const runners = (raw.runners ?? []).map(({ name, at, value }) => ({ tool: name, at, ...value }));
  return { file, runners, ...(raw.callback === undefined ? {} : { callback: raw.callback }) };
}

/** Every mistake on its own line, with its place. */
export function faultyFile(faults: readonly Fault[]): SettingError {
  const sorted = [...faults].sort((a, b) => a.line - b.line || a.column - b.column);
  return new SettingError(
    sorted.map((fault) => describeFault(fault)).join("\n"),
    "repair the file; nothing was started",
  );
}

/**
 * Anyone who can write this file decides what runs as the server, and anyone who can read it can sign as the server.
 */
function refuseOpen(file: string): void {
  const found = statOf(file);
  if (found === undefined) return;
  if (found.isSymbolicLink()) throw new SettingError(`${file} is a link`, "put the file itself there");
  if (process.getuid === undefined) return;
  refuseOthersFile(file, found);
  if ((found.mode & 0o077) !== 0) throw new SettingError(`${file} is open to others`, `close it: chmod 600 ${file}`);
}

function statOf(file: string) {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw new SettingError(`${file} cannot be read (${codeOf(error)})`, "make it readable for you, or move it away");
  }
}
