import type { EffectClass, Reach } from "../../effect.ts";
import type { PlainId } from "../../messages/message.ts";
import type { Obeying } from "../obeyed.ts";

/**
 * What a word of a command is to the program that gets it. `file` is whatever the class says: read, written, deleted.
 * `command` takes all the words that are left, `line` is a text for a shell, `program` the name of one that is started,
 * `list` a file that names further files.
 */
export const ROLES = [
  "text",
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

/** Programs whose words need a closer look than a line of a table can say. */
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
 * What a program, or one subcommand of it, would do, as the tables in this folder say it with these words
 * (`docs/adding-a-program.md` has an example).
 *
 * `takes` names the roles of the words that are no options, in order: `text read...` is a text and then any number of
 * files, `read... write` ends with the one that is written, `read?` may be left out, `text!-e,-f` is not there when one
 * of those options is. A word more than that is a doubt. Without `takes` the program takes no words.
 *
 * `options` names the options, separated by spaces, spellings of one by commas: `-n,--lines=` takes a text,
 * `-o,--output=write` a path that is written, `-i,--in-place?` an optional text right behind it. After that a `*`
 * makes everything below its paths be meant, `!` says that it cannot be undone, `>fs.write` makes the command that
 * grave, `<none` makes it only that. An option that is not named is a
 * doubt, unless the line is `free`: then no other option of the program does more than the line says.
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
  /** The value of an option of one letter is the next word, also where further letters stand behind it. */
  apart?: true;
  /** Without a path among its words it works on the folder it runs in; `alone`: only where it is handed nothing else. */
  here?: true | "alone";
  /** It neither shows its words nor hands them on: a secret among them stays one. */
  keeps?: true;
  check?: CheckName;
  /** Whose settings it looks for in its folder and obeys: it asks unless they are known to start nothing. */
  obeys?: Obeying | readonly Obeying[];
  /** A word that begins with `@` names a file of further words. */
  atfile?: true;
  /** Why this is never understood to the end. */
  partly?: PlainId<"note">;
  reach?: Reach;
  reversible?: boolean;
  domain?: string;
  /** Commands that are fully understood as this class, or as the ones after `=>`, where a `?` means in part. */
  tries: readonly string[];
};
