// What the gate says of a call of which it did not read all, because it would have taken too much.

export const UNREAD = {
  long: "the command is too long to examine",
  deep: "the command is nested too deep",
  braces: "the command holds more braces than are examined",
  steps: "the command takes more steps to read than are spent on one",
  words: "a word of the command stands for more words than are examined",
  value: "a variable holds a longer text than is examined",
  open: "more words of the command may be anything than are examined",
  program: "which program runs is known only when it runs",
  text: "the text that the shell runs is known only when it runs",
  input: "the shell runs what it is handed, which is known only then",
  runs: "what it runs is known only when it runs",
  rounds: "a loop goes through more words than are examined",
  folders: "the command goes through more folders than are followed",
  handed: "which words the command gets is too much to examine",
  started: "what it runs is too long to examine",
  invalid: "the command is not valid for bash",
  uncertain: "where a word of the command ends is not certain",
  arguments: "the arguments hold more texts than are examined",
  path: "the path is longer than any can be",
  host: "the address names a host longer than any name can be",
  address: "the address is longer than any server takes",
} as const;

const SENTENCES: ReadonlySet<string> = new Set(Object.values(UNREAD));

/** Whether a note says that a part of the call was not read. A rule that denies may be about that part. */
export function saysUnread(note: string): boolean {
  return SENTENCES.has(note);
}
