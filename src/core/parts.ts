import { type Command, collect, commandsIn } from "./arguments.ts";
import type { ToolCall } from "./call.ts";
import type { Knowledge } from "./classify.ts";
import {
  type Effect,
  type EffectClass,
  LEVELS,
  type Level,
  lessUnderstood,
  type Part,
  REACHES,
  type Reach,
  type Target,
  type Understood,
} from "./effect.ts";
import { isObject } from "./json.ts";
import { baseOf, type Located, locate, type PathUse } from "./located.ts";
import { patchedFiles } from "./patch.ts";
import { type Act, graver } from "./protect.ts";
import { commandEffect } from "./shell/commands.ts";
import { sqlEffect } from "./sql.ts";
import { CLASS_DEFAULTS, type ToolRow } from "./tables/tools.ts";
import { parseAddress } from "./url.ts";

/** A tool as it is to be read: a line of the table, a declaration of the operator, or a guess. */
export type Reading = { row: ToolRow; understood: Understood; notes: readonly string[]; mentioned: Mentioned };

/** Paths that no line of the table names, and what the tool seems to do with them. */
export type Mentioned = { act: Act; paths: readonly string[] };

/** More places than this are not looked through by anybody; rules still see all of them. */
export const TARGETS_MAX = 1_000;

type Draft = {
  class: EffectClass;
  targets: Target[];
  reaches: Reach[];
  reversible: boolean;
  method?: string;
  /** Parts that are graver than the tool is: protected paths, credentials handed out by an address. */
  graver: Part[];
  understood: Understood;
  notes: Set<string>;
  refused?: Effect["refused"];
};

/** Reads the arguments as the line says, and adds up what they would do. */
export function effectOf(call: ToolCall, reading: Reading, knowledge: Knowledge): Effect {
  const { row } = reading;
  const draft: Draft = {
    class: row.class,
    targets: [],
    reaches: [],
    reversible: row.reversible ?? CLASS_DEFAULTS[row.class].reversible,
    graver: [],
    understood: reading.understood,
    notes: new Set(reading.notes),
  };
  addPaths(draft, call, reading, knowledge);
  addAddresses(draft, call, row);
  addCommands(draft, call, row, knowledge);
  addStatements(draft, call, row);
  if (row.domain !== undefined) {
    draft.targets.push({ kind: "domain", domain: row.domain, level: levelOf(row, draft.class) });
  }
  if (draft.targets.length > TARGETS_MAX) doubt(draft, `the call names more than ${TARGETS_MAX} things`, "not");
  return {
    parts: partsFrom(draft, call, row),
    understood: draft.understood,
    notes: [...draft.notes],
    ...(draft.refused === undefined ? {} : { refused: draft.refused }),
  };
}

function partsFrom(draft: Draft, call: ToolCall, row: ToolRow): [Part, ...Part[]] {
  const defaults = CLASS_DEFAULTS[draft.class];
  const level = draft.targets.reduce<Level>(
    (held, target) => (LEVELS.indexOf(target.level) > LEVELS.indexOf(held) ? target.level : held),
    levelOf(row, draft.class),
  );
  const main: Part = {
    class: draft.class,
    capability: (draft.class === row.class ? row.capability : undefined) ?? defaults.capability,
    level,
    targets: draft.targets.length > 0 ? draft.targets : [{ kind: "tool", tool: call.tool, level }],
    reversible: draft.reversible,
    reach: widest(draft.reaches) ?? row.reach ?? defaults.reach,
    ...(draft.method === undefined ? {} : { method: draft.method }),
  };
  const [first, ...rest] = draft.graver;
  if (first === undefined) return [main];
  // Where everything the call names is protected, nothing is left that the tool's own class would speak of.
  const covered = draft.targets.length === 0 && row.class.startsWith("fs.");
  return covered ? [first, ...rest] : [first, ...rest, main];
}

function addPaths(draft: Draft, call: ToolCall, { row, mentioned }: Reading, knowledge: Knowledge): void {
  const base = baseOf(call.cwd, knowledge);
  const level = levelOf(row, draft.class);
  const deep = row.deep === true || call.args.recursive === true || call.args.recursive === "true";
  const swaps = row.class === "fs.move" || row.class === "fs.copy";
  const uses: { text: string; use: PathUse }[] = [
    ...collect(call.args, row.reads).map((text) => ({
      text,
      use: { act: "read" as const, level: "read" as const, deep },
    })),
    ...collect(call.args, row.writes).map((text) => ({
      text,
      use: { act: swaps ? ("replace" as const) : ("write" as const), level, deep },
    })),
    ...collect(call.args, row.deletes).map((text) => ({ text, use: { act: "replace" as const, level, deep } })),
    ...mentioned.paths.map((text) => ({ text, use: { act: mentioned.act, level, deep } })),
  ];
  for (const patch of collect(call.args, row.patch)) {
    for (const file of patchedFiles(patch)) {
      uses.push({
        text: file.path,
        use: { act: file.deleted ? "replace" : "write", level: file.deleted ? "admin" : level, deep: false },
      });
      if (file.deleted) draft.class = graver(draft.class, "fs.delete");
    }
  }
  const named = row.reads ?? row.writes ?? row.deletes ?? row.patch;
  if (named !== undefined && uses.length === 0) {
    if (row.here === true && base !== undefined) uses.push({ text: base, use: { act: "read", level, deep } });
    else doubt(draft, "no path was found in the arguments");
  }
  for (const { text, use } of uses) addPath(draft, locate(text, use, base, knowledge), use);
}

function addPath(draft: Draft, located: Located, use: PathUse): void {
  for (const why of located.doubts) doubt(draft, why);
  if (use.act !== "read" && !located.factual) doubt(draft, "nobody looked where the path really leads");
  const { protection } = located;
  const outweighed =
    protection !== undefined && draft.class !== "unknown" && graver(protection.class, draft.class) === draft.class;
  if (protection === undefined || outweighed) {
    draft.targets.push(...located.targets);
    draft.reaches.push(located.reach);
    if (protection !== undefined) draft.notes.add(`the path is ${protection.what}`);
    return;
  }
  const { capability, level, reversible } = CLASS_DEFAULTS[protection.class];
  draft.notes.add(`the path is ${protection.what}`);
  draft.graver.push({
    class: protection.class,
    capability,
    level,
    targets: located.targets,
    reversible,
    reach: located.reach,
  });
}

const READING = new Set(["GET", "HEAD", "OPTIONS"]);

function addAddresses(draft: Draft, call: ToolCall, row: ToolRow): void {
  if (row.urls === undefined) return;
  const method = (collect(call.args, "method http_method verb")[0] ?? "").trim().toUpperCase();
  if (method !== "") draft.method = method;
  if (method !== "" && !READING.has(method)) {
    draft.class = graver(draft.class, "network.write");
    draft.reversible = false;
  }
  const found = collect(call.args, row.urls).flatMap((text) =>
    /\s/.test(text.trim()) ? (text.match(/[a-z]+:\/\/[^\s<>"')\]]+/gi) ?? []) : [text],
  );
  if (found.length === 0 && row.class !== "unknown") doubt(draft, "no address was found in the arguments");
  for (const text of found) addAddress(draft, text, methodLevel(method, levelOf(row, draft.class)));
}

function addAddress(draft: Draft, text: string, level: Level): void {
  const parsed = parseAddress(text);
  if (!parsed.ok) {
    doubt(draft, parsed.why);
    return;
  }
  const { address } = parsed;
  for (const note of address.notes) draft.notes.add(note);
  if (!/^(https?|wss?|ftp)$/.test(address.scheme))
    doubt(draft, `what an address of kind ${address.scheme} does is not known`);
  const target: Target = {
    kind: "domain",
    domain: address.host,
    ...(address.port === undefined ? {} : { port: address.port }),
    level,
  };
  if (address.metadata) {
    draft.notes.add(`${address.host} hands out credentials`);
    const { capability, reversible } = CLASS_DEFAULTS["secrets.read"];
    draft.graver.push({
      class: "secrets.read",
      capability,
      level: "admin",
      targets: [{ ...target, level: "admin" }],
      reversible,
      reach: "host",
    });
    return;
  }
  draft.targets.push(target);
  draft.reaches.push(address.reach);
}

function methodLevel(method: string, level: Level): Level {
  if (method === "" || READING.has(method)) return level;
  return ["POST", "PUT", "PATCH"].includes(method) ? "write" : "execute";
}

function addCommands(draft: Draft, call: ToolCall, row: ToolRow, knowledge: Knowledge): void {
  if (row.code !== undefined) doubt(draft, "what the code does is not examined");
  if (row.command === undefined) return;
  const [given] = collect(call.args, "cwd workdir working_directory work_dir workingDirectory");
  const base = baseOf(
    given ?? call.cwd,
    given === undefined ? knowledge : { ...knowledge, ...projectAt(call, knowledge) },
  );
  const env = call.args.env ?? call.args.environment;
  const where = { ...(base === undefined ? {} : { cwd: base }), env: isObject(env) ? Object.keys(env) : [] };
  const commands = commandsIn(call.args, row.command);
  if (commands.length === 0 && row.class !== "unknown") doubt(draft, "no command was found in the arguments");
  for (const command of commands) addCommand(draft, command, where);
}

/** A tool's own working folder is relative to the call's. */
function projectAt(call: ToolCall, knowledge: Knowledge): { project?: string } {
  const base = baseOf(call.cwd, knowledge);
  return base === undefined ? {} : { project: base };
}

function addCommand(draft: Draft, command: Command, where: { cwd?: string; env: readonly string[] }): void {
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

function addStatements(draft: Draft, call: ToolCall, row: ToolRow): void {
  if (row.sql === undefined) return;
  const statements = collect(call.args, row.sql);
  if (statements.length === 0) doubt(draft, "no statement was found in the arguments");
  for (const sql of statements) {
    const effect = sqlEffect(sql);
    draft.class = graver(draft.class, effect.class);
    draft.reversible &&= effect.reversible;
  }
}

function levelOf(row: ToolRow, of: EffectClass): Level {
  return (of === row.class ? row.level : undefined) ?? CLASS_DEFAULTS[of].level;
}

function doubt(draft: Draft, why: string, understood: Understood = "partly"): void {
  draft.understood = lessUnderstood(draft.understood, understood);
  draft.notes.add(why);
}

function widest(reaches: readonly Reach[]): Reach | undefined {
  return reaches.reduce<Reach | undefined>(
    (held, reach) => (held === undefined || REACHES.indexOf(reach) > REACHES.indexOf(held) ? reach : held),
    undefined,
  );
}
