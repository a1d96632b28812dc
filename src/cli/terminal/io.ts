import pc from "picocolors";
import { once } from "../../core/values/once.ts";
import type { Clock } from "../../ports.ts";
import { systemClock } from "../../system.ts";

/** What the command line gets from outside: streams, environment, clock. */
export type Io = {
  stdin: NodeJS.ReadStream;
  /** What was already read from standard input, to its end. */
  input?: Uint8Array;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  cwd: string;
  clock: Clock;
};

export type Colours = ReturnType<typeof pc.createColors>;

export function processIo(input?: Uint8Array, env: NodeJS.ProcessEnv = process.env): Io {
  const { stdout } = process;
  // Nobody reads the output any more; the exit code still tells the result.
  const stderr = once(() => process.stderr.on("error", () => undefined));
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that closes the pipe early (`leeway log | head`) is not an error.
    if (error.code === "EPIPE") process.exit(0);
    stderr().write(
      `leeway: the answer could not be written (${error.code ?? error.message})\n` +
        "  hint: free disk space, or write to another place; `leeway log` shows what the command did\n",
    );
    process.exit(1);
  });
  return {
    // Opened on first use: most commands need neither.
    get stdin() {
      return process.stdin;
    },
    ...(input === undefined ? {} : { input }),
    stdout,
    get stderr() {
      return stderr();
    },
    env,
    cwd: process.cwd(),
    clock: systemClock,
  };
}

/** Colours are used in terminals only, and only if the user has not turned them off. */
export function coloursFor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Colours {
  const wanted = (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  return pc.createColors(stream.isTTY === true && wanted);
}

/** Output to a pipe is not shown to a person, so it is wide enough for everything. */
const WIDTH_PIPED = 120;
const WIDTH_MIN = 40;

export function widthOf(stream: NodeJS.WriteStream): number {
  return stream.isTTY ? Math.max(WIDTH_MIN, stream.columns || 80) : WIDTH_PIPED;
}

/** A person can be asked: input comes from a terminal, and output goes to one. */
export function hasPerson(io: Io): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/** Variables that name a server, completely or in part. */
const SERVER_VARIABLES = ["LEEWAY_URL", "LEEWAY_TOKEN", "LEEWAY_TOKEN_FILE"] as const;

/** The environment names a server, completely or in part. */
export function namesServer(io: Io): boolean {
  return serverVariables(io).length > 0;
}

/** Those that are set. */
export function serverVariables(io: Io): readonly string[] {
  return SERVER_VARIABLES.filter((name) => (io.env[name] ?? "") !== "");
}

export type Out = {
  json: boolean;
  colours: Colours;
  width: number;
  /** The answer: one JSON value for programs, text for people. */
  answer(value: unknown, human: () => string): void;
  /** One of many: JSON lines for programs. */
  line(value: unknown, human: () => string): void;
  /** For people only: part of the output on stdout. */
  say(text: string): void;
  /** For people only: on stderr, besides the answer. */
  note(text: string): void;
};

/** Splits input into keys: a terminal may send several keys at once. */
export function splitKeys(data: string): string[] {
  return data.match(/\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])|./gsu) ?? [];
}
