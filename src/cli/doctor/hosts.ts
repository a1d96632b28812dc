import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { shownDatabase } from "../../config/database-place.ts";
import { readSettings } from "../../config/environment.ts";
import { DOCTOR_SESSION } from "../../core/session.ts";
import type { JsonObject } from "../../core/values/json.ts";
import {
  type Danger,
  dangerText,
  formerFiles,
  type HostFile,
  hostFiles,
  INSTALLABLE,
  type Places,
  type Scope,
} from "../../hooks/install/host-files.ts";
import { type HookStart, installedHook, otherHooks, serverOf, settingOf } from "../../hooks/install/installed-hook.ts";
import { parsedSettings } from "../../hooks/install/settings-json.ts";
import { findProgram } from "../../programs.ts";
import { Failure } from "../failure.ts";
import { isFromInit } from "../host-setup.ts";
import type { CommandInput } from "../spec.ts";
import { settingsText } from "../terminal/files.ts";
import type { Io } from "../terminal/io.ts";
import type { Finding } from "./finding.ts";
import { recordedAt, type WasRecorded } from "./recorded.ts";
import { settingsDangers } from "./settings-dangers.ts";

// Whether the agent programs of this machine really ask Leeway: the hook is started as the host's settings say, with a
// call that a host would send, and the call must then be in the record.

/** The program of each host, as it is found in PATH. */
const PROGRAMS: { readonly [host: string]: string } = {
  "claude-code": "claude",
  codex: "codex",
  gemini: "gemini",
  opencode: "opencode",
  copilot: "copilot",
  vscode: "code",
};

/** The database that is used here, and whether a call is in its record. */
type Here = { db: string; recorded: WasRecorded };

/** `here`: the record of this machine; none if a server is named. A hook that uses a server is looked for there. */
export async function hostChecks(given: CommandInput, here?: Here): Promise<Finding[]> {
  const { io } = given;
  const at: Places = { home: io.env["HOME"] || homedir(), project: io.cwd, env: io.env };
  const findings: Finding[] = [];
  for (const host of INSTALLABLE) findings.push(...(await checkedHost(given, here, host, at)));
  return findings;
}

/** A file that cannot be read is a finding: the other hosts are still checked. */
async function checkedHost(given: CommandInput, here: Here | undefined, host: string, at: Places): Promise<Finding[]> {
  try {
    return await hostFindings(given, here, host, at);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [{ what: "host", state: "warn", says: `${host}: ${error.message}`, hint: error.hint }];
  }
}

async function hostFindings(given: CommandInput, here: Here | undefined, host: string, at: Places): Promise<Finding[]> {
  const { io } = given;
  const findings: Finding[] = [];
  const hooked = scopesWith(host, at);
  findings.push(...unreadableFiles(host, at));
  const isFound = findProgram(PROGRAMS[host] ?? host, { cwd: io.cwd, env: io.env }) !== undefined;
  if (hooked.length === 0 && isFound) findings.push(unhooked(host));
  for (const one of hooked) findings.push(...(await checked(given, here, { host, at, ...one })));
  if (hooked.length > 0) findings.push(...settingsDangers(host, at, hooked).map((one) => warning(host, one)));
  if (hooked.length > 0 && isFound && host === "claude-code") findings.push(...(await versionCheck(io)));
  return findings;
}

/** A file that has the hook. `isFormer`: an earlier version wrote it there. */
type FileWithHook = { scope: Scope; file: HostFile; text: string; isFormer: boolean };
type Hooked = FileWithHook & { host: string; at: Places };

/** The files that have the hook: of the project, and of the user. */
function scopesWith(host: string, at: Places): readonly FileWithHook[] {
  return (["project", "user"] as const).flatMap((scope) => {
    const files = [...hostFiles(host, scope, at).slice(0, 1), ...formerFiles(host, scope, at)];
    return files.flatMap((file, place) => {
      const text = settingsText(file.path);
      const isHooked = text !== undefined && installedHook(host, text) !== undefined;
      return isHooked ? [{ scope, file, text, isFormer: place > 0 }] : [];
    });
  });
}

/** A host that cannot read its settings may run without them, and so without the hook. */
function unreadableFiles(host: string, at: Places): readonly Finding[] {
  const files = (["project", "user"] as const).flatMap((scope) => hostFiles(host, scope, at));
  return files.flatMap(({ path }) => {
    const text = path.endsWith(".json") ? settingsText(path) : undefined;
    const parsed = text === undefined || text.trim() === "" ? undefined : parsedSettings(text);
    if (parsed === undefined || parsed.ok) return [];
    const says = `${host}: ${path} cannot be read: ${parsed.why}, so it may start no hook`;
    return [{ what: "host", state: "bad" as const, says, hint: `mend the file, then run \`leeway doctor\` again` }];
  });
}

/** A colleague who gets this file with the project has no such program, and then the host runs no tool. */
function sharedFile({ host, file }: Hooked): Finding {
  return {
    what: "host",
    state: "warn",
    says: `${host}: its hook is in ${file.path}, which a project shares, and it names programs of this machine`,
    hint: `run \`leeway init ${host}\`, which moves the hook to the file that only you use`,
  };
}

function unhooked(host: string): Finding {
  return {
    what: "host",
    state: "warn",
    says: `${host} is installed and does not ask Leeway here: its calls are not checked`,
    hint: `leeway init ${host}`,
  };
}

function warning(host: string, danger: Danger): Finding {
  const state = typeof danger === "string" ? "warn" : "bad";
  return { what: "host", state, says: `${host}: ${dangerText(danger)}` };
}

async function checked(given: CommandInput, here: Here | undefined, hooked: Hooked): Promise<Finding[]> {
  const { host, file, text } = hooked;
  const hook = installedHook(host, text);
  if (hook === undefined) return [];
  const others = otherHooks(host, text).map(
    (line) => `another hook sees every call as well and may change it after Leeway has decided: ${line}`,
  );
  const dangers = [...hook.dangers, ...file.dangers(text), ...others, ...trustDangers(hooked)];
  const isKnown = isFromInit(given, host, file, text);
  const first = isKnown ? await proved(given.io, here, { ...hooked, start: hook.start }) : unknownHook(host, file.path);
  return [first, ...(hooked.isFormer ? [sharedFile(hooked)] : []), ...dangers.map((one) => warning(host, one))];
}

/** Settings can come with a project. A program that only looks like Leeway is not started, and no server is asked that it names. */
function unknownHook(host: string, path: string): Finding {
  return {
    what: "host",
    state: "bad",
    says: `${host}: the hook in ${path} is not what \`leeway init ${host}\` writes here, so it was not started; it may be a program of somebody else`,
    hint: `look at the file, then run \`leeway init ${host}\` to write the hook anew`,
  };
}

/** What else the host's files say: that the hook is trusted. */
function trustDangers({ host, at, scope, file, text }: Hooked): readonly Danger[] {
  return hostFiles(host, scope, at)
    .slice(1)
    .flatMap((trust) => {
      const now = settingsText(trust.path) ?? "";
      const made = trust.withHook(now, { program: "", args: [] }, { [file.path]: text });
      const isTrusted = made.ok && made.after === now;
      return [
        ...(isTrusted
          ? []
          : [{ off: `it does not trust the hook, and runs calls without it; run \`leeway init ${host}\` again` }]),
        ...trust.dangers(now),
      ];
    });
}

const PROBE_MS = 15_000;

/** Starts the hook as the host would, with a call that only reads, and looks for the call in the record. */
async function proved(io: Io, here: Here | undefined, hooked: Hooked & { start: HookStart }): Promise<Finding> {
  const { host, file, start } = hooked;
  const elsewhere = serverOf(start);
  const record = elsewhere === undefined ? here?.recorded : recordedAt(io, elsewhere);
  if (record === undefined) return otherGate(host, file.path);
  const other = here === undefined || elsewhere !== undefined ? undefined : otherDatabase(here.db, start);
  if (here !== undefined && other !== undefined) return hookElsewhere(hooked, { other, here: here.db });
  const session = `${DOCTOR_SESSION}${randomBytes(6).toString("hex")}`;
  const startedMs = performance.now();
  const said = await started(io, start, JSON.stringify(eventOf(host, session, io.cwd)));
  const tookMs = Math.round(performance.now() - startedMs);
  const at = elsewhere === undefined ? "" : `, which ${elsewhere.url} recorded`;
  if (await record(host, session))
    return {
      what: "host",
      state: "ok",
      says: `${host}: its hook in ${file.path} answered a test call in ${tookMs} ms${at}`,
    };
  return {
    what: "host",
    state: "bad",
    says: `${host}: its hook in ${file.path} did not record a test call: ${said}`,
    hint: `run \`leeway init ${host}\` again`,
  };
}

/** The hook was installed for the database of this machine, and a server is named. */
function otherGate(host: string, path: string): Finding {
  return {
    what: "host",
    state: "warn",
    says: `${host}: its hook in ${path} uses the database of this machine, and not the server that is named here`,
    hint: `run \`leeway init ${host}\` again to use the server, or unset the variables that name it`,
  };
}

/** The database of the hook, if it is not the one that is used here. A hook that carries no variables uses those of its host. */
function otherDatabase(here: string, start: HookStart): string | undefined {
  const home = settingOf(start, "HOME");
  if (home === undefined) return undefined;
  const { db } = readSettings(
    Object.fromEntries(DATABASE_SETTINGS.map((name) => [name, settingOf(start, name)])),
    home,
  );
  return db === here ? undefined : db;
}

const DATABASE_SETTINGS = ["XDG_STATE_HOME", "LEEWAY_DB"] as const;

function hookElsewhere({ host, file }: Hooked, { other, here }: { other: string; here: string }): Finding {
  return {
    what: "host",
    state: "warn",
    says: `${host}: its hook in ${file.path} uses the database ${shownDatabase(other)}, and not ${shownDatabase(here)}`,
    hint: `set LEEWAY_DB to the database of the hook, or run \`leeway init ${host}\` again to use this one`,
  };
}

/** What a host sends before it reads a file. */
function eventOf(host: string, session: string, cwd: string): JsonObject {
  const path = join(cwd, "leeway-doctor.txt");
  if (host === "copilot") return { sessionId: session, cwd, toolName: "view", toolArgs: { path } };
  const common = { session_id: session, cwd, tool_use_id: `${session}-1` };
  return host === "gemini"
    ? { ...common, hook_event_name: "BeforeTool", tool_name: "read_file", tool_input: { file_path: path } }
    : { ...common, hook_event_name: "PreToolUse", tool_name: "Read", tool_input: { file_path: path } };
}

/** How it ended, in words. A hook that asks somebody is ended after a while: it has recorded the call by then. */
function started(io: Io, start: HookStart, input: string): Promise<string> {
  return new Promise((resolve) => {
    const [program = "", ...args] = "words" in start ? start.words : ["/bin/sh", "-c", start.line];
    const child = spawn(program, args, { cwd: io.cwd, env: io.env, stdio: ["pipe", "pipe", "pipe"] });
    const tooLong = setTimeout(() => child.kill(), PROBE_MS);
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
    child.stdin.on("error", () => undefined).end(input);
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code) => {
      clearTimeout(tooLong);
      resolve(said.trim() || `it ended with exit code ${code}`);
    });
  });
}

/** The first version of Claude Code that does not run a call if its hook cannot be started. */
const BLOCKING_SINCE = [2, 1, 295];

async function versionCheck(io: Io): Promise<Finding[]> {
  const said = await started(io, { words: ["claude", "--version"] }, "");
  const found = /(\d+)\.(\d+)\.(\d+)/.exec(said)?.slice(1).map(Number);
  if (found === undefined) return [];
  const at = found.findIndex((part, i) => part !== BLOCKING_SINCE[i]);
  if (at < 0 || (found[at] ?? 0) > (BLOCKING_SINCE[at] ?? 0)) return [];
  return [
    warning(
      "claude-code",
      `${found.join(".")} runs calls whose hook cannot be started; update to ${BLOCKING_SINCE.join(".")} or newer`,
    ),
  ];
}
