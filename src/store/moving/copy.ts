import { SPACES_MAX } from "../sql/places.ts";
import { type Copied, keyOf, MOVED_TABLES, type Source, type Target } from "./tables.ts";

const PAGE = 1_000;

export type CopyProgress = (done: number, of: number) => void;

/** Copies what the target does not have yet. After an interruption it goes on where it was. */
export async function copyTables(source: Source, target: Target, onProgress: CopyProgress): Promise<number> {
  const total = await source.total();
  let done = 0;
  for (const table of MOVED_TABLES) {
    let copied: Copied = await target.copied(table);
    done += copied.count;
    for (;;) {
      onProgress(Math.min(done, total), total);
      const rows = await source.page(table, copied.last, PAGE);
      const last = rows.at(-1);
      if (last === undefined) break;
      copied = { last: keyOf(table, last), count: copied.count + rows.length };
      await target.write(table, rows, copied);
      done += rows.length;
    }
  }
  onProgress(total, total);
  return done;
}

/** A workspace and the end of its chain. */
export type ChainEnd = { workspace: string; entries: number; hash: string | null };

const CHAINS = MOVED_TABLES.filter(({ name }) => name === "chains");

export async function chainsOf({ page }: Pick<Source, "page">): Promise<readonly ChainEnd[]> {
  const pages = await Promise.all(CHAINS.map((table) => page(table, undefined, SPACES_MAX)));
  return pages.flat().map((row) => ({
    workspace: String(row["workspace"]),
    entries: Number(row["entry"]),
    hash: row["hash"] === null ? null : String(row["hash"]),
  }));
}
