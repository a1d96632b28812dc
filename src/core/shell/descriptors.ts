import { say } from "../messages/message.ts";
import type { Line } from "./path-uses.ts";
import type { Redirect, Simple, Word } from "./script.ts";

/** The input and the outputs of a command by their names, and any other file that is open by its number. */
const DESCRIPTOR = /^\/(dev|proc\/[^/]+)\/(stdin|stdout|stderr|fd\/\d+)$/;
/** Where the system keeps these names. */
const KEPT = /^\/+(\.?\/)*(dev|proc)\//;
const INPUT = /\/(stdin|fd\/0+)$/;
const OUTPUT = /\/(stdout|stderr|fd\/0*[12])$/;

/**
 * Whoever opens a descriptor by its name opens the file behind it anew, and may write what was opened for reading only.
 * Which file that is may be said far away, such as behind the loop that the command stands in. So where somebody does that,
 * all files that the shell opens count as read and written, unless it is what the name is there for.
 */
export function openAgain(lines: readonly Line[]): void {
  const crossed = lines.some(({ simple }) => simple.crossed === true);
  const written = lines.filter((line) => writtenBy(line).some((one) => !(isUsualOutput(one) && !crossed)));
  const opens = lines.some(({ simple }) => simple.redirects.some((one) => one.writes && !isDevice(one.to)));
  const read = lines.filter((line) =>
    readBy(line).some((word) => (INPUT.test(word.text) ? crossed : opens || crossed)),
  );
  for (const line of [...written, ...read]) line.doubts.add(OPENED);
  if (written.length > 0) for (const line of lines) line.simple = openedFor(line.simple, true);
  if (read.length > 0) for (const line of lines) line.simple = openedFor(line.simple, false);
}

const OPENED = say("note.descriptor_not_followed");

type Written = { word: Word; name: string };

/** They open what they write, and put nothing else in its place. */
const OPENING: ReadonlySet<string> = new Set(["", "tee", "gtee", "dd", "curl", "wget", "sort"]);

function isUsualOutput({ word, name }: Written): boolean {
  return OUTPUT.test(word.text) && OPENING.has(name);
}

function writtenBy({ simple, paths, name }: Line): readonly Written[] {
  return [
    ...simple.redirects.filter(({ writes }) => writes).map(({ to }) => ({ word: to, name: "" })),
    ...paths.filter(({ act }) => act !== "read").map(({ word }) => ({ word, name })),
  ].filter(({ word }) => isDescriptor(word));
}

function readBy({ simple, paths }: Line): readonly Word[] {
  return [
    ...simple.redirects.filter(({ writes }) => !writes).map(({ to }) => to),
    ...paths.filter(({ act }) => act === "read").map(({ word }) => word),
  ].filter(isDescriptor);
}

function isDescriptor(word: Word): boolean {
  if (word.kind !== "plain" || word.pipe === true || !KEPT.test(word.text)) return false;
  return DESCRIPTOR.test(word.text.replace(/\/(\.?\/)+/g, "/")) || word.text.includes("/../");
}

function isDevice({ text }: Word): boolean {
  return text.startsWith("/dev/");
}

function openedFor(simple: Simple, writes: boolean): Simple {
  const more = simple.redirects.filter((one) => one.writes !== writes && !isDevice(one.to));
  if (more.length === 0) return simple;
  return { ...simple, redirects: [...simple.redirects, ...more.map(({ to }): Redirect => ({ writes, to }))] };
}
