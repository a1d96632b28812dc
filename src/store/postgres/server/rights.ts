import { StoreUnavailable } from "../../../ports.ts";
import type { Session } from "./session.ts";

// What the role may do in PostgreSQL. An admin of the database may have made the schema, and may give the role no more than it needs.

/** SQL: what is in our schema, without indexes and the sequences of our tables. */
const INSIDE = `pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'leeway' and c.relkind in ('r', 'p', 'v', 'm', 'f')`;

const PLACE = `select quote_ident(current_user) as role, quote_ident(current_database()) as database,
  has_database_privilege(current_database(), 'create') as may_add,
  (select has_schema_privilege(oid, 'usage') and has_schema_privilege(oid, 'create')
    from pg_catalog.pg_namespace where nspname = 'leeway') as may_fill,
  (select string_agg(c.relname::text, ', ' order by c.relname) from ${INSIDE}) as inside,
  (select min(pg_get_userbyid(c.relowner)::text) from ${INSIDE} and not pg_has_role(c.relowner, 'usage')) as owner`;

/** Whether the schema exists. Refuses if it cannot be brought up to date from this version; 0: there is nothing of ours yet. */
export async function hasSchemaToUpdate(session: Session, version: number): Promise<boolean> {
  const [found = {}] = await session.run(PLACE, []);
  const { role, database, inside, owner } = found;
  const hasSchema = found["may_fill"] !== null;
  if (version === 0 && inside !== null) {
    throw new StoreUnavailable(
      `the schema leeway of the database ${database} has something of somebody else in it (${inside}); use another database, or move that to another schema`,
    );
  }
  if (version === 0 && !hasSchema && !found["may_add"]) {
    throw new StoreUnavailable(
      `the role ${role} may not create a schema in the database ${database}; let an admin of the database run: create schema leeway authorization ${role}`,
    );
  }
  if (hasSchema && !found["may_fill"]) {
    throw new StoreUnavailable(
      `the role ${role} may not create tables in the schema leeway; let the owner of the schema run: grant usage, create on schema leeway to ${role}`,
    );
  }
  if (version > 0 && owner !== null) {
    throw new StoreUnavailable(
      `the tables in the schema leeway must be brought up to date, and they belong to ${owner}; run \`leeway doctor\` once with ${owner} as the name in LEEWAY_DB`,
    );
  }
  return hasSchema;
}

/** Without this right PostgreSQL would say that there are no tables. */
export async function refuseShut(session: Session): Promise<void> {
  const [found] = await session.run("select quote_ident(current_user) as role", []);
  const role = found?.["role"];
  throw new StoreUnavailable(
    `the role ${role} may not use the schema leeway; let the owner of the schema run: grant usage on schema leeway to ${role}`,
  );
}

/** What is in the schema besides these tables. */
export async function strangersIn(session: Session, ours: readonly string[]): Promise<readonly string[]> {
  const found = await session.run(
    `select c.relname::text as name from ${INSIDE} and c.relname <> all ($1::text[]) order by c.relname`,
    [ours],
  );
  return found.map((row) => String(row["name"]));
}

/** What the program does with its tables, besides reading them. Of an entry it changes only what it erases. */
const WRITTEN: { readonly [table: string]: readonly string[] } = {
  versions: [],
  moved: [],
  changes: ["insert", "delete"],
  counters: ["insert", "update", "delete"],
};
const WRITTEN_ELSE: readonly string[] = ["insert", "update"];

const LACKING = `select quote_ident(current_user) as role, c.relname::text as name, r.verb as lacks
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace,
    unnest(array['select', 'insert', 'update', 'delete']) as r(verb)
  where n.nspname = 'leeway' and c.relkind = 'r' and not case
    when c.relname = 'entries' and r.verb = 'update'
      then has_column_privilege(c.oid, 'salt', 'update') and has_column_privilege(c.oid, 'body', 'update')
    else has_table_privilege(c.oid, r.verb) end
  order by c.relname, r.verb`;

/** Rights of one kind that the role lacks. */
export type LackingRight = { role: string; right: string; tables: readonly string[] };

export async function lackingRights(session: Session): Promise<readonly LackingRight[]> {
  const byRight = new Map<string, LackingRight>();
  for (const row of await session.run(LACKING, [])) {
    const [role, name, right] = [String(row["role"]), String(row["name"]), String(row["lacks"])];
    if (right !== "select" && !(WRITTEN[name] ?? WRITTEN_ELSE).includes(right)) continue;
    byRight.set(right, { role, right, tables: [...(byRight.get(right)?.tables ?? []), name] });
  }
  return [...byRight.values()];
}
