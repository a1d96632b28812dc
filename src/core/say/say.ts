import type { WallRefusal, Walls } from "../box.ts";
import type { EffectClass, FileUse, Level, Understood } from "../effect.ts";
import type { Message } from "../messages/message.ts";
import type { Offer } from "../standing/pin.ts";
import type { StepState } from "../standing/plan.ts";

/** What a part of one class does: to a named target, or without one. */
export type Does = { to(what: string): string; alone: string };

type Run = { run: string; many: boolean };

/** A command that a grant covers: its fixed words, what may follow them, and the folder. */
export type CommandCover = {
  words: string;
  rest: "none" | "any" | "after-dashes" | "everyday" | "branches";
  folder?: string;
  isHere?: boolean;
};

/** How many files a command changed, added and removed. */
export type ChangeCounts = { changed: number; added: number; removed: number };

/** What a rehearsed command did to files, in words. Sizes are texts such as `12 KB`. */
export type ChangedWords = {
  /** The call in one line. */
  lead(of: "apply" | "undo", command: string): string;
  sentence(of: "apply" | "undo", command: string, counts: ChangeCounts, manner: "would" | "does"): string;
  /** The command that ran, as a line. */
  command(command: string): string;
  project(folder: string): string;
  added(what: string): string;
  removed(what: string): string;
  emptied(size: string): string;
  changed(what: string): string;
  /** Lines of a changed text file. */
  lines(counts: Pick<ChangeCounts, "added" | "removed">): string;
  binary(sizes: string): string;
  tooLarge(sizes: string): string;
  mode(was: string, now: string): string;
  link(to: string): string;
  wasLink(to: string): string;
  folder: string;
  /** In place of a line: the text has no line break at its end. */
  noBreak: string;
  /** Removed work that nobody can get back from the repository. */
  unsaved: string;
  /** Many files of one folder. */
  inFolder(counts: ChangeCounts): string;
};

/** What became of the changes of a rehearsed command. */
export type ChangesState = "applied" | "undone" | "asked" | "waiting" | "unknown" | "dropped";

/** The box of a call, in words. */
export type BoxWords = {
  is: { readonly [S in "ran" | "bound"]: string };
  /** What the walls let through, one after the other. */
  walls(walls: Walls, nameOf: (path: string) => string): readonly string[];
  rehearsed: string;
  refused(refusal: WallRefusal): string;
  changes(state: ChangesState, files: number): string;
};

/** The kind of a section, for a different layout or a title in another language. */
export type SectionName =
  | "targets"
  | "parts"
  | "steps"
  | "files"
  | "exactly"
  | "holdsFor"
  | "why"
  | "understood"
  | "record"
  | "answerBy"
  | "inFull"
  | "says";

/**
 * Every sentence about a call that people read, in one language. Renderers compose none themselves: a language that lacks
 * one of these does not compile.
 */
export type Say = {
  does: { readonly [C in EffectClass]: Does };
  /** Two names, or one and how many more. */
  and(first: string, second: string): string;
  andMore(first: string, more: number, of: "commands" | "domains" | "recipients"): string;
  /** What else happens, the most serious first. */
  joined(clauses: readonly string[]): string;
  fromTo(from: string, to: string): string;
  projectFolder: string;
  /** `folder`: what they have in common, if anything. */
  filesUnder(count: number, of: "files" | "folders", folder: string | undefined): string;
  withBelow(what: string, many: boolean): string;
  withMethod(does: string, method: string): string;
  outside(does: string): string;
  outsideToo(does: string): string;
  lasting(does: string): string;
  by(does: string, run: string): string;
  runs(run: Run, manner: "plainly" | "idly" | "reading" | "as another"): string;
  /** On other machines. */
  runsOn(domains: string): string;
  /** A link in the file system. */
  links: string;
  /** A tool of which nobody said what it does. */
  calls(tool: string, what: string | undefined): string;
  starts: string;
  startsAsAnother: string;
  amount(does: string, amounts: readonly string[], currency?: string): string;
  noAmount(does: string): string;
  sendsTo(does: string, to: string): string;

  /** `above`: the agents above a sub-agent, root first. */
  title(of: { agent: string; above?: string; owner?: string; tool: string }): string;
  inFull(of: "agent" | "above" | "tool", name: string): string;
  size(bytes: number, digest: string): string;
  /** `command`: what it runs is code that nobody reads. */
  understood: { readonly [U in Understood | "command"]: string };
  /** The notes about the call. */
  note(note: Message | string): string;
  holdsHidden(name: string): string;
  mixes(name: string, scripts: readonly string[]): string;
  argumentsHide: string;
  quorum(approved: number, needed: number): string;
  wordsCut(count: number): string;
  where(folders: readonly string[], env: readonly string[]): string;
  folderUnknown: string;
  target(name: string, of: { env?: readonly string[]; folder?: string; below?: boolean; level: Level }): string;
  change(path?: string): string;
  moreLines(lines: number): string;
  stays(lines: number): string;
  staysBelow(lines: number): string;
  sections: { readonly [N in SectionName]: string };
  moreBelow(count: number): string;
  foldedLetters(text: string, more: number): string;

  runsIn(folder: string): string;
  programAt(name: string, path: string): string;
  startsAt(programs: readonly string[]): string;
  file(use: FileUse, path: string): string;
  fileIs(does: string, bytes: number, hash: string): string;
  fileTooLarge(does: string, bytes: number): string;
  fileUnreadable(does: string): string;
  fileMissing(does: string): string;

  /** What a grant covers. */
  cover: {
    whole(of: { class?: EffectClass; level: Level; by?: string; targets: readonly string[] }): string;
    path(path: string, below: boolean): string;
    command(of: CommandCover): string;
    tool(name: string): string;
    /** Code in files of the project in this folder. */
    projectCode(folder: string, inBox: boolean): string;
    /** Containers of the project in this folder. */
    projectContainers(folder: string): string;
    /** Said beside the offer to trust code without a box. */
    boxIsBetter: string;
    /** Said beside the offer to trust containers. */
    containersArePowerful: string;
    /** The same, only if the call runs in a box. */
    inBox(covered: string): string;
    /** One call of a tool, named by its digest. */
    exactly(tool: string, digest: string): string;
    /** How many of the agent's last calls a grant would have covered. */
    before(covered: number, outOf: number): string;
  };

  /** The question about a plan. */
  plan: {
    lead(title: string): string;
    sentence(covered: number, steps: number): string;
    becomes: { readonly [S in StepState]: string };
    /** What an approval allows once, if it is more than exactly the call. */
    allows(cover: string): string;
    changedBy(step: number): string;
    /** A sentence about some of the steps. */
    about(steps: readonly number[], text: string): string;
  };

  changed: ChangedWords;
  box: BoxWords;

  /** The question about what an MCP server offers. */
  accepts(offer: Pick<Offer, "of" | "name" | "upstream">): string;
  span(units: readonly (readonly [count: number, unit: TimeUnit])[]): string;
  now: string;
  soon(span: string): string;
  ago(span: string): string;
  closedAlready(state: string): string;
  answerUntil(
    until: string,
    ahead: string,
    then: { is: "run" } | { is: "next" } | { is: "on"; before: string } | { is: "plan"; before: string },
  ): string;
  noRecord(effectClass: EffectClass): string;
  record(effectClass: EffectClass, counts: RecordCounts): string;
};

export type TimeUnit = "d" | "h" | "min" | "s";
type RecordCounts = {
  asked: number;
  well: number;
  failed: number;
  denied: number;
  unanswered: number;
  unknown: number;
};
