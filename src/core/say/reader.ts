import { once } from "../values/once.ts";

/** A sentence in English and in another language. `{}` is what it names; elsewhere `{2}` is the second of them, `[2]` one that is read in turn. */
export type Row = readonly [english: string, other: string];

/** A longer text names something that fills the screen: it is not searched for its words again and again. */
const NAMING_MAX = 1_000;

/**
 * Finds the row that fits and fills in what is named, of several the one that says most by itself. What nobody translated
 * stays as it is rather than be left out.
 */
export function reader(
  table: readonly Row[],
  words: { readonly [name: string]: string } = {},
): (text: string) => string {
  const sorted = once(() => sortedRows(table));
  const read = (text: string): string => {
    const { plain, naming } = sorted();
    const whole = plain.get(text);
    if (whole !== undefined || text.length > NAMING_MAX) return whole ?? text;
    for (const { pieces, other } of naming) {
      const names = namesBetween(text, pieces);
      if (names !== undefined) return filled(other, names, read);
    }
    return text;
  };
  const filled = (other: string, names: readonly string[], again: typeof read): string => {
    let next = 0;
    return other.replaceAll(/([{[])(\d?)[}\]]/g, (_, kind: string, place: string) => {
      const name = names[place === "" ? next++ : Number(place) - 1] ?? "";
      const word = Object.hasOwn(words, name) ? words[name] : undefined;
      return word ?? (kind === "[" ? again(name) : name);
    });
  };
  return read;
}

function sortedRows(table: readonly Row[]) {
  const plain = new Map(table.filter(([english]) => !english.includes("{}")));
  const naming = table
    .filter(([english]) => english.includes("{}"))
    .map(([english, other]) => ({ pieces: english.split("{}"), other }))
    .sort((a, b) => lettersOf(b.pieces) - lettersOf(a.pieces));
  return { plain, naming };
}

function lettersOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** What stands between the pieces, each as short as can be: looked for once from left to right, whatever is named. */
function namesBetween(text: string, pieces: readonly string[]): readonly string[] | undefined {
  const [first = "", ...rest] = pieces;
  const last = rest.pop() ?? "";
  if (!text.startsWith(first)) return undefined;
  const names: string[] = [];
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at + 1);
    if (found === -1) return undefined;
    names.push(text.slice(at, found));
    at = found + piece.length;
  }
  const end = text.length - last.length;
  return end > at && text.endsWith(last) ? [...names, text.slice(at, end)] : undefined;
}
