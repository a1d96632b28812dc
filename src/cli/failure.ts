import type { Code, Refused } from "../core/codes.ts";
import type { Outcome } from "../core/decision.ts";
import { visible } from "../core/values/text.ts";
import { StoreUnavailable } from "../ports.ts";
import { coloursFor, type Io, widthOf } from "./io.ts";
import { wrapBelow } from "./table.ts";

/** What a command ends with; `run` that ran ends with the command's own code. */
export const EXITS = {
  0: "fine, or the call would run",
  1: "error",
  2: "wrong usage",
  3: "the call would be asked about, or is pending",
  4: "not executed (suggest, shadow)",
  5: "denied, or needs a person",
} as const;
export type Exit = keyof typeof EXITS;

export const OUTCOME_EXITS: Record<Outcome, Exit> = { run: 0, pending: 3, not_executed: 4, denied: 5, delegated: 3 };

/** An expected end of a command that did not do what it was asked to. */
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

/** Refusals that mean "not you" or "not like this" end with 5, wrong input with 2, everything else with 1. */
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
  return new Failure(REFUSAL_EXITS[refused.code] ?? 1, `${refused.reason} (${refused.code})`, refused.hint);
}

/** The value of a verb, or its refusal as the end of the command. */
export function orFail<T extends { ok: true }>(answer: T | Refused): T {
  if (answer.ok) return answer;
  throw failureOf(answer);
}

/** Tells whoever looks at the terminal what happened and what to do; a stack trace only on demand. */
export function report(io: Io, error: unknown): number {
  const colours = coloursFor(io.stderr, io.env);
  const failure = error instanceof Failure ? error : unexpected(error);
  const told = `${colours.red("leeway:")} ${shown(failure.message)}\n  ${colours.dim("hint:")} ${shown(failure.hint)}`;
  // Programs match lines; only on a screen are they broken, between words.
  const broken = (line: string) => (io.stderr.isTTY === true ? wrapBelow(line, widthOf(io.stderr)) : line);
  io.stderr.write(`${told.split("\n").map(broken).join("\n")}\n`);
  if ((io.env["LEEWAY_DEBUG"] ?? "") !== "" && error instanceof Error) io.stderr.write(`${error.stack}\n`);
  return failure.exit;
}

const LINE_LENGTH_MAX = 1000;

/** What was typed or read comes back in messages: it must not draw on the terminal, nor fill it. */
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
  // Errors of the project say what to do; some have it in their message already.
  if (error instanceof Error && "hint" in error && typeof error.hint === "string") {
    return new Failure(1, what.replace(`; ${error.hint}`, ""), error.hint);
  }
  if (isFileTrouble(error)) return fileTrouble(error);
  if (error instanceof StoreUnavailable) return error.refused ? failureOf(error.refused) : unavailable(what);
  // Whatever came from outside was parsed with its own words; what is left is what the database holds.
  if (error instanceof SyntaxError)
    return new Failure(1, `the database holds a row that cannot be read: ${what}`, UNREADABLE_HINT);
  return new Failure(1, what, "set LEEWAY_DEBUG=1 to see where this came from");
}

/** What a verb or a server refused: a `LeewayRefusal`, told by its parts so that not every command has to load it. */
export function isRefusal(error: unknown): error is Error & Omit<Refused, "ok"> {
  return error instanceof Error && ["code", "reason", "hint"].every((part) => part in error);
}

type FileTrouble = Error & { code: string; path: string };

/** What the operating system says of a file or folder that it was asked for by name. */
function isFileTrouble(error: unknown): error is FileTrouble {
  return error instanceof Error && "code" in error && "path" in error && typeof error.path === "string";
}

function fileTrouble({ code, path }: FileTrouble): Failure {
  return new Failure(1, `${path} cannot be used (${code})`, FILE_HINTS[code] ?? "check what it is and its permissions");
}

const FILE_HINTS: { readonly [code: string]: string } = {
  EACCES: "check its permissions, or use a folder that you may write to",
  EPERM: "check its permissions, or use a folder that you may write to",
  EROFS: "that disk can only be read; use a folder that you may write to",
  ENOENT: "check the path",
  ENOSPC: "the disk is full; free some of it",
};

const UNREADABLE_HINT = "`leeway verify` says which; restore a backup with `leeway restore`";

/** A store says what is wrong, and after a semicolon what to do; in brackets may stand what the database itself said. */
function unavailable(said: string): Failure {
  const [, what, todo, words = ""] = /^([^;]+); (.+?)( \([^()]*\))?$/s.exec(said) ?? [];
  if (what === undefined || todo === undefined) return new Failure(1, said, "try again; nothing was changed");
  return new Failure(1, `${what}${words}`, todo);
}
