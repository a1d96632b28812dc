import type { Json, JsonObject } from "../core/values/json.ts";

// A host is a program that runs an agent and starts a hook around every tool call: Claude Code, Codex, Gemini CLI and
// others. What differs from host to host is in one file each (`hosts/`); everything else is the same for all.

/** A tool call as its host tells it. */
export type HostCall = {
  agent: string;
  /** The agents above it, root first. */
  chain: readonly string[];
  tool: string;
  args: JsonObject;
  /** The host's own id of the call, where it has one. Without it a call and its result cannot be matched. */
  callId?: string;
  session: string;
  cwd: string;
};

/** What a host tells its hook. */
export type HookInput =
  | { on: "before"; call: HostCall }
  | { on: "after"; call: HostCall; ended: { ok: true; result: Json } | { ok: false; error: string } }
  /** The host is about to ask its own user about a call that the gate has seen. */
  | { on: "prompt"; call: HostCall }
  | { on: "session end"; agent: string; session: string }
  /** An event that needs no answer. */
  | { on: "other" };

/** What the gate answers. Each host is told in its own form. */
export type HookAnswer =
  /** `args`: what a reviewer changed them to. `told`: what the person at the host should know. */
  | { is: "run"; args?: JsonObject; told?: string }
  /** The host asks its own user. */
  | { is: "ask"; why: string }
  /** `why` is read by the model: what happened and what to do instead. */
  | { is: "deny"; why: string }
  /** Nothing to say: the event is recorded. */
  | { is: "noted" };

/** What the hook program prints, and what it ends with. */
export type HookReply = { stdout: string; stderr: string; exit: number };

/** A tool that runs a command in a shell. */
export type ShellTool = {
  /** Its names. */
  tools: readonly string[];
  /** The argument with the command. */
  text: string;
  /** Other arguments that may be set: they do not change what runs. */
  others: readonly string[];
  /** The argument that makes it run in the background; such a call runs in a box that changes files where they are. */
  background?: string;
  /** The next command starts in the folder in which this one ends. */
  keepsFolder: boolean;
  /** Nobody knows which shell it is, so a changed command has to be words that every shell reads alike. */
  anyShell?: true;
};

export interface Host {
  readonly name: string;
  /** The environment variable in which the host names the project's folder, if it has one. */
  readonly projectVariable?: string;
  /** The host starts its hook in the project's folder. The folder of a call is then what the model chose, and proves nothing. */
  readonly startsInProject?: true;
  /** The host has a prompt of its own that a hook can call for. */
  readonly hasPrompt: boolean;
  /** Without a terminal its prompt is shown nowhere and never answered. */
  readonly promptsInTerminal?: true;
  /** The host runs the call with other arguments, if the answer names them. */
  readonly takesEdits: boolean;
  /** Its shell tool, if the host runs another command instead when the answer names one. */
  readonly shell?: ShellTool;
  /**
   * What the hook lets run is started at once, and another hook is told how it ended, whatever happened. Without that, nobody knows
   * when the host opens a file.
   */
  readonly tellsEnd?: true;
  /** How long the hook may take, in milliseconds, before the host goes on without it, unless it was installed otherwise. */
  readonly patienceMs: number;
  /** The input, or why it cannot be read. `asks`: the hook was installed for the event before a call. */
  read(input: JsonObject, asks: boolean): HookInput | { fault: string };
  reply(answer: HookAnswer, input: HookInput): HookReply;
  /** The answer where nothing could be decided: the host must not run the call. */
  refuse(why: string): HookReply;
}

export const SILENCE: HookReply = { stdout: "", stderr: "", exit: 0 };

export function printed(json: JsonObject): HookReply {
  return { stdout: `${JSON.stringify(json)}\n`, stderr: "", exit: 0 };
}

/** Exit code 2 blocks the call in every host that reads exit codes; the model reads what stands on stderr. */
export function blocked(why: string): HookReply {
  return { stdout: "", stderr: `${why}\n`, exit: 2 };
}
