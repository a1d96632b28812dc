import type { SqlRow, SqlValue } from "../../sql/columns.ts";

/** What a statement can be given: a value, or a column of values. */
export type Given = SqlValue | boolean | readonly (SqlValue | boolean)[];

/** One connection. */
export type Session = {
  run(sql: string, values: readonly Given[]): Promise<readonly SqlRow[]>;
  /** Several statements without values. */
  exec(sql: string): Promise<void>;
  /**
   * If it fails, the connection is thrown away, and with it the transaction. `last`: one statement that is sent together
   * with the commit, so that a lock is held for one answer less; if it fails, nothing is committed.
   */
  transaction<T>(act: () => Promise<T>, last?: () => Promise<void>): Promise<T>;
  /** Several statements read from one snapshot, by the session that is given: it may be another one. */
  snapshot<T>(act: (session: Session) => Promise<T>): Promise<T>;
};
