import pc from "picocolors";
import { once } from "../core/values/once.ts";
import type { Clock } from "../ports.ts";
import { systemClock } from "../system.ts";

/** The world as the command line meets it: streams, environment, clock. */
export type Io = {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  cwd: string;
  clock: Clock;
};

export type Colours = ReturnType<typeof pc.createColors>;

export function processIo(): Io {
  const { stdout, env } = process;
  // Nobody is left to be told; the exit code still says how it ended.
  const stderr = once(() => process.stderr.on("error", () => undefined));
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`leeway log | head`) is not an error.
    if (error.code === "EPIPE") process.exit(0);
    stderr().write(
      `leeway: the answer could not be written (${error.code ?? error.message})\n` +
        "  hint: free the disk or write it elsewhere; what the command did is in `leeway log`\n",
    );
    process.exit(1);
  });
  return {
    // Opened by whoever uses them: most commands do not.
    get stdin() {
      return process.stdin;
    },
    stdout,
    get stderr() {
      return stderr();
    },
    env,
    cwd: process.cwd(),
    clock: systemClock,
  };
}

/** Colours are for terminals only, and never against the wish of whoever looks at it. */
export function coloursFor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Colours {
  const wanted = (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  return pc.createColors(stream.isTTY === true && wanted);
}

/** Nobody looks at a pipe: wide enough that nothing is left out of a line. */
const WIDTH_PIPED = 120;
const WIDTH_MIN = 40;

export function widthOf(stream: NodeJS.WriteStream): number {
  return stream.isTTY ? Math.max(WIDTH_MIN, stream.columns || 80) : WIDTH_PIPED;
}

/** Somebody can be asked: what is typed comes from a terminal, and what is shown goes to one. */
export function hasPerson(io: Io): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/** The environment says to ask a server, or begins to. */
export function namesServer(io: Io): boolean {
  return [io.env["LEEWAY_URL"], io.env["LEEWAY_TOKEN"]].some((value) => value !== undefined && value !== "");
}

export type Out = {
  json: boolean;
  colours: Colours;
  width: number;
  /** The answer: one JSON value for programs, text for people. */
  answer(value: unknown, human: () => string): void;
  /** One of many: JSON lines for programs. */
  line(value: unknown, human: () => string): void;
  /** For people only, as part of what they read on stdout. */
  say(text: string): void;
  /** For people only, beside the answer, on stderr. */
  note(text: string): void;
};
