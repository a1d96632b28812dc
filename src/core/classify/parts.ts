import type { ToolCall } from "../call.ts";
import type { Effect } from "../effect.ts";
import { isObject } from "../values/json.ts";
import { type Command, collect, commandsIn } from "./arguments.ts";
import type { Knowledge } from "./classify.ts";
import { doubt, type EffectDraft, levelOf, newDraft, partsFrom, type Reading } from "./effect-draft.ts";
import { baseOf } from "./located.ts";
import { addAddresses } from "./parts-address.ts";
import { addPaths } from "./parts-path.ts";
import { normalise } from "./path.ts";
import { graver } from "./protect.ts";
import { strayValues } from "./sending.ts";
import { commandEffect } from "./shell/commands.ts";
import { sqlEffect } from "./sql.ts";

/** More places than this are not looked through by anybody; rules still see all of them. */
export const TARGETS_MAX = 1_000;

/** Reads the arguments as the line says, and adds up what they would do. */
export function effectOf(call: ToolCall, reading: Reading, knowledge: Knowledge): Effect {
  const draft = newDraft(reading);
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
  return {
    parts: partsFrom(draft, call.tool),
    understood: draft.understood,
    notes: [...draft.notes],
    ...(draft.refused === undefined ? {} : { refused: draft.refused }),
  };
}

function addCommands(draft: EffectDraft, call: ToolCall, knowledge: Knowledge): void {
  const { row } = draft;
  if (row.code !== undefined) doubt(draft, "what the code does is not examined");
  if (row.command === undefined) return;
  const cwd = folderOf(call, knowledge);
  const env = call.args.env ?? call.args.environment;
  const where = { ...(cwd === undefined ? {} : { cwd }), env: isObject(env) ? Object.keys(env) : [] };
  const commands = commandsIn(call.args, row.command);
  if (commands.length === 0 && row.class !== "unknown") doubt(draft, "no command was found in the arguments");
  for (const command of commands) addCommand(draft, command, where);
}

/** Where a command runs: the tool's own working folder, which is relative to the call's. */
function folderOf(call: ToolCall, knowledge: Knowledge): string | undefined {
  const outer = baseOf(call.cwd, knowledge);
  const [given] = collect(call.args, "cwd workdir working_directory work_dir");
  const { project: _, ...rest } = knowledge;
  const folder = given === undefined ? outer : baseOf(given, outer === undefined ? rest : { ...rest, project: outer });
  return folder === undefined ? undefined : normalise(folder);
}

function addCommand(draft: EffectDraft, command: Command, where: { cwd?: string; env: readonly string[] }): void {
  const effect = commandEffect(command, where);
  draft.targets.push(...effect.targets);
  draft.reaches.push("host");
  for (const note of effect.notes) doubt(draft, note, effect.readable ? "partly" : "not");
  if (!effect.runsLeeway) return;
  const because = "an agent does not run leeway itself; a person does";
  draft.class = "permissions.change";
  draft.reversible = false;
  draft.notes.add(because);
  draft.refused = { code: "LEEWAY_DENIED", because };
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
