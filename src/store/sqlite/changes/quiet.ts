import type { Database } from "../file/driver.ts";

// Most agents have no question and nothing to collect, and most calls need only this information. It stays valid
// until this process or another one writes something that could change it.

export type Quiet = {
  /** Another connection has written, so the information may be out of date. */
  forget(): void;
  holds(db: Database, space: number, need: { agent: string; digest: string }): boolean;
};

const AGENTS_MAX = 10_000;

const NOTHING =
  "select exists (select 1 from approvals where space = ?1 and agent = ?2) as asked, " +
  "exists (select 1 from executions where space = ?1 and agent = ?2 and collect is not null) as waiting";
const ASKED = "select 1 from approvals where space = ? and agent = ? and digest = ? limit 1";

export function quietAgents(): Quiet {
  const known = new Set<string>();
  return {
    forget: () => known.clear(),
    holds: (db, space, { agent, digest }) => {
      const name = `${space}\n${agent}`;
      if (known.has(name)) return true;
      const found = db.prepare(NOTHING).get(space, agent);
      if (found?.["waiting"] !== 0) return false;
      if (found["asked"] !== 0) return db.prepare(ASKED).get(space, agent, digest) === undefined;
      if (known.size >= AGENTS_MAX) known.clear();
      known.add(name);
      return true;
    },
  };
}
