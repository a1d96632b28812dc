import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Machine } from "../../cli/program.ts";
import type { Model, ToolUse } from "./model.ts";

// Starts a real host with a script, on a machine that is used for nothing else.

export const PACKAGES = join(dirname(fileURLToPath(import.meta.url)), "..", "node_modules");

/** What is particular about starting a host and about its tools. */
export type HostDriver = {
  /** The name that `leeway init` and `leeway hook` know it by. */
  name: string;
  /** Its package on npm. */
  package: string;
  /** The host's settings besides Leeway's: where its model is, and that it does not ask about tools itself. */
  prepare(on: Machine, model: Model): void;
  start(
    prompt: string,
    model: Model,
    on: Machine,
  ): { program: string; args: readonly string[]; env: Record<string, string> };
  read(path: string): ToolUse;
  write(path: string, text: string): ToolUse;
  shell(command: string): ToolUse;
  /** A tool of the MCP server `notes`. */
  note(tool: string, name: string): ToolUse;
  /** Starts a sub-agent with this prompt. */
  spawn(prompt: string): ToolUse;
};

/** The MCP server of the tests, as hosts are told to start it. */
export const NOTES = {
  command: process.execPath,
  script: join(dirname(fileURLToPath(import.meta.url)), "notes-server.mjs"),
};

export function versionOf(driver: HostDriver): string {
  return JSON.parse(readFileSync(join(PACKAGES, driver.package, "package.json"), "utf8")).version;
}

export type Driven = { code: number | null; stdout: string; stderr: string };

/** A host that runs: how it ends, and a way to end it from outside. */
export type Running = { ended: Promise<Driven>; kill(): void };

const LONGEST_MS = 200_000;

export function startHost(driver: HostDriver, on: Machine, model: Model, prompt: string): Running {
  const { program, args, env } = driver.start(prompt, model, on);
  const child = spawn(program, args, {
    cwd: on.project,
    env: { ...on.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, because some hosts are started by a small program that would leave them running.
    detached: true,
  });
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  };
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  const tooLong = setTimeout(kill, LONGEST_MS);
  const ended = new Promise<Driven>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(tooLong);
      resolve({ code, stdout, stderr });
    });
  });
  return { ended, kill };
}
