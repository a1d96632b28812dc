import { spawn } from "node:child_process";
import { lineSplitter } from "../lines.ts";

// A link carries the messages of one upstream: a process with pipes, or a server behind an address.

export type UpstreamLink = { send(line: string): void; close(): Promise<void> };

/** What comes back. After `gone` nothing more is heard. */
export type Hearing = { line(text: string): void; gone(why: string): void; said(text: string): void };

export type Connect = (hearing: Hearing) => UpstreamLink;

/** A program that is started directly, never by a shell, with exactly these variables. */
export type Started = { command: string; args: readonly string[]; cwd?: string; env: Readonly<Record<string, string>> };

const KILL_AFTER_MS = 2_000;

export function processLink({ command, args, cwd, env }: Started): Connect {
  return (hearing) => {
    const child = spawn(command, args, {
      env: { ...env },
      stdio: ["pipe", "pipe", "pipe"],
      shell: false,
      windowsHide: true,
      ...(cwd === undefined ? {} : { cwd }),
    });
    let isOver = false;
    const over = (why: string) => {
      if (isOver) return;
      isOver = true;
      hearing.gone(why);
    };
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    child.once("error", (error) => over(error.message));
    child.once("close", (code, signal) =>
      over(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`),
    );
    const split = lineSplitter((text) => isOver || hearing.line(text));
    child.stdout.on("data", (chunk: Buffer) => {
      if (split(chunk)) return;
      over("it sent a line that is too long");
      child.kill("SIGKILL");
    });
    child.stderr.on("data", (chunk: Buffer) => hearing.said(chunk.toString("utf8")));
    // A pipe that breaks is reported by the end of the process.
    child.stdin.on("error", () => undefined);
    return {
      send: (line) => void child.stdin.write(`${line}\n`),
      close: async () => {
        isOver = true;
        child.stdin.end();
        const timer = setTimeout(() => child.kill("SIGTERM"), KILL_AFTER_MS / 2);
        const harder = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS);
        if (child.pid !== undefined) await ended;
        clearTimeout(timer);
        clearTimeout(harder);
      },
    };
  };
}
