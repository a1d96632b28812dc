import type { EffectClass, Reach } from "../../effect.ts";
import type { PlainId } from "../../messages/message.ts";
import type { Obeying } from "../obeyed.ts";

/**
 * The role of a word for the program that gets it. `file` depends on the class: read, written, deleted. `command` takes
 * all remaining words, `line` is a text for a shell, `program` the name of a program that is started, `list` a file that
 * names further files.
 */
export const ROLES = [
  "text",
  "local",
  "file",
  "read",
  "list",
  "deep",
  "write",
  "delete",
  "move",
  "folder",
  "url",
  "host",
  "sql",
  "command",
  "line",
  "program",
  "code",
  "env",
] as const;
export type Role = (typeof ROLES)[number];

/** Programs whose words need a closer check than a line of a table can express. */
export const CHECK_NAMES = [
  "ack",
  "addressed",
  "age",
  "alone",
  "archive",
  "awk",
  "aws",
  "az",
  "bare",
  "beside",
  "brew",
  "chart",
  "chmod",
  "command",
  "exec",
  "connecting",
  "container",
  "counting",
  "cpio",
  "curl",
  "date",
  "dd",
  "declaring",
  "download",
  "dryrun",
  "dump",
  "env",
  "etcd",
  "fd",
  "filedb",
  "find",
  "form",
  "gcloud",
  "gh",
  "git",
  "gomod",
  "httpie",
  "inline",
  "inspect",
  "ip",
  "joined",
  "jq",
  "jvm",
  "kubectl",
  "language",
  "link",
  "loaded",
  "lookup",
  "man",
  "manifest",
  "media",
  "mode",
  "modes",
  "modules",
  "names",
  "orders",
  "packages",
  "page",
  "pager",
  "pandoc",
  "parallel",
  "patch",
  "ps",
  "recorded",
  "redis",
  "rsync",
  "script",
  "sed",
  "service",
  "setting",
  "shell",
  "source",
  "sourced",
  "ssh",
  "stat",
  "statements",
  "stripe",
  "style",
  "suffix",
  "svn",
  "sysctl",
  "tar",
  "tee",
  "test",
  "transfer",
  "trap",
  "tree",
  "tsc",
  "typed",
  "unit",
  "unpack",
  "variables",
  "wget",
  "xargs",
  "xmllint",
  "xmlstarlet",
  "yq",
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/**
 * What a program, or one subcommand of it, would do, as the tables in this folder describe it
 * (`docs/adding-a-program.md` has an example).
 *
 * `takes` names the roles of the operands, in order: `text read...` is a text and then any number of files, `read... write`
 * ends with the one that is written, `read?` is optional, `text!-e,-f` is absent if one of those options is given. Any
 * further word is a doubt. Without `takes` the program takes no words.
 *
 * `options` names the options, separated by spaces, spellings of one by commas: `-n,--lines=` takes a text,
 * `-o,--output=write` a path that is written, `-i,--in-place?` an optional text directly after it. A `*` at the end means
 * that everything below the paths is included, `!` that the command cannot be undone, `>fs.write` that the command is at
 * least as serious as this class, and `<none` that it is only this class. An option that is not named is a doubt, unless
 * the row is `free`: then no other option of the program does more than the row says.
 */
export type ProgramRow = {
  /** Program and subcommands; several separated by commas. */
  run: string;
  class: EffectClass;
  takes?: string;
  options?: string;
  free?: true;
  /** For the program's first line: its options count after the subcommand as well. */
  everywhere?: true;
  /** `-name` is one option, not five letters. */
  words?: true;
  /** The value of a one-letter option is the next word, even if further letters follow it. */
  apart?: true;
  /** Without a path among its words the program works on its folder; `alone`: only if it has no other input. */
  here?: true | "alone";
  /** The program neither shows its words nor passes them on: a secret among them stays secret. */
  keeps?: true;
  check?: CheckName;
  /** Whose settings the program follows if it finds them in its folder. It asks unless they are known to start nothing. */
  obeys?: Obeying | readonly Obeying[];
  /** A word that begins with `@` names a file of further words. */
  atfile?: true;
  /** Why a command of this program is never fully understood. */
  partly?: PlainId<"note">;
  reach?: Reach;
  reversible?: boolean;
  domain?: string;
  /** Commands that are fully understood as this class, or as the classes after `=>`, where a `?` means partly. */
  tries: readonly string[];
};
