import type { Table, Versioned } from "../../../core/rows/rows.ts";
import { callNamed } from "../../../core/rows/stored-call.ts";
import { bornRightIn, callIn, type SecretReader, versioned } from "../../sql/found.ts";
import { storedText } from "../../sql/text.ts";
import type { Session } from "../server/session.ts";
import { BORN, CALLS, FIRST_DECIDED, OWN, SPACE } from "./calls.ts";

type Of = { workspace: string; seals: SecretReader };

export async function rowOf(session: Session, of: Of, table: Table, id: string): Promise<Versioned<Table> | undefined> {
  const values = [of.workspace, storedText(id)];
  if (table === "calls") {
    const [call] = await session.run(`${CALLS} where c.place = ${FIRST_DECIDED}`, values);
    return call === undefined ? undefined : callIn(of, call);
  }
  if (table === "executions") {
    const [found] = await session.run(`select ${BORN} as born, ${OWN} as own`, [...values, storedText(callNamed(id))]);
    const [born, own] = [found?.["born"] ?? null, found?.["own"] ?? null];
    if (born !== null) return bornRightIn(of, JSON.parse(String(born)));
    return own === null ? undefined : versioned(of, JSON.parse(String(own)));
  }
  const [found] = await session.run(
    `select r.id, r.row, r.version from ${table} r where r.space = ${SPACE} and r.id = $2`,
    values,
  );
  return found === undefined ? undefined : versioned(of, found);
}
