import { randomUUID } from "node:crypto";

// How rows are sent. The driver would write each column as an array with quotes, and escape every quote of the JSON in it;
// PostgreSQL would take the escapes out again. Here a column of text is one text with separators, which needs no escapes. A
// single row is sent value by value, because taking many arrays apart is most of the server's work for a lone caller.

type Value = string | number | null;

export type Column<T> = readonly [name: string, type: "bigint" | "text" | "double precision", value: (of: T) => Value];

/** One table of rows; `sql` makes a part of the statement from the SQL for its rows. */
export type Rows = {
  columns: readonly Column<never>[];
  rows: readonly unknown[];
  sql: (source: string) => string;
};

/** Rows as they are sent. `isMany`: as columns, otherwise value by value. */
export type Sent = Rows & { isMany: boolean };

/**
 * Only a batch in which every table has a single row is sent value by value, so that there are few different statements: each
 * connection has to plan each of them. A column with one empty text cannot be told from a column without any.
 */
export function sent<R extends Rows>(parts: readonly R[]): readonly (R & { isMany: boolean })[] {
  const isOne = parts.every(({ rows }) => rows.length === 1);
  return parts.map((part) => ({ ...part, isMany: !isOne && !(part.rows.length === 1 && hasEmpty(part)) }));
}

function hasEmpty({ columns, rows: [row] }: Rows): boolean {
  return columns.some(([, , value]) => value(row as never) === "");
}

/** What separates values, and what stands for null. They are values of the statement too, so it is always the same. */
type Marks = { separator: string; nothing: string };

const USUAL: Marks = { separator: "\u001f", nothing: "\u001e" };

/** A text from outside may contain the usual marks; nobody can guess these. */
function unusual(): Marks {
  const own = randomUUID();
  return { separator: `\u001f${own}`, nothing: `\u001e${own}` };
}

/** SQL for each part, by what stands in it: `first` is the number of the first value of the rows. */
export function sqlOf(parts: readonly Sent[], first: number): readonly string[] {
  const isMarked = parts.some(({ isMany }) => isMany);
  let at = first - 1 + (isMarked ? 2 : 0);
  const marks = `$${first}::text, $${first + 1}::text`;
  return parts.map((part) => {
    const given = part.columns.map(([, type]) => {
      at += 1;
      if (!part.isMany) return `$${at}::${type}`;
      return type === "text" ? `string_to_array($${at}::text, ${marks})` : `$${at}::${type}[]`;
    });
    const source = part.isMany ? `unnest(${given.join(", ")})` : `(values (${given.join(", ")}))`;
    return part.sql(`${source} as u(${part.columns.map(([name]) => name).join(", ")})`);
  });
}

/** The values of the rows, in the order of the SQL. */
export function valuesOf(parts: readonly Sent[]): readonly Value[] {
  return valuesWith(USUAL, parts) ?? (valuesWith(unusual(), parts) as readonly Value[]);
}

/** Nothing, if a value contains one of the marks. */
function valuesWith(marks: Marks, parts: readonly Sent[]): readonly Value[] | undefined {
  // A statement may not have values that it does not use.
  const values: Value[] = parts.some(({ isMany }) => isMany) ? [marks.separator, marks.nothing] : [];
  for (const part of parts) {
    for (const [, type, value] of part.columns) {
      const list = part.rows.map((row) => value(row as never));
      const given = !part.isMany ? (list[0] as Value) : type === "text" ? joined(list, marks) : numbers(list);
      if (given === undefined) return undefined;
      values.push(given);
    }
  }
  return values;
}

function numbers(list: readonly Value[]): string {
  return `{${list.map((value) => value ?? "NULL").join(",")}}`;
}

/** The text is never empty, which would be no value at all: see `sent`. */
function joined(list: readonly Value[], { separator, nothing }: Marks): string | undefined {
  for (const value of list) {
    if (typeof value === "string" && (value.includes(separator) || value === nothing)) return undefined;
  }
  return list.map((value) => value ?? nothing).join(separator);
}
