import type { EffectClass } from "../effect.ts";
import { say } from "../messages/message.ts";
import type { Line } from "./path-uses.ts";
import { isDigits, type Word } from "./script.ts";

/** Classes of programs that reach other machines: servers on the network, and databases. */
const REACHING: ReadonlySet<EffectClass> = new Set<EffectClass>([
  "network.read",
  "network.write",
  "network.sse.write",
  "message.send",
  "browser.read",
  "browser.act",
  "db.read",
  "db.write",
]);

/**
 * Whatever a program sends to another machine leaves this one: an option of the server, a header, the name of a user or of a branch. A text that is
 * known only at run time may be the content of any file, so it asks, unless the table says that the option keeps it here (`local`).
 */
export function doubtSentWords(line: Line): void {
  const isReaching = [line.class, ...line.besides].some((kind) => REACHING.has(kind));
  if (!isReaching && line.urls.length + line.hosts.length === 0) return;
  const { words, more } = line.simple;
  const isSent = words.some((word) => isUnknown(word) && !line.local.has(word));
  if (isSent || more !== undefined || namedByPattern(line)) line.doubts.add(SENT);
}

const SENT = say("note.sent_data_known_only_at_run");

/** Digits, and the name of a commit or a container, are no content of a file. */
function isUnknown(word: Word): boolean {
  return word.kind === "open" && !isDigits(word) && word.printed !== "name" && word.printed !== "tag";
}

/** A pattern stands for names of files. In an address, a question mark begins the query. */
function namedByPattern({ operands, given, paths, urls }: Line): boolean {
  const isPath = (word: Word) => paths.some((path) => path.word === word);
  const isQuery = (word: Word) => urls.includes(word) && word.kind === "glob" && !/[*[\]]/.test(word.text);
  const words = [...operands, ...[...given.values()].flat()];
  return words.some((word) => word?.kind === "glob" && !isPath(word) && !isQuery(word));
}
