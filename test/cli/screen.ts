import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { type Machine, program } from "./program.ts";

/** A pseudo-terminal with the program in it, and what a person would see. */
export type Screen = {
  /** The text on the screen now, trailing blanks removed. */
  text(): string;
  /** Resolves when the screen shows this; fails with the screen if the program ends or the time is over first. */
  shows(what: string | RegExp): Promise<string>;
  /** The lines that the terminal had to wrap, in the middle of a word. */
  broken(): readonly string[];
  type(keys: string): void;
  /** The screen after everything that was written has been drawn. */
  settled(): Promise<string>;
  ended: Promise<number>;
  /** Kills the program immediately. */
  kill(): void;
  /** Every byte that the program wrote to the terminal. */
  raw(): string;
};

export function screen(
  on: Machine,
  args: readonly string[],
  over: {
    columns?: number;
    rows?: number;
    env?: Record<string, string>;
    cwd?: string;
    /** Another program, which starts this one. */
    through?: readonly [string, ...string[]];
  } = {},
): Screen {
  const size = { cols: over.columns ?? 80, rows: over.rows ?? 40 };
  const terminal = new xterm.Terminal({ ...size, scrollback: 2000, allowProposedApi: true });
  const [file, ...before] = [...(over.through ?? []), process.execPath] as const;
  const pty = spawn(file ?? "", [...before, program(), ...args], {
    name: "xterm-256color",
    ...size,
    cwd: over.cwd ?? on.project,
    env: { ...on.env, ...over.env },
  });
  let gone = false;
  let raw = "";
  pty.onData((data) => {
    raw += data;
    terminal.write(data);
  });
  const ended = new Promise<number>((resolve) =>
    pty.onExit(({ exitCode }) => {
      gone = true;
      resolve(exitCode);
    }),
  );
  const text = () => textOf(terminal);
  return {
    text,
    ended,
    raw: () => raw,
    broken: () => brokenOf(terminal),
    type: (keys) => pty.write(keys),
    kill: () => {
      if (!gone) pty.kill("SIGKILL");
    },
    settled: async () => {
      await settle(terminal);
      return text();
    },
    shows: async (what) => {
      const found = () => (typeof what === "string" ? text().includes(what) : what.test(text()));
      for (let tries = 0; tries < TRIES_MAX; tries++) {
        const last = gone;
        await settle(terminal);
        if (found()) return text();
        if (last) break;
        await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
      }
      throw new Error(`the screen never showed ${what}; it shows:\n${text()}`);
    },
  };
}

const EVERY_MS = 20;
const TRIES_MAX = 1500;

function settle(terminal: InstanceType<typeof xterm.Terminal>): Promise<void> {
  return new Promise((resolve) => terminal.write("", resolve));
}

function brokenOf(terminal: InstanceType<typeof xterm.Terminal>): readonly string[] {
  const { active } = terminal.buffer;
  const line = (at: number) => active.getLine(at)?.translateToString(true) ?? "";
  return Array.from({ length: active.length }, (_, at) => at).flatMap((at) =>
    active.getLine(at)?.isWrapped === true ? [`${line(at - 1)}${line(at)}`] : [],
  );
}

function textOf(terminal: InstanceType<typeof xterm.Terminal>): string {
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? "");
  return lines.join("\n").trimEnd();
}
