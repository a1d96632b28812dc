import { type EffectClass, graver } from "../effect.ts";
import { type Message, Notes, say } from "../messages/message.ts";
import type { Obeying } from "../tables/obeyed.ts";
import type { Role } from "../tables/programs/row.ts";
import { declared } from "./builtins.ts";
import { SAME_SHELL, SYSTEM_SHELL } from "./other-shells.ts";
import { type Layout, layoutOf, type Program, type Slot } from "./program.ts";
import { type Assigned, inFolder, type Simple, type Word } from "./script.ts";

/** What is done to a path that a command names. */
export type PathWord = {
  act: "read" | "write" | "delete" | "move";
  deep: boolean;
  word: Word;
  /** Every file there is shown, including hidden ones. */
  all?: boolean;
  /** Every file there is shown, except hidden ones. */
  open?: boolean;
  /** It is created if it does not exist, even by a command that only reads it. */
  made?: boolean;
  /** Another program selects the files below it. */
  handed?: boolean;
  /** No content is shown, or only the lines that match the search. */
  silent?: boolean;
};

/** A text that a command gives to a shell, and the name of that shell. */
type InnerText = { text: string; shell: string };

/** A simple command as the table reads it. */
export type Line = {
  simple: Simple;
  /** The program's name as in the table, with its subcommands; as written if the table has none. */
  name: string;
  program?: Program;
  /** How many of its words name the program and its subcommand, with the options between them. */
  named: number;
  class: EffectClass;
  /** Further effects besides its class. */
  besides: Set<EffectClass>;
  /** Options by their first spelling, with their values. */
  given: Map<string, (Word | undefined)[]>;
  operands: readonly Word[];
  /** Words that hold a value which the program does not send to another machine. */
  local: Set<Word>;
  paths: PathWord[];
  urls: Word[];
  hosts: Word[];
  statements: Word[];
  /** Commands that this one starts, as words or as a text for a shell. */
  inner: (Simple | InnerText)[];
  /** Variables that the command sets for what it starts. */
  sets: Assigned[];
  folders: Simple["folders"];
  /** Settings that it searches and follows: those of its folder, or of a place that it names. */
  obeys: { by: Obeying; at?: Word }[];
  /** Places below which it puts unknown content. */
  brings: Word[];
  /** Everything below its paths is included. */
  deep: boolean;
  /** Cannot be undone, even if its class usually can. */
  lasting: boolean;
  doubts: Notes;
};

export function newLine(simple: Simple): Line {
  return {
    simple,
    name: "",
    named: 1,
    class: "none",
    besides: new Set(),
    given: new Map(),
    operands: [],
    local: new Set(),
    paths: [],
    urls: [],
    hosts: [],
    statements: [],
    inner: [],
    sets: [],
    folders: simple.folders,
    obeys: [],
    brings: [],
    deep: false,
    lasting: false,
    doubts: new Notes(),
  };
}

/** Words that are a command of their own, run in the same place; they are also shown there. */
export function startInner(line: Line, words: readonly Word[], more: Simple["more"] = line.simple.more): void {
  if (words.length === 0) return;
  doubtFolder(line, words);
  line.inner.push({
    words,
    sets: line.sets,
    redirects: [],
    folders: line.folders,
    span: line.simple.span,
    input: line.simple.input,
    more,
  });
}

/** `$PWD` is written as a dot, which would be another folder for a program that changes the folder first. */
export function doubtFolder(line: Line, words: readonly Word[]): void {
  if (line.folders !== line.simple.folders && words.some((word) => word.kind !== "open" && word.from !== undefined))
    line.doubts.add(say("note.path_base_unknown"));
}

/** Gives every word its role: the first ones from the front, the last ones from the back, the many in between. */
export function takeOperands(line: Line, program: Program): void {
  const { slots, many, front, back, mixed } = program.conditional ? layoutFor(line, program) : program.layout;
  const { operands } = line;
  const spare = operands.length - front.length - back.length;
  if (many === -1 && spare > 0) line.doubts.add(say("note.too_many_operands", { program: line.name }));
  operands.forEach((word, i) => {
    const slot =
      i < front.length
        ? front[i]
        : i >= operands.length - back.length
          ? back[i - (operands.length - back.length)]
          : slots[many];
    takeWord(line, slot?.role ?? "text", word);
  });
  // A pattern may become several names, of which the last would then be the one that is written.
  const fixed = many === -1 ? 0 : operands.length - back.length;
  if (mixed && operands.some((word, i) => isSplit(word) || (word.kind === "glob" && i >= fixed))) {
    line.doubts.add(say("note.word_count_known_only_at_run"));
  }
  const handed = line.simple.input !== undefined && !line.deep;
  const here = program.row.here === true || (program.row.here === "alone" && !handed);
  if (here && line.paths.length === 0 && line.simple.more === undefined) {
    takeWord(line, slots.find((slot) => PATH_ROLES.has(slot.role))?.role ?? "read", HERE);
  }
  if (line.simple.more === undefined || line.inner.length > 0) return;
  takeMore(line, line.simple.more, slots.at(many === -1 ? slots.length - 1 : many));
  // The last of the words from another program may be the one that is written.
  if (many !== -1) for (const slot of back) takeMore(line, line.simple.more, slot);
}

const HERE: Word = { kind: "plain", text: "." };

/** Some words are missing if certain options are given. */
function layoutFor({ given }: Line, { layout, options }: Program): Layout {
  const isLeftOut = (name: string) => given.has(options.get(name)?.name ?? name);
  return layoutOf(layout.slots.filter((slot) => !slot.unless.some(isLeftOut)));
}

function isSplit(word: Word): boolean {
  return word.kind === "open" && word.split;
}

/** Words that another program appends. */
function takeMore(line: Line, more: Simple["more"] & {}, slot: Slot | undefined): void {
  const role = slot?.role ?? "text";
  const { touchy = true, acts = true, row } = line.program ?? {};
  if (slot !== undefined && role === "text" && !touchy && row?.free === true) return;
  if (slot === undefined && line.operands.length === 0) line.doubts.add(say("note.action_known_only_at_run"));
  if (more === "any") line.doubts.add(say("note.more_words_known_only_at_run"));
  else if (acts && more.bare === true) line.doubts.add(say("note.name_may_be_option"));
  if (more === "any" || !PATH_ROLES.has(role)) return;
  for (const root of more.under)
    takeWord(line, role, { kind: "plain", text: root }, { deep: true, all: more.all === true, handed: true });
}

const PATH_ROLES: ReadonlySet<Role> = new Set(["file", "read", "deep", "write", "delete", "move"]);

/** One word with its role, as an operand or as the value of an option. */
export function takeWord(line: Line, role: Role, word: Word, { deep = false, all = false, handed = false } = {}): void {
  if (role === "text" || role === "local" || role === "command") return;
  if (word.kind === "open" && role !== "env") {
    line.doubts.add(OPEN[role] ?? say("note.word_known_only_at_run"));
  }
  switch (role) {
    case "list":
      line.doubts.add(say("note.files_listed_in_file"));
      line.paths.push({ act: "read", deep: false, word });
      return;
    case "folder":
      doubtFolder(line, [word]);
      line.folders = word.kind === "plain" ? line.folders?.map((folder) => inFolder(folder, word.text)) : undefined;
      return;
    case "url":
      line.urls.push(word);
      return;
    case "host":
      line.hosts.push(word);
      return;
    case "sql":
      line.statements.push(word);
      return;
    case "line":
    case "program":
      if (word.kind === "plain")
        line.inner.push({ text: word.text, shell: OWN_LINES.has(line.name) ? SAME_SHELL : SYSTEM_SHELL });
      // The started program may read its input as commands.
      if (role === "program" && !PASSING.test(word.text)) line.besides.add("process.exec");
      return;
    case "code":
      line.class = graver(line.class, "process.exec");
      line.doubts.add(say("note.code_not_examined"));
      return;
    case "env":
      line.sets.push(...declared(word));
      return;
    default:
      // A single dash is the input or the output of the command itself.
      if (word.kind === "plain" && word.text === "-" && (role === "read" || role === "write")) return;
      line.paths.push({
        act: actOf(line, role),
        deep: deep || role === "deep" || line.deep,
        word,
        ...(all || (word.kind === "glob" && word.all === true) ? { all: true } : {}),
        ...(word.kind === "glob" && word.open === true ? { open: true } : {}),
        ...(handed ? { handed: true } : {}),
      });
  }
}

/** Builtins that run the lines that they get in the shell itself. */
const OWN_LINES: ReadonlySet<string> = new Set(["mapfile", "readarray"]);

/** Programs that show or pack their input, whatever it contains. */
const PASSING =
  /^(cat|less|more|most|bat|gzip|pigz|bzip2|pbzip2|lbzip2|xz|pixz|zstd|zstdmt|pzstd|lz4|lzop)( -[a-zA-Z\d=-]+)*$/;

/** The use of a `file` depends on what the command as a whole does. */
function actOf(line: Line, role: Role): PathWord["act"] {
  if (role === "file") return line.class === "fs.delete" ? "delete" : line.class === "fs.read" ? "read" : "write";
  return role === "write" || role === "delete" || role === "move" ? role : "read";
}

const OPEN: Partial<Record<Role, Message>> = {
  file: say("note.file_known_only_at_run"),
  read: say("note.read_file_known_only_at_run"),
  deep: say("note.read_file_known_only_at_run"),
  write: say("note.written_file_known_only_at_run"),
  delete: say("note.deleted_file_known_only_at_run"),
  move: say("note.moved_file_known_only_at_run"),
  url: say("note.address_known_only_at_run"),
  host: say("note.host_known_only_at_run"),
};
