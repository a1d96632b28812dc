import { randomUUID } from "node:crypto";
import type { Given } from "../server/session.ts";

// How rows are sent. The driver would write each column as an array with quotes, and escape every quote of the JSON in it;
// PostgreSQL would take the escapes out again. Here a column of text is one text with separators, which needs no escapes. A
// single row is sent value by value, because taking many arrays apart is most of the server's work for a lone caller.

type Value = string | number | null;

export type Column<T> = readonly [
  name: string,
  type: "bigint" | "text" | "double precision",
  value: (of: T) => Value,
];

/** One table of rows; `sql` makes a part of the statement from the SQL for its rows. */
export type Sent = {
  columns: readonly Column<never>[];
  rows: readonly unknown[];
  sql: (source: string) => string;
};

/** What separates values, and what stands for null. They are values of the statement too, so it is always the same. */
type Marks = { separator: string; nothing: string };

const USUAL: Marks = { separator: "\u001f", nothing: "\u001e" };

/** A text from outside may contain the usual marks; nobody can guess these. */
function unusual(): Marks {
  const own = randomUUID();
  return { separator: `\u001f${own}`, nothing: `\u001e${own}` };
}

/** SQL for each part. The values of the rows are added to those of the statement. */
export function sqlOf(values: Given[], parts: readonly Sent[]): readonly string[] {
  const before = values.length;
  const made = sqlWith(USUAL, values, parts);
  if (made !== undefined) return made;
  values.length = before;
  return sqlWith(unusual(), values, parts) as readonly string[];
}

/** Nothing, if a value contains one of the marks. */
function sqlWith(marks: Marks, values: Given[], parts: readonly Sent[]): readonly string[] | undefined {
  // A statement may not have values that it does not use.
  const isMarked = parts.some(({ rows }) => rows.length > 1);
  const marked = isMarked ? `$${values.push(marks.separator)}::text, $${values.push(marks.nothing)}::text` : "";
  const made: string[] = [];
  for (const { columns, rows, sql } of parts) {
    const sent = rows.length === 1 ? oneRow(values, columns, rows[0]) : manyRows(values, columns, rows, { marks, marked });
    if (sent === undefined) return undefined;
    made.push(sql(`${sent} as u(${columns.map(([name]) => name).join(", ")})`));
  }
  return made;
}

function oneRow(values: Given[], columns: readonly Column<never>[], row: unknown): string {
  const given = columns.map(([, type, value]) => `$${values.push(value(row as never))}::${type}`);
  return `(values (${given.join(", ")}))`;
}

function manyRows(
  values: Given[],
  columns: readonly Column<never>[],
  rows: readonly unknown[],
  { marks, marked }: { marks: Marks; marked: string },
): string | undefined {
  const arrays: string[] = [];
  for (const [, type, value] of columns) {
    const list = rows.map((row) => value(row as never));
    const text = type === "text" ? joined(list, marks) : numbers(list);
    if (text === undefined) return undefined;
    const at = `$${values.push(text)}`;
    arrays.push(type === "text" ? `string_to_array(${at}::text, ${marked})` : `${at}::${type}[]`);
  }
  return `unnest(${arrays.join(", ")})`;
}

function numbers(list: readonly Value[]): string {
  return `{${list.map((value) => value ?? "NULL").join(",")}}`;
}

/** There are at least two values, so the text is never empty, which would be no value at all. */
function joined(list: readonly Value[], { separator, nothing }: Marks): string | undefined {
  for (const value of list) {
    if (typeof value === "string" && (value.includes(separator) || value === nothing)) return undefined;
  }
  return list.map((value) => value ?? nothing).join(separator);
}
