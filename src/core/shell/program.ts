import { EFFECT_CLASSES, type EffectClass } from "../effect.ts";
import { PROGRAM_ROWS } from "../tables/programs/index.ts";
import { type ProgramRow, ROLES, type Role } from "../tables/programs/row.ts";

/** One option of a program: how it takes its value, and what giving it does. */
export type Option = {
  name: string;
  value: "none" | "needed" | "attached";
  role: Role;
  deep: boolean;
  /** What it makes the command do cannot be undone. */
  lasting: boolean;
  graver?: EffectClass;
  only?: EffectClass;
};

/** A role in its place among the words that are no options. */
export type Slot = { role: Role; many: boolean; optional: boolean; unless: readonly string[] };

/** A line of the table, taken apart once. */
export type Program = {
  row: ProgramRow;
  options: ReadonlyMap<string, Option>;
  slots: readonly Slot[];
  /** True where some option makes it write, run or send: then a word that may be an option is a doubt. */
  touchy: boolean;
  /** True where some option makes it start something or do something graver. */
  starts: boolean;
  subs: ReadonlyMap<string, Program>;
};

const rowsOf = new Map<string, { path: readonly string[]; row: ProgramRow }[]>();
for (const row of PROGRAM_ROWS) {
  for (const name of row.run.split(",")) {
    const path = name.trim().split(" ");
    const [program = ""] = path;
    rowsOf.set(program, [...(rowsOf.get(program) ?? []), { path, row }]);
  }
}

/** Taken apart when first met: most programs of the table are never asked about in one process. */
const compiled = new Map<string, Program | undefined>();

export function programCalled(name: string): Program | undefined {
  if (!rowsOf.has(name)) return undefined;
  if (!compiled.has(name)) compiled.set(name, compile(rowsOf.get(name) ?? [], [name]));
  return compiled.get(name);
}

export function programNames(): readonly string[] {
  return [...rowsOf.keys()];
}

function compile(rows: readonly { path: readonly string[]; row: ProgramRow }[], path: readonly string[]): Program {
  const depth = path.length;
  const own = rows.find((one) => one.path.length === depth)?.row ?? {
    run: path.join(" "),
    class: "process.exec",
    tries: [],
  };
  const deeper = rows.filter((one) => one.path.length > depth);
  const subs = new Map<string, Program>();
  for (const name of new Set(deeper.map((one) => one.path[depth] ?? ""))) {
    subs.set(
      name,
      compile(
        deeper.filter((one) => one.path[depth] === name),
        [...path, name],
      ),
    );
  }
  const options = optionsFrom(own.options ?? "");
  return {
    row: own,
    options,
    slots: (own.takes ?? "")
      .split(" ")
      .filter((text) => text !== "")
      .map(slotFrom),
    touchy: [...options.values()].some(
      (option) => option.role !== "text" || option.graver !== undefined || option.lasting,
    ),
    starts: [...options.values()].some((option) => STARTING.has(option.role) || option.graver !== undefined),
    subs,
  };
}

/** Roles of values by which an option makes a program start something else. */
export const STARTING: ReadonlySet<Role> = new Set<Role>(["line", "program", "code", "command"]);

const OPTION = /^((?:[-+][^,=?<>*!]+,?)+)(\?|=([a-z]*))?(\*)?(!)?(?:([<>])([a-z_.]+))?$/;

export function optionsFrom(text: string): ReadonlyMap<string, Option> {
  const options = new Map<string, Option>();
  for (const token of text.split(" ").filter((part) => part !== "")) {
    const found = OPTION.exec(token);
    if (found === null) throw new Error(`the option ${token} of the table cannot be read`);
    const [, spellings = "", value, role = "", deep, lasting, sign, kind] = found;
    const names = spellings.split(",");
    const option: Option = {
      name: names[0] ?? "",
      value: value === undefined ? "none" : value === "?" ? "attached" : "needed",
      role: role === "" ? "text" : roleFrom(role),
      deep: deep !== undefined,
      lasting: lasting !== undefined,
      ...(sign === ">" ? { graver: classFrom(kind) } : {}),
      ...(sign === "<" ? { only: classFrom(kind) } : {}),
    };
    for (const name of names) options.set(name, option);
  }
  return options;
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
  if (role === undefined) throw new Error(`the role ${text} of the table is not known`);
  return role;
}

function classFrom(text: string | undefined): EffectClass {
  const found = EFFECT_CLASSES.find((one) => one === text);
  if (found === undefined) throw new Error(`the class ${text} of the table is not known`);
  return found;
}
