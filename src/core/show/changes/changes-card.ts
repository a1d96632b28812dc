import { UNDO_TOOL } from "../../box.ts";
import type { ToolCall } from "../../call.ts";
import { maskText } from "../../masking/redact.ts";
import { type Message, say as message } from "../../messages/message.ts";
import { sayIn } from "../../say/languages.ts";
import type { ChangeCounts, Say } from "../../say/say.ts";
import { visible } from "../../values/text.ts";
import { type Card, type CardInput, cardOf } from "../card.ts";
import { changesIn, type ExactLine } from "../exact.ts";
import { shownExactly } from "../marks.ts";
import { listedFiles, type SeenChange, type ToldChange, toldChanges } from "./changed-files.ts";

/** What the question about changed files needs besides the call: the command that changed them, and the files. */
export type SeenChanges = {
  /** The command in one line. */
  command: string;
  /** Undefined if the bytes cannot be shown here. */
  changes?: readonly SeenChange[];
  /** Whether it would happen, or is decided already. */
  manner: "would" | "does";
  /** Why the changes cannot be applied any more; then nobody can approve them. */
  blocked?: Message;
};

/** The card of changed files: how many, the gravest first, and every changed line. */
export function changesCardOf(input: CardInput, { command, changes, manner, blocked }: SeenChanges): Card {
  const { call, language = "en" } = input;
  const say = sayIn(language);
  const whole = cardOf(input);
  const [why, instead] = blocked === undefined ? [] : [blocked, insteadOf(blocked)].map((one) => safe(say.note(one)));
  const card: Card = {
    ...whole,
    ...changesSaid(call, command, say, manner),
    ...(why === undefined || instead === undefined ? {} : { blocked: why, blockedDo: instead }),
    understanding: [why, instead, ...whole.understanding].filter((text) => text !== undefined),
  };
  if (changes === undefined) return card;
  const told = toldChanges(changes, { project: call.cwd ?? "/", lost: namedIn(call, "lost"), say });
  const names = cardOf({ ...input, call: { ...call, args: {} } }).exact;
  const lines: readonly ExactLine[] = [
    { text: say.changed.command(command) },
    { text: say.changed.project(call.cwd ?? "/") },
    ...told.flatMap((one) => [{ text: headingOf(one) }, ...(one.diff?.lines ?? [])]),
  ];
  return {
    ...card,
    targets: [],
    parts: [],
    // All of the files must stay as they are; they are listed once.
    holdsFor: [],
    files: listedFiles(told, say).map(({ path, does, grave }) => ({ path: safe(path), does: safe(does), grave })),
    exact: [...names, ...shownExactly(call, lines, []).lines],
    marks: [],
    changes: changesIn(lines, names.length),
  };
}

function headingOf({ path, does }: ToldChange): string {
  return `${path} - ${does}`;
}

/** What to do with changes that cannot be applied. Whoever approves all the same is told the same. */
export function insteadOf(blocked: Message): Message {
  return blocked.say === "refusal.changes_elsewhere"
    ? message("hint.answer_where_it_ran")
    : message("hint.run_command_again");
}

/** The call in one line and in one sentence. */
export function changesSaid(
  { tool, args }: Pick<ToolCall, "tool" | "args">,
  command: string,
  say: Say,
  manner: "would" | "does",
): Pick<Card, "lead" | "sentence" | "parts"> {
  const of = tool === UNDO_TOOL ? "undo" : "apply";
  const number = (key: string) => (typeof args[key] === "number" ? args[key] : 0);
  const [added, removed] = [number("added"), number("deleted")];
  const counts: ChangeCounts = { changed: number("changes") - added - removed, added, removed };
  const shown = safe(command);
  return {
    lead: say.changed.lead(of, shown),
    sentence: say.changed.sentence(of, clipped(shown), counts, manner),
    parts: [],
  };
}

function namedIn({ args }: ToolCall, key: string): ReadonlySet<string> {
  const value = args[key];
  return new Set(Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : []);
}

const COMMAND_MAX = 60;

function clipped(text: string): string {
  const letters = [...text];
  return letters.length <= COMMAND_MAX ? text : `${letters.slice(0, COMMAND_MAX).join("")}…`;
}

function safe(text: string): string {
  return visible(maskText(text));
}
