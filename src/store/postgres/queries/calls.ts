import { CALL_COLUMNS, CALL_JOINS } from "../../sql/found.ts";
import { firstPlace } from "../server/migrations.ts";

// Parts of statements. `$1` is always the name of the workspace.

export const SPACE = "(select h.space from chains h where h.workspace = $1)";

/** Entries of this workspace. */
export const INSIDE = `e.place > ${firstPlace(SPACE)} and e.place < ${firstPlace(`(${SPACE} + 1)`)}`;

export const CALLS = `select ${CALL_COLUMNS} from calls c${CALL_JOINS}`;

/** The index of the entry that first decided the call `$2`. */
export const FIRST_DECIDED = firstDecided("$2");

function firstDecided(call: string): string {
  return `(select e.place from entries e where e.call = ${call} and ${INSIDE} and e.kind = 'call.decided' order by e.place limit 1)`;
}

/** The execution `$2` that is stored with the call `$3`, and the one that is stored separately, as JSON. */
export const BORN = `(select row_to_json(x) from (${CALLS} where c.place = ${firstDecided("$3")} and c.execution is not null) x)`;
export const OWN = `(select json_build_object('row', r.row, 'version', r.version) from executions r where r.space = ${SPACE} and r.id = $2)`;
