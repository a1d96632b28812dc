import { type Message, say } from "../messages/message.ts";

// Notes about a call that was not parsed completely, because parsing it would have taken too long.

export const UNREAD = {
  long: say("note.command_too_long"),
  deep: say("note.command_too_deep"),
  braces: say("note.command_too_many_braces"),
  steps: say("note.command_too_many_steps"),
  words: say("note.word_stands_for_too_many"),
  value: say("note.variable_too_long"),
  open: say("note.too_many_open_words"),
  program: say("note.program_known_only_at_run"),
  text: say("note.shell_text_known_only_at_run"),
  input: say("note.shell_input_known_only_at_run"),
  runs: say("note.started_command_known_only_at_run"),
  rounds: say("note.loop_too_long"),
  folders: say("note.too_many_folders"),
  handed: say("note.too_many_words_given"),
  started: say("note.started_command_too_long"),
  invalid: say("note.command_invalid"),
  uncertain: say("note.word_end_uncertain"),
  arguments: say("note.arguments_too_many"),
  path: say("note.path_too_long"),
  host: say("note.host_too_long"),
  address: say("note.address_too_long"),
} as const;

const IDS: ReadonlySet<string> = new Set(Object.values(UNREAD).map((note) => note.say));

/** The same notes in older entries, which had them as English text. Such a call can still be decided again. */
const SENTENCES_BEFORE: ReadonlySet<string> = new Set([
  "the command is too long to examine",
  "the command is nested too deep",
  "the command holds more braces than are examined",
  "the command takes more steps to read than are spent on one",
  "a word of the command stands for more words than are examined",
  "a variable holds a longer text than is examined",
  "more words of the command may be anything than are examined",
  "which program runs is known only when it runs",
  "the text that the shell runs is known only when it runs",
  "the shell runs what it is handed, which is known only then",
  "what it runs is known only when it runs",
  "a loop goes through more words than are examined",
  "the command goes through more folders than are followed",
  "which words the command gets is too much to examine",
  "what it runs is too long to examine",
  "the command is not valid for bash",
  "where a word of the command ends is not certain",
  "the arguments hold more texts than are examined",
  "the path is longer than any can be",
  "the address names a host longer than any name can be",
  "the address is longer than any server takes",
]);

/** Whether a note says that a part of the call was not parsed. A rule that denies may be about that part. */
export function saysUnread(note: Message | string): boolean {
  return typeof note === "string" ? SENTENCES_BEFORE.has(note) : IDS.has(note.say);
}
