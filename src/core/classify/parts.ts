import type { ToolCall } from "../call.ts";
import type { Effect } from "../effect.ts";
import { plain, type Word } from "../shell/script.ts";
import type { Given } from "../shell/understand.ts";
import { doubtsOfGiven } from "../shell/variables.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";
import { argumentsIn, type Command, collect, commandsIn } from "./arguments.ts";
import type { Knowledge } from "./classify.ts";
import { doubt, type EffectDraft, levelOf, newDraft, partsFrom, type Reading } from "./effect-draft.ts";
import { baseOf, folderFrom } from "./located.ts";
import { addAddresses } from "./parts-address.ts";
import { partsOfCommand, type Where } from "./parts-command.ts";
import { addPaths } from "./parts-path.ts";
import { normalise } from "./path.ts";
import { graver } from "./protect.ts";
import { strayValues } from "./sending.ts";
import { sqlEffect } from "./sql.ts";

/** More places than this are not looked through by anybody; rules still see all of them. */
export const TARGETS_MAX = 1_000;

/** Reads the arguments as the line says, and adds up what they would do. */
export function effectOf(call: ToolCall, reading: Reading, knowledge: Knowledge): Effect {
  const draft = newDraft(reading.row, reading.understood, new Set(reading.notes));
  addPaths(draft, call, reading.mentioned, knowledge);
  addAddresses(draft, call, knowledge);
  addCommands(draft, call, knowledge);
  addStatements(draft, call);
  const { domain, reach } = draft.row;
  if (domain !== undefined) {
    draft.targets.push({ kind: "domain", domain, level: levelOf(draft) });
    draft.reaches.push(reach ?? "outside");
  }
  if (draft.targets.length > TARGETS_MAX) doubt(draft, `the call names more than ${TARGETS_MAX} things`, "not");
  const parts = partsFrom(draft, call.tool);
  const { understood, refused } = draft;
  const notes = [...draft.notes];
  return refused === undefined ? { parts, understood, notes } : { parts, understood, notes, refused };
}

function addCommands(draft: EffectDraft, call: ToolCall, knowledge: Knowledge): void {
  const { row } = draft;
  if (row.code !== undefined) doubt(draft, "what the code does is not examined");
  if (row.command === undefined) return;
  const cwd = folderOf(call, knowledge);
  const env = call.args.env ?? call.args.environment;
  const names = isObject(env) ? Object.keys(env) : [];
  const sets = names.map((name) => ({ name, value: setTo((env as JsonObject)[name]) }));
  for (const why of doubtsOfGiven({ words: [], sets })) doubt(draft, why);
  if (!isUsualShell(call.args)) doubt(draft, "which shell runs the command, or what it is handed, is not known");
  const where = { cwd, env: names };
  const commands = commandsIn(call.args, row.command);
  if (commands.length === 0 && row.class !== "unknown") doubt(draft, "no command was found in the arguments");
  for (const command of commands)
    addCommand(draft, row.foreign === true ? foreign(command) : command, where, knowledge);
}

const USUAL_SHELL = /^((\/usr)?\/bin\/)?(ba|z|da)?sh$/;

/** A tool may let the caller choose the shell, or write into the program's input. */
function isUsualShell(args: JsonObject): boolean {
  return argumentsIn(args).every(
    ({ name, value }) =>
      !name.holds.has("shell") ||
      typeof value === "boolean" ||
      value === null ||
      (typeof value === "string" && USUAL_SHELL.test(value)),
  );
}

function setTo(value: Json | undefined): Word {
  return typeof value === "string" ? plain(value) : { kind: "open", text: "", start: "", split: false };
}

/** Where a command runs: the tool's own working folder, which is relative to the call's. */
function folderOf(call: ToolCall, knowledge: Knowledge): string | undefined {
  const outer = baseOf(call.cwd, knowledge);
  const [given] = collect(call.args, "cwd workdir working_directory work_dir");
  const folder = given === undefined ? outer : folderFrom(given, outer, knowledge);
  return folder === undefined ? undefined : normalise(folder);
}

/** A text for a shell of another grammar; words are words in any shell. */
function foreign(command: Command): Given {
  return "line" in command ? { foreign: command.line } : command;
}

/** The programs that a command starts stand for the tool that starts them. */
function addCommand(draft: EffectDraft, command: Given, where: Where, knowledge: Knowledge): void {
  draft.commands.push(...partsOfCommand(draft, command, where, knowledge));
}

function addStatements(draft: EffectDraft, call: ToolCall): void {
  if (draft.row.sql === undefined) return;
  const statements = collect(call.args, draft.row.sql);
  if (statements.length === 0) doubt(draft, "no statement was found in the arguments");
  if (strayValues(call.args, draft.row.sql).length > 0) doubt(draft, "a statement is not given as text");
  for (const sql of statements) {
    const effect = sqlEffect(sql);
    draft.class = graver(draft.class, effect.class);
    draft.reversible &&= effect.reversible;
  }
}
