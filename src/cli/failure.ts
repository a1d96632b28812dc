import { homedir, tmpdir } from "node:os";
import type { Code, Refused } from "../core/codes.ts";
import type { Outcome } from "../core/decision.ts";
import { textOf } from "../core/messages/text.ts";
import { visible } from "../core/values/text.ts";
import { StoreUnavailable } from "../ports.ts";
import { coloursFor, type Io, widthOf } from "./terminal/io.ts";
import { wrapBelow } from "./terminal/table.ts";

/** The exit codes; after `leeway run` has run a command, its own exit code is used instead. */
export const EXITS = {
  0: "success, or the call would run",
  1: "error",
  2: "wrong usage",
  3: "a person must answer first, or the call is waiting",
  4: "not executed (suggest, shadow)",
  5: "denied, or the call needs a person's review",
} as const;
export type Exit = keyof typeof EXITS;

export const OUTCOME_EXITS: Record<Outcome, Exit> = { run: 0, pending: 3, not_executed: 4, denied: 5, delegated: 3 };

/** An expected failure of a command. */
export class Failure extends Error {
  override name = "Failure";
  readonly exit: Exit;
  readonly hint: string;
  constructor(exit: Exit, what: string, hint: string) {
    super(what);
    this.exit = exit;
    this.hint = hint;
  }
}

export function usage(what: string, hint: string): Failure {
  return new Failure(2, what, hint);
}

/** Refusals that mean "not you" or "not in this way" exit with 5, wrong input with 2, everything else with 1. */
const REFUSAL_EXITS: Partial<Record<Code, Exit>> = {
  LEEWAY_ASSURANCE: 5,
  LEEWAY_FORBIDDEN: 5,
  LEEWAY_LOCKED: 5,
  LEEWAY_NEEDS_HUMAN: 5,
  LEEWAY_NOT_A_REVIEWER: 5,
  LEEWAY_SELF_REVIEW: 5,
  LEEWAY_STALE_SIGN_IN: 5,
  LEEWAY_UNAUTHENTICATED: 5,
  LEEWAY_WENT_BACK: 5,
  LEEWAY_TAMPERED: 5,
  LEEWAY_BAD_CALL: 2,
  LEEWAY_BAD_INPUT: 2,
  LEEWAY_AMBIGUOUS: 2,
};

export function failureOf(refused: Omit<Refused, "ok">): Failure {
  return new Failure(
    REFUSAL_EXITS[refused.code] ?? 1,
    `${textOf(refused.reason, "en")} (${refused.code})`,
    textOf(refused.hint, "en"),
  );
}

/** The value of a verb, or its refusal thrown as a failure of the command. */
export function orFail<T extends { ok: true }>(answer: T | Refused): T {
  if (answer.ok) return answer;
  throw failureOf(answer);
}

/** Prints what happened and what to do; a stack trace only on request. */
export function report(io: Io, error: unknown): number {
  const colours = coloursFor(io.stderr, io.env);
  const failure = error instanceof Failure ? error : unexpected(error);
  const told = `${colours.red("leeway:")} ${shown(failure.message)}\n  ${colours.dim("hint:")} ${shown(failure.hint)}`;
  // Lines are wrapped only on a screen, because programs match whole lines.
  const broken = (line: string) => (io.stderr.isTTY === true ? wrapBelow(line, widthOf(io.stderr)) : line);
  io.stderr.write(`${told.split("\n").map(broken).join("\n")}\n`);
  if ((io.env["LEEWAY_DEBUG"] ?? "") !== "" && error instanceof Error) io.stderr.write(`${error.stack}\n`);
  return failure.exit;
}

const LINE_LENGTH_MAX = 1000;

/** Messages repeat input, so control characters are escaped and the length is limited. */
export function shown(message: string): string {
  const short = (line: string) =>
    line.length <= LINE_LENGTH_MAX ? line : `${line.slice(0, LINE_LENGTH_MAX)}… (${line.length} characters)`;
  return message
    .split("\n")
    .map((line) => short(visible(line.toWellFormed())))
    .join("\n");
}

function unexpected(error: unknown): Failure {
  const what = error instanceof Error ? error.message : String(error);
  if (isRefusal(error)) return failureOf(error);
  // Our own errors say what to do; some have it in their message.
  if (error instanceof Error && "hint" in error && typeof error.hint === "string") {
    return new Failure(1, what.replace(`; ${error.hint}`, ""), error.hint);
  }
  if (isFileTrouble(error)) return fileTrouble(error);
  if (error instanceof Error && "code" in error && FULL_CODES.has(String(error.code)))
    return diskFull(String(error.code));
  if (error instanceof StoreUnavailable) return error.refused ? failureOf(error.refused) : unavailable(error);
  // Input from outside has its own parsing errors, so this error is about data in the database.
  if (error instanceof SyntaxError)
    return new Failure(1, `the database contains a row that cannot be read: ${what}`, UNREADABLE_HINT);
  return new Failure(1, what, "set LEEWAY_DEBUG=1 to see where this came from");
}

/**
 * A refusal of a verb or a server: a `LeewayRefusal`, recognised by its fields, so that not every command has to load
 * the class.
 */
export function isRefusal(error: unknown): error is Error & Omit<Refused, "ok"> {
  return error instanceof Error && ["code", "reason", "hint"].every((part) => part in error);
}

type FileTrouble = Error & { code: string; path: string };

/** Errors of the operating system about a named file or folder. */
function isFileTrouble(error: unknown): error is FileTrouble {
  return error instanceof Error && "code" in error && "path" in error && typeof error.path === "string";
}

function fileTrouble({ code, path }: FileTrouble): Failure {
  return new Failure(1, `${path} cannot be used (${code})`, FILE_HINTS[code] ?? "check its type and its permissions");
}

const FULL_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/** The system did not say which file could not be written. */
function diskFull(code: string): Failure {
  const places = [...new Set([process.cwd(), process.env["XDG_STATE_HOME"] ?? homedir(), tmpdir()])].join(", ");
  return new Failure(
    1,
    `a disk is full, so a file could not be written (${code})`,
    `free some space, then run the command again; it writes below ${places}`,
  );
}

const FILE_HINTS: { readonly [code: string]: string } = {
  EACCES: "check its permissions, or use a folder that you can write to",
  EPERM: "check its permissions, or use a folder that you can write to",
  EROFS: "that disk is read-only; use a folder that you can write to",
  ENOENT: "check the path",
  ENOSPC: "its disk is full; free some space",
  EDQUOT: "your quota on its disk is used up; free some space",
};

const UNREADABLE_HINT = "run `leeway verify` to see what is damaged; restore a backup with `leeway restore`";

/**
 * A store's error has a hint, or its message says what is wrong and, after a semicolon, what to do; the database's own message
 * may be in brackets.
 */
function unavailable({ message, hint }: StoreUnavailable): Failure {
  const [, what, todo, words = ""] = /^([^;]+); (.+?)( \([^()]*\))?$/s.exec(message) ?? [];
  if (what === undefined || todo === undefined)
    return new Failure(1, message, hint.say === "hint.do_as_said" ? "try again" : textOf(hint, "en"));
  return new Failure(1, `${what}${words}`, todo);
}
