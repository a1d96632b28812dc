import { EFFECT_CLASSES, type EffectClass } from "../effect.ts";
import { PROGRAM_FOLDERS } from "../tables/options.ts";
import { rowsOf } from "../tables/programs/index.ts";
import { type ProgramRow, ROLES, type Role } from "../tables/programs/row.ts";
import { once } from "../values/once.ts";

/** One option of a program: how it takes its value, and its effect. */
export type Option = {
  name: string;
  value: "none" | "needed" | "attached";
  role: Role;
  deep: boolean;
  /** Its effect cannot be undone. */
  lasting: boolean;
  graver?: EffectClass;
  only?: EffectClass;
};

/** A role at its position among the operands. */
export type Slot = { role: Role; many: boolean; optional: boolean; unless: readonly string[] };

/** The roles of the operands: those from the front, those from the back, the many in between. */
export type Layout = {
  slots: readonly Slot[];
  /** The position of the many among the slots, or -1. */
  many: number;
  front: readonly Slot[];
  back: readonly Slot[];
  /** True if not all are the same. */
  mixed: boolean;
};

/** A line of the table, parsed once. */
export type Program = {
  row: ProgramRow;
  options: ReadonlyMap<string, Option>;
  /** The options of one letter, by that letter. */
  letters: ReadonlyMap<string, Option>;
  slots: readonly Slot[];
  /** The slots except the command at their end. */
  layout: Layout;
  /** True if some words are missing when certain options are given. */
  conditional: boolean;
  /** How many words come before the command that it starts, and whether assignments may be there too. */
  lead: { fixed: number; sets: boolean } | undefined;
  /** True if its words follow no common rule and only its check reads them. */
  own: boolean;
  /** True if some option makes it write, run or send: then a word that may be an option is a doubt. */
  touchy: boolean;
  /** True if some option makes it start something or do something more serious. */
  starts: boolean;
  /** True if some option makes it start something, do something more serious, or change a file. */
  acts: boolean;
  /** Its subcommands, each parsed on first use: git alone has more than a hundred. */
  subs: ReadonlyMap<string, () => Program>;
};

type RowAt = { path: readonly string[]; row: () => ProgramRow };

function rowsFor(program: string): readonly RowAt[] {
  return rowsOf(program).flatMap(({ names, row }) =>
    names.map((name) => ({ path: name.split(" "), row })).filter(({ path }) => path[0] === program),
  );
}

/** Agents choose program names, so this cache has a limit. */
const KEPT_MAX = 4096;

const NAME_MAX = 64;

/** Parsed on first use: most programs of the table are never needed in one process. */
const known = new Map<string, Program | undefined>();

export function programCalled(name: string): Program | undefined {
  const before = known.get(name);
  if (before !== undefined || known.has(name)) return before;
  const rows = rowsFor(name);
  const program = rows.length === 0 ? undefined : compile(rows, [name]);
  if (known.size >= KEPT_MAX) known.clear();
  if (name.length <= NAME_MAX) known.set(name, program);
  return program;
}

function compile(rows: readonly RowAt[], path: readonly string[]): Program {
  const own = rows.find((one) => one.path.length === path.length)?.row() ?? {
    run: path.join(" "),
    class: "process.exec",
    tries: [],
  };
  const subs = subsFrom(rows, path);
  classFrom(own.class, own.run);
  const options = optionsFrom(own.options ?? "", own.run);
  const slots = slotsFrom(own.takes ?? "");
  return {
    row: own,
    options,
    letters: new Map([...options].filter(([name]) => /^-.$/s.test(name)).map(([name, one]) => [name.slice(1), one])),
    slots,
    layout: layoutOf(slots.filter((slot) => slot.role !== "command")),
    conditional: slots.some((slot) => slot.unless.length > 0),
    lead: leadOf(slots),
    own: own.check !== undefined && own.takes === undefined && own.options === undefined && subs.size === 0,
    touchy: [...options.values()].some(
      (option) => !isText(option.role) || option.graver !== undefined || option.lasting,
    ),
    starts: [...options.values()].some(startsMore),
    acts: [...options.values()].some((option) => startsMore(option) || option.lasting || CHANGING.has(option.role)),
    subs,
  };
}

function subsFrom(rows: readonly RowAt[], path: readonly string[]): Program["subs"] {
  const deeper = new Map<string, RowAt[]>();
  for (const row of rows) {
    const name = row.path[path.length];
    if (name === undefined) continue;
    const held = deeper.get(name);
    if (held === undefined) deeper.set(name, [row]);
    else held.push(row);
  }
  return new Map([...deeper].map(([name, below]) => [name, once(() => compile(below, [...path, name]))]));
}

export function layoutOf(slots: readonly Slot[]): Layout {
  const many = slots.findIndex((slot) => slot.many);
  return {
    slots,
    many,
    front: many === -1 ? slots : slots.slice(0, many),
    back: many === -1 ? [] : slots.slice(many + 1),
    mixed: slots.some((slot) => slot.role !== slots[0]?.role),
  };
}

/** A text that names nothing on this machine, whether the program sends it or keeps it. */
export function isText(role: Role): boolean {
  return role === "text" || role === "local";
}

function leadOf(slots: readonly Slot[]): Program["lead"] {
  const at = slots.findIndex((slot) => slot.role === "command");
  if (at === -1) return undefined;
  const fixed = slots.slice(0, at).filter((slot) => slot.role !== "env").length;
  return { fixed, sets: fixed < at };
}

function startsMore({ role, graver }: Option): boolean {
  return STARTING.has(role) || graver !== undefined;
}

/** Roles of option values that make a program start something else. */
export const STARTING: ReadonlySet<Role> = new Set<Role>(["line", "program", "code", "command"]);

/** Roles of option values that a program changes. */
const CHANGING: ReadonlySet<Role> = new Set<Role>(["file", "write", "delete", "move"]);

const OPTION = /^((?:[-+][^,=?<>*!]+,?)+)(?:([?=])([a-z]*))?(\*)?(!)?(?:([<>])([a-z_.]+))?$/;

export function optionsFrom(text: string, line = ""): ReadonlyMap<string, Option> {
  const options = new Map<string, Option>();
  for (const token of text.split(" ").filter((part) => part !== "")) {
    const found = OPTION.exec(token);
    if (found === null) throw new Error(`invalid option \`${token}\``);
    const [, spellings = "", value, role = "", deep, lasting, sign, kind] = found;
    const names = spellings.split(",");
    const option: Option = {
      name: names[0] ?? "",
      value: value === undefined ? "none" : value === "?" ? "attached" : "needed",
      role: role === "" ? "text" : roleFrom(role),
      deep: deep !== undefined,
      lasting: lasting !== undefined,
      ...(sign === ">" ? { graver: classFrom(kind, line) } : {}),
      ...(sign === "<" ? { only: classFrom(kind, line) } : {}),
    };
    for (const name of names) options.set(name, option);
  }
  return options;
}

export function slotsFrom(text: string): Slot[] {
  return text
    .split(" ")
    .filter((part) => part !== "")
    .map(slotFrom);
}

function slotFrom(text: string): Slot {
  const [, role = "", mark = "", unless = ""] = /^([a-z]+)(\.\.\.|\?)?(?:!(.*))?$/.exec(text) ?? [];
  return {
    role: roleFrom(role),
    many: mark === "...",
    optional: mark === "?",
    unless: unless === "" ? [] : unless.split(","),
  };
}

function roleFrom(text: string): Role {
  const role = ROLES.find((one) => one === text);
  if (role === undefined) throw new Error(`unknown role \`${text}\``);
  return role;
}

/** The class that a line of the table names. */
export function classFrom(text: string | undefined, line: string): EffectClass {
  const found = EFFECT_CLASSES.find((one) => one === text);
  if (found === undefined) throw new Error(`unknown class \`${text}\` in the paragraph of \`${line}\``);
  return found;
}

/** Builtins of bash, for which no file is started. */
export const BUILTINS: ReadonlySet<string> = new Set(
  (
    ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable " +
    "eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd " +
    "read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias " +
    "unset wait [[ time"
  ).split(" "),
);

/** `/usr/bin/git` is git and `python3.11` is python; a program in any other folder is identified by its path. */
export function nameOf(word: string): string {
  const name = word.startsWith("/") ? withoutFolder(word) : word;
  return name.charCodeAt(name.length - 1) <= NINE && VERSIONED.test(name) ? name.replace(/[\d.]+$/, "") : name;
}

function withoutFolder(path: string): string {
  const folder = PROGRAM_FOLDERS.find((start) => path.startsWith(start));
  return folder === undefined || path.includes("/", folder.length) ? path : path.slice(folder.length);
}

/** Digits, and the dot before them, sort before every letter. */
const NINE = "9".charCodeAt(0);

const VERSIONED = /^(python|pip|perl|ruby|node|nodejs|php|lua|pypy|gcc|clang)[\d.]+$/;

/**
 * The name of a program in some other folder, and git's name for one of its own subcommands. Undefined if the name is
 * already the program's.
 */
export function namesakesOf(word: string): readonly string[] | undefined {
  const name = word.slice(word.lastIndexOf("/") + 1);
  const [, own] = /^git-(.+)$/.exec(name) ?? [];
  if (own !== undefined) return ["git", own];
  return name === "" || name === word || nameOf(word) !== word ? undefined : [name];
}
