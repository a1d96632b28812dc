import {
  type AndOr,
  type ArithmeticFor,
  type CommandNode,
  type For,
  forEachChild,
  type If,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  type Select,
  type Statement,
  type SyntaxNode,
  type TestExpression,
  type While,
} from "unbash";
import { say } from "../messages/message.ts";
import { UNREAD } from "../tables/unread.ts";
import { countingOf, countingSide, isCounting } from "./arithmetic.ts";
import { namesFrom } from "./checks/handed-words.ts";
import { eachRound, lineName, namedFiles, oneOf, patternsOf, ROUNDS_MAX, touchedIn } from "./loops.ts";
import { apart, assignUnknown, count, perhaps, repeated, type Scope, setTo, type Touched } from "./scope.ts";
import { either, eitherPlace, type Input, type Place, SIMPLES_MAX, type Simple, type Word } from "./script.ts";
import { inputOf, isCrossed, redirectsOf, walkCommand } from "./simple-command.ts";
import { isNoOption } from "./substitution-output.ts";
import { filesFrom, walkInside, wordsFrom } from "./words.ts";

/** Reads a script as the shell would, and adds every simple command to the scope. */
export function walkScript(tree: ParsedScript | undefined, scope: Scope): void {
  if (tree === undefined || (tree.errors?.length ?? 0) > 0) {
    scope.doubts.add(UNREAD.invalid);
    scope.readable = false;
  }
  if (tree !== undefined) walkStatements(tree.commands, scope);
}

function walkStatements(statements: readonly Statement[], scope: Scope): void {
  for (const { command, background } of statements) {
    const before = scope.folders;
    if (background === true) apart(scope, () => walk(command, scope));
    else walk(command, scope);
    // After a `cd` that failed, the next line runs in the old folder.
    scope.folders = before === scope.folders ? before : either(before, scope.folders);
  }
}

function walk(node: PipelineNode | AndOr, scope: Scope, input?: Input): void {
  switch (node.type) {
    case "Command":
      walkCommand(node, scope, input);
      return;
    case "AndOr":
      walkAndOr(node, scope);
      return;
    case "Pipeline":
      walkPipeline(node, scope);
      return;
    case "Redirected":
      walkRedirected(node, scope, input);
      return;
    case "Function":
      // The arguments of a function, its folder and the number of its calls are not known here.
      apart(scope, () => repeated(scope, UNKNOWN_CALLER, () => walkNodes(node.body, scope)));
      return;
    case "Subshell":
      apart(scope, () => walkStatements(node.body.commands, scope));
      return;
    case "BraceGroup":
      walkStatements(node.body.commands, scope);
      return;
    case "For":
    case "Select":
      walkFor(node, scope);
      return;
    case "Coproc":
      scope.doubts.add(say("note.coprocess_input_known_only_at_run"));
      apart(scope, () => walkNodes(node.body, scope));
      for (const end of ["", "_PID"]) assignUnknown((node.name?.value ?? "COPROC") + end, scope);
      return;
    default:
      if (node.type !== "While" || !walkLines(node, scope, input)) walkBranches(node, scope);
  }
}

const UNKNOWN_CALLER: Touched = { names: new Set(), moves: true, any: true, opaque: false };

/** `find src | while read f; do … done` reads the body with the files that are found. */
function walkLines(node: While, scope: Scope, input: Input | undefined): boolean {
  const name = lineName(node.clause);
  const names = typeof input === "object" && "from" in input ? namesFrom(input.from) : "any";
  if (name === undefined || names === "any" || scope.shadowed.has("read")) return false;
  if (patternsOf(names, "line").length > ROUNDS_MAX) {
    scope.doubts.add(UNREAD.rounds);
    return false;
  }
  const touched = touchedIn(node.body, scope);
  repeated(scope, touched, () => {
    walkStatements(node.clause.commands, scope);
    eachRound(patternsOf(names, "line"), scope, (value) => {
      setTo(scope, name, touched.any || touched.names.has(name) ? undefined : value);
      walkStatements(node.body.commands, scope);
    });
    setTo(scope, name, undefined);
  });
  return true;
}

/** Conditions and their branches: each may run, be skipped, or run again. */
function walkBranches(
  node: Extract<CommandNode, { type: "If" | "While" | "ArithmeticFor" | "Case" | "TestCommand" | "ArithmeticCommand" }>,
  scope: Scope,
): void {
  const run = () => forEachChild(node, (child) => walkNodes(child, scope));
  if (node.type === "ArithmeticCommand" && !isCounting(node.body)) count(countingOf(node.expression), scope);
  if (node.type === "TestCommand") countTest(node.expression, scope);
  if (node.type === "ArithmeticFor")
    for (const one of [node.initialize, node.test, node.update]) if (one !== undefined) count(countingOf(one), scope);
  if (node.type === "ArithmeticFor") repeated(scope, touchedIn(node, scope), () => walkRounds(node, scope, run));
  else if (node.type === "While") repeated(scope, touchedIn(node, scope), run);
  else if (node.type === "If") walkIf(node, scope);
  else perhaps(scope, run);
}

/** `for ((i=0; i<3; i++))`: if the body does not change i, it is a number in every round. */
function walkRounds({ initialize, body }: ArithmeticFor, scope: Scope, run: () => void): void {
  const first = initialize?.type === "ArithmeticBinary" && initialize.operator === "=" ? initialize.left : undefined;
  const name = first?.type === "ArithmeticWord" ? first.value : undefined;
  const { any, opaque, names } = touchedIn(body, scope);
  if (name !== undefined && !any && !opaque && !names.has(name)) setTo(scope, name, SOME_NUMBER);
  run();
}

const SOME_NUMBER: Word = { kind: "open", text: "", start: "", split: false, printed: "number" };

/** If one branch runs, no other does. */
function walkIf(node: If, scope: Scope): void {
  perhaps(scope, () => {
    walkStatements(node.clause.commands, scope);
    for (const branch of [node.then, ...node.elif, node.else])
      if (branch !== undefined) perhaps(scope, () => walkNodes(branch, scope));
  });
}

const COMPARING = /^-(eq|ne|lt|le|gt|ge)$/;

/** `[[ a -gt b ]]` evaluates both sides, and `-v` the subscript of a name. */
function countTest(test: TestExpression, scope: Scope): void {
  if (test.type === "TestLogical") for (const one of test.operands) countTest(one, scope);
  else if (test.type === "TestNot") countTest(test.operand, scope);
  else if (test.type === "TestGroup") countTest(test.expression, scope);
  else if (test.type === "TestUnary") {
    if (/^-[vR]$/.test(test.operator)) count({ looks: [], sets: [], clear: /^\w+$/.test(test.operand.text) }, scope);
  } else if (COMPARING.test(test.operator))
    for (const side of [test.left, test.right]) count(countingSide(side), scope);
}

/** Any part of the tree: statements are read, and of the rest the scripts inside it. */
function walkNodes(node: SyntaxNode, scope: Scope): void {
  switch (node.type) {
    case "CompoundList":
      walkStatements(node.commands, scope);
      return;
    case "Elif":
    case "CaseItem":
      perhaps(scope, () => forEachChild(node, (child) => walkNodes(child, scope)));
      return;
    case "Word":
      wordsFrom(node, scope);
      return;
    default:
      if (isCommand(node)) walk(node, scope);
      else walkInside(node, scope);
  }
}

const COMMANDS = new Set(
  "Command Pipeline AndOr Redirected Function Subshell BraceGroup For Select Coproc If While ArithmeticFor Case TestCommand ArithmeticCommand".split(
    " ",
  ),
);

function isCommand(node: SyntaxNode): node is PipelineNode | AndOr {
  return COMMANDS.has(node.type);
}

/**
 * After `&&` the command before succeeded, after `||` it failed. Each may be skipped, and the list may stop after any of
 * them: every folder in which it may have stopped counts.
 */
function walkAndOr({ commands, operators }: AndOr, scope: Scope): void {
  const start = placeOf(scope);
  let [well, badly] = [start, start];
  let first = scope.simples.length;
  commands.forEach((command, i) => {
    if (operators[i - 1] !== "||") first = scope.simples.length;
    const operator = operators[i - 1];
    const before = operator === undefined ? start : operator === "&&" ? well : badly;
    goTo(scope, before);
    if (i === 0) walk(command, scope);
    else perhapsKeepingFolders(scope, () => walk(command, scope));
    if (operators[i - 1] === "||") for (const simple of scope.simples.slice(first)) simple.either = first;
    const after = placeOf(scope);
    const anywhere = eitherPlace(before, after);
    // For a simple command it is known that it succeeded, for others only that their last one did, or failed.
    const done = command.type === "Command" ? after : anywhere;
    if (operator === "||") [well, badly] = [eitherPlace(well, done), anywhere];
    else [well, badly] = [done, operator === undefined ? anywhere : eitherPlace(badly, anywhere)];
  });
  goTo(scope, eitherPlace(well, badly));
}

/** What follows `&&` or `||` may be skipped, but if it ran, the next one runs in its folder. */
function perhapsKeepingFolders(scope: Scope, run: () => void): void {
  let after = placeOf(scope);
  perhaps(scope, () => {
    run();
    after = placeOf(scope);
  });
  goTo(scope, after);
}

function placeOf({ folders, pushed }: Scope): Place {
  return { folders, pushed };
}

function goTo(scope: Scope, { folders, pushed }: Place): void {
  scope.folders = folders;
  scope.pushed = pushed;
}

function walkPipeline({ commands }: Pipeline, scope: Scope): void {
  if (commands.length === 1) {
    const [only] = commands;
    if (only !== undefined) walk(only, scope);
    return;
  }
  let input: Input | undefined;
  for (const command of commands) {
    const before = scope.simples.length;
    // The last command may run in the shell itself: in zsh always, in bash with an option.
    const within = command === commands.at(-1) ? perhaps : apart;
    within(scope, () => walk(command, scope, input));
    const from = command.type === "Command" && scope.simples.length > before ? scope.simples.at(-1) : undefined;
    input = from === undefined ? "unknown" : { from };
  }
}

function walkRedirected(
  node: Extract<CommandNode, { type: "Redirected" }>,
  scope: Scope,
  outer: Input | undefined,
): void {
  const redirects = redirectsOf(node.redirects, scope);
  const input = inputOf(node.redirects, scope) ?? outer;
  const { folders, simples } = scope;
  const crossed = node.redirects.some(isCrossed) ? true : undefined;
  // The redirections contain what the commands inside print.
  const within: Simple[] = [];
  if (redirects.length > 0 || crossed === true)
    simples.push({ words: [], sets: [], redirects, folders, within, crossed });
  const before = simples.length;
  walk(node.command, scope, input);
  within.push(...simples.slice(before));
}

function walkFor(node: For | Select, scope: Scope): void {
  const name = node.name.value;
  const words = (node.wordlist ?? []).flatMap((word) => filesFrom(word, scope)).flatMap(namedFiles);
  for (const value of words) scope.sets.push({ name, value });
  // A `for` without words loops over the arguments of the script.
  if (node.wordlist === undefined) assignUnknown(name, scope);
  // `select` puts the typed text into REPLY.
  if (node.type === "Select") assignUnknown("REPLY", scope);
  const few =
    node.type === "For" &&
    node.wordlist !== undefined &&
    words.length > 0 &&
    words.length <= ROUNDS_MAX &&
    scope.simples.length < SIMPLES_MAX;
  if (!few && words.length > 1 && words.every((word) => word.kind !== "open")) scope.doubts.add(UNREAD.rounds);
  // A list of digits or commit ids is known to contain nothing else, however long it is.
  const isKnown = words.every((word) => word.kind !== "open") || (words.length === 1 && words.every(isNoOption));
  const rounds: readonly (Word | undefined)[] = few && isKnown ? words.map(oneOf) : [undefined];
  const touched = touchedIn(node.body, scope);
  // Every round is read separately, with the state that the round before left.
  const told = rounds.every((word) => word?.kind === "plain");
  repeated(scope, told ? { ...touched, opaque: false } : touched, () => {
    eachRound(rounds, scope, (value) => {
      setTo(scope, name, touched.any || touched.names.has(name) ? undefined : value);
      walkStatements(node.body.commands, scope);
    });
    setTo(scope, name, undefined);
  });
}
