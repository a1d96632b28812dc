import type { ToolRow } from "../tables/tools.ts";
import { flat } from "../tool-name.ts";
import type { JsonObject } from "../values/json.ts";
import { argumentsIn } from "./arguments.ts";

/** A line of the table as one call means it, and whether the call says something that the line knows. */
export type Told = { row: ToolRow; known: boolean };

/** Rows that only look, made once for each row: what is kept about rows goes by the row itself. */
const looking = new WeakMap<ToolRow, ToolRow>();

/** One tool may look or write, by what an argument says: an editor that is told to `view` only reads its path. */
export function asTold(row: ToolRow, args: JsonObject): Told {
  if (row.verb === undefined) return { row, known: true };
  const verb = flat(row.verb);
  const values = argumentsIn(args).flatMap(({ name, value }) => (name.flat === verb && value !== null ? [value] : []));
  if (values.length === 0) return { row, known: true };
  const [value] = values;
  if (values.length > 1 || typeof value !== "string") return { row, known: false };
  if (lists(row.looks, value)) return { row: lookingOnly(row), known: true };
  return { row, known: lists(row.acts, value) };
}

function lists(names: string | undefined, value: string): boolean {
  return names?.split(" ").includes(value) === true;
}

function lookingOnly(row: ToolRow): ToolRow {
  if (row.writes === undefined) return row;
  const known = looking.get(row);
  if (known !== undefined) return known;
  const { writes, ...rest } = row;
  const found: ToolRow = { ...rest, class: "fs.read", reads: writes };
  looking.set(row, found);
  return found;
}
