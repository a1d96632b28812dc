import { join } from "node:path";
import { isObject, type JsonObject } from "../../core/values/json.ts";
import { withoutTrust, withTrust } from "./codex-trust.ts";
import {
  asking,
  guardedLine,
  type HookCommand,
  hookLine,
  NOTE_SECONDS,
  WAIT_SECONDS,
  withoutVariables,
} from "./command.ts";
import { geminiPolicy, isGeminiPolicy } from "./gemini-policy.ts";
import { geminiTrustDangers } from "./gemini-trust.ts";
import { type HookLists, withHookLists, withoutHookLists } from "./hook-lists.ts";
import { opencodePlugin, PLUGIN_MARK } from "./opencode-plugin.ts";
import { type Changed, parsedSettings } from "./settings-json.ts";

// The files of each host that Leeway's hook is written to, and how.

export type Scope = "project" | "user";

/** Where the files are. `env` may name another folder than the one in the home folder. */
export type Places = { home: string; project: string; env: { readonly [name: string]: string | undefined } };

/** `written`: the texts of the files before it, as they will be. */
type Written = { readonly [path: string]: string };

/** What a person should know about the settings of a host. `off`: with these settings the host does not ask at all. */
export type Danger = string | { off: string };

export function dangerText(danger: Danger): string {
  return typeof danger === "string" ? danger : danger.off;
}

export type HostFile = {
  path: string;
  withHook(before: string, command: HookCommand, written: Written): Changed<string>;
  /** Null: the file is ours alone and is deleted. */
  withoutHook(before: string): Changed<string | null>;
  /** What in the changed text switches hooks off, or keeps the host from starting them. */
  dangers(after: string): readonly Danger[];
};

type HostFiles = (scope: Scope, at: Places) => readonly HostFile[];

/** A file with lists of hooks, in a folder of the project or of the home folder. */
function listsIn(path: string, lists: HookLists, dangers: (settings: JsonObject) => readonly Danger[]): HostFile {
  return {
    path,
    withHook: (before, command) => withHookLists(lists, before, command),
    withoutHook: (before) => withoutHookLists(lists.host, before),
    dangers: (after) => {
      const parsed = parsedSettings(after);
      return parsed.ok ? dangers(parsed.value) : [];
    },
  };
}

const claudeCode: HookLists = {
  host: "claude-code",
  events: (command) => {
    const run = (start: HookCommand) => {
      const { program, args } = withoutVariables(start);
      return { type: "command", command: program, args: [...args] };
    };
    const before = { matcher: "*", hooks: [{ ...run(asking(command)), timeout: WAIT_SECONDS, onFailure: "block" }] };
    const note = { ...run(command), timeout: NOTE_SECONDS };
    const after = { matcher: "*", hooks: [note] };
    return { PreToolUse: before, PostToolUse: after, PostToolUseFailure: after, SessionEnd: { hooks: [note] } };
  },
};

export function claudeDangers(settings: JsonObject): readonly Danger[] {
  const { permissions } = settings;
  return [
    ...(settings["disableAllHooks"] === true
      ? [{ off: "`disableAllHooks` is true: no hook runs, so nothing is gated" }]
      : []),
    ...(settings["allowManagedHooksOnly"] === true
      ? ["`allowManagedHooksOnly` is true: only the hooks of the organisation's managed settings run"]
      : []),
    ...(isObject(permissions) && permissions["defaultMode"] === "bypassPermissions"
      ? ["`permissions.defaultMode` is bypassPermissions: only hooks still decide"]
      : []),
  ];
}

/** Codex ends a hook of `SessionEnd` after three seconds, whatever is written. */
const CODEX_END_SECONDS = 3;

const codex: HookLists = {
  host: "codex",
  events: (command) => {
    const run = (line: string, timeout: number) => ({ hooks: [{ type: "command", command: line, timeout }] });
    const note = run(hookLine(command), NOTE_SECONDS);
    return {
      PreToolUse: run(guardedLine(asking(command)), WAIT_SECONDS),
      PermissionRequest: note,
      PostToolUse: note,
      SessionEnd: run(hookLine(command), CODEX_END_SECONDS),
    };
  },
};

/** The hooks, and beside them in the user's own settings that they are trusted. */
const codexFiles: HostFiles = (scope, { home, project, env }) => {
  const own = env["CODEX_HOME"] || join(home, ".codex");
  const hooks = join(scope === "user" ? own : join(project, ".codex"), "hooks.json");
  const trust: HostFile = {
    path: join(own, "config.toml"),
    withHook: (before, _command, written) => withTrust(before, hooks, written[hooks] ?? ""),
    withoutHook: (before) => ({ ok: true, after: withoutTrust(before) }),
    dangers: (after) => codexDangers(after, scope === "project" ? project : undefined),
  };
  return [listsIn(hooks, codex, () => []), trust];
};

function codexDangers(text: string, project: string | undefined): readonly string[] {
  const isTrusted =
    project === undefined ||
    new RegExp(
      `^\\[projects\\.${escaped(JSON.stringify(project))}\\]\\s*\\n\\s*trust_level\\s*=\\s*"trusted"`,
      "m",
    ).test(text);
  return [
    ...(/^\s*hooks\s*=\s*false/m.test(text) ? ["`features.hooks` is false: no hook runs, so nothing is gated"] : []),
    ...(isTrusted
      ? []
      : [
          "Codex uses the hooks of a project only after you have trusted the project. Start `codex` there once and say yes, or install with --user",
        ]),
  ];
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

const gemini: HookLists = {
  host: "gemini",
  events: (command) => {
    const run = (line: string, seconds: number) => ({
      type: "command",
      name: "leeway",
      command: line,
      timeout: seconds * 1000,
    });
    const before = { matcher: ".*", hooks: [run(guardedLine(asking(command)), WAIT_SECONDS)] };
    const note = run(hookLine(command), NOTE_SECONDS);
    return { BeforeTool: before, AfterTool: { matcher: ".*", hooks: [note] }, SessionEnd: { hooks: [note] } };
  },
};

function geminiDangers(settings: JsonObject): readonly Danger[] {
  const [tools, hooks] = [settings["tools"], settings["hooksConfig"]];
  const disabled = isObject(hooks) && Array.isArray(hooks["disabled"]) && hooks["disabled"].includes("leeway");
  return [
    ...((isObject(tools) && tools["enableHooks"] === false) || (isObject(hooks) && hooks["enabled"] === false)
      ? [{ off: "`hooksConfig.enabled` or `tools.enableHooks` is false: no hook runs, so nothing is gated" }]
      : []),
    ...(disabled ? [{ off: "`hooksConfig.disabled` names leeway: the hook does not run, so nothing is gated" }] : []),
  ];
}

/**
 * Gemini CLI reads policy files only for all projects of the user, so a hook of one project gets none: it would allow
 * calls where no hook is.
 */
const geminiFiles: HostFiles = (scope, at) => {
  const { home, project } = at;
  const own = join(home, ".gemini");
  if (scope === "project") {
    const dangers = (settings: JsonObject) => [...geminiDangers(settings), ...geminiTrustDangers(at)];
    return [listsIn(join(project, ".gemini", "settings.json"), gemini, dangers)];
  }
  return [
    listsIn(join(own, "settings.json"), gemini, geminiDangers),
    ownFile(join(own, "policies", "leeway.toml"), isGeminiPolicy, geminiPolicy),
  ];
};

/** A file that contains nothing but Leeway's. */
function ownFile(path: string, isOurs: (text: string) => boolean, text: (command: HookCommand) => string): HostFile {
  const theirs = { ok: false, why: "somebody else wrote it; move it away" } as const;
  return {
    path,
    withHook: (before, command) =>
      before.trim() === "" || isOurs(before) ? { ok: true, after: text(command) } : theirs,
    withoutHook: (before) => (isOurs(before) ? { ok: true, after: null } : { ok: true, after: before }),
    dangers: () => [],
  };
}

const opencodeFiles: HostFiles = (scope, { home, project, env }) => {
  const user = join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "opencode");
  const folder = scope === "user" ? user : join(project, ".opencode");
  return [ownFile(join(folder, "plugin", "leeway.js"), (text) => text.startsWith(PLUGIN_MARK), opencodePlugin)];
};

const copilot: HookLists = {
  host: "copilot",
  events: (command) => {
    const run = (line: string, timeoutSec: number) => ({ type: "command", bash: line, timeoutSec });
    const note = run(hookLine(command), NOTE_SECONDS);
    return {
      preToolUse: run(guardedLine(asking(command)), WAIT_SECONDS),
      postToolUse: note,
      postToolUseFailure: note,
      sessionEnd: note,
    };
  },
};

/** Copilot CLI runs the hooks of a project only in a folder that its user has trusted; those of the user always. */
const copilotFiles: HostFiles = (scope, at) => {
  if (scope === "user") return [copilotHooksFile(scope, at)];
  const untrusted =
    "Copilot CLI runs the hooks of a project only after you have trusted its folder, and otherwise runs tools without them; install with --user to have them always";
  return [listsIn(join(at.project, ".github", "copilot", "settings.local.json"), copilot, () => [untrusted])];
};

function copilotHooksFile(scope: Scope, at: Places): HostFile {
  return ownFile(join(hooksFolder(scope, at), "leeway.json"), hasHook("copilot"), (command) => {
    const lists = Object.entries(copilot.events(command)).map(([event, entry]) => [event, [entry]]);
    return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(lists) }, null, 2)}\n`;
  });
}

const vscodeFiles: HostFiles = (scope, at) => [
  ownFile(join(hooksFolder(scope, at), "leeway-vscode.json"), hasHook("vscode"), (command) => {
    const run = (line: string, timeout: number) => [{ type: "command", command: line, timeout }];
    const hooks = {
      PreToolUse: run(guardedLine(asking(command)), WAIT_SECONDS),
      PostToolUse: run(hookLine(command), NOTE_SECONDS),
    };
    return `${JSON.stringify({ hooks }, null, 2)}\n`;
  }),
];

function hooksFolder(scope: Scope, { home, project, env }: Places): string {
  return join(scope === "user" ? env["COPILOT_HOME"] || join(home, ".copilot") : join(project, ".github"), "hooks");
}

function hasHook(host: string): (text: string) => boolean {
  return (text) => text.includes("leeway") && text.includes(`hook ${host}`);
}

/** The files of each host, the one with the hook first. */
const HOST_FILES: { readonly [host: string]: HostFiles } = {
  "claude-code": (scope, { home, project }) => [
    scope === "user"
      ? claudeFile(home, "settings.json")
      : // The other file of a project is shared: on the machine of a colleague, the paths in the hook do not exist.
        claudeFile(project, "settings.local.json"),
  ],
  codex: codexFiles,
  gemini: geminiFiles,
  opencode: opencodeFiles,
  copilot: copilotFiles,
  vscode: vscodeFiles,
};

export const INSTALLABLE: readonly string[] = Object.keys(HOST_FILES);

function claudeFile(folder: string, name: string): HostFile {
  return listsIn(join(folder, ".claude", name), claudeCode, claudeDangers);
}

/** The files in which earlier versions wrote the hook, and in which it must not stand any more. */
export function formerFiles(host: string, scope: Scope, at: Places): readonly HostFile[] {
  const { project } = at;
  if (scope === "user") return [];
  if (host === "copilot") return [copilotHooksFile(scope, at)];
  return host === "claude-code" ? [claudeFile(project, "settings.json")] : [];
}

/** The files that `leeway init HOST` changes. */
export function hostFiles(host: string, scope: Scope, at: Places): readonly HostFile[] {
  const files = HOST_FILES[host];
  if (files === undefined) throw new Error(`${host} has no settings to change (this is a bug)`);
  return files(scope, at);
}
