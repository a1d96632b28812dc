import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { startedAt } from "../../box/in-place/registry.ts";
import { stateFolderOf } from "../../config/server-file.ts";
import type { ToolCall } from "../../core/call.ts";
import { maskText } from "../../core/masking/redact.ts";
import type { Receipt } from "../../core/receipt.ts";
import { wordsText } from "../../core/values/words-text.ts";
import { commandWords } from "../calls.ts";
import { Failure, shown } from "../failure.ts";
import { type CommandInput, text } from "../spec.ts";
import { type KeptBox, Register } from "./register.ts";

// A program in the background has a process of its own that keeps its box: `leeway box --call ID --keep`. It claims the call,
// renews the claim while the program runs, and records how it ended. The command that started it does not wait.

/** Registers this process as the keeper of a call while it runs. */
export async function kept(
  given: CommandInput,
  call: ToolCall & { id: string },
  run: () => Promise<number>,
): Promise<number> {
  const register = new Register(stateFolderOf(given.io.env));
  const sinceMs = given.io.clock.nowMs();
  register.prepare(call.id, sinceMs);
  const keeper = { pid: process.pid, started: startedAt(process.pid) ?? "" };
  const { agent, cwd: folder = given.io.cwd } = call;
  const box: KeptBox = { call: call.id, agent, command: commandText(call), folder, sinceMs, keeper };
  register.write(box);
  const exitCode = await run();
  register.write({ ...box, ended: { atMs: given.io.clock.nowMs(), exitCode } });
  return exitCode;
}

function commandText({ args }: ToolCall): string {
  const text = args["command"] ?? args["cmd"];
  return maskText(typeof text === "string" ? text : wordsText(commandWords(args)));
}

const LOOK_MS = 100;

/** Starts the keeper of a call that may run, and waits until it has claimed the call. */
export async function startKeeper(given: CommandInput, receipt: Receipt): Promise<number> {
  const { io, out } = given;
  const register = new Register(stateFolderOf(io.env));
  register.prepare(receipt.id, io.clock.nowMs());
  const output = register.outputOf(receipt.id);
  const file = openSync(output, "a", 0o600);
  const program = realpathSync(process.argv[1] ?? "");
  const policy = text(given, "policy");
  const child = spawn(process.execPath, [program, "box", "--call", receipt.id, "--keep"], {
    cwd: io.cwd,
    env: { ...io.env, ...(policy === undefined ? {} : { LEEWAY_POLICY: resolve(io.cwd, policy) }) },
    detached: true,
    stdio: ["ignore", file, file],
  });
  closeSync(file);
  let early: number | undefined;
  child.once("exit", (code) => {
    early = code ?? 1;
  });
  child.once("error", () => {
    early = 1;
  });
  while (register.read(receipt.id) === undefined && early === undefined) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  child.unref();
  if (register.read(receipt.id) === undefined)
    throw new Failure(
      5,
      `the program was not started: ${shown(lastLines(output))}`,
      `run \`leeway why ${receipt.id}\``,
    );
  out.answer({ call: receipt.id, output }, () =>
    [
      `started in the background: ${receipt.id}`,
      `  its output: leeway box show ${receipt.id}`,
      `  to end it: leeway box stop ${receipt.id}`,
    ].join("\n"),
  );
  return 0;
}

const SAID_MAX = 600;

function lastLines(file: string): string {
  return readFileSync(file, "utf8")
    .trim()
    .slice(-SAID_MAX)
    .replace(/^leeway: /, "")
    .replace(/\n\s*hint: /g, "; ");
}
