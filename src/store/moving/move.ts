import type { StoreMove } from "../sql/moved.ts";
import type { Source, Target } from "./tables.ts";

// The two ends of a move. The source is closed before anything is copied, and the target is opened after everything was
// checked, so that at no time both can be used.

/** A source, looked at without changing it. */
export type SeenSource = { move: StoreMove | undefined; workspaces: readonly string[] };

export type MovingFrom = Source & {
  /** What it says about an earlier move. */
  move(): Promise<StoreMove | undefined>;
  /** The version of its schema. */
  version: number;
  /** Nobody can use it from now on. Refuses while somebody else uses it. */
  close(move: StoreMove): Promise<void>;
  /** From now on it says that the move is done. */
  finish(move: StoreMove): Promise<void>;
  /** It can be used again. */
  reopen(move: StoreMove): Promise<void>;
  end(): Promise<void>;
};

export type MovingTo = Target & {
  /** Refuses a database with content that does not come from this move. True, if this move has filled it already. */
  begin(move: StoreMove): Promise<boolean>;
  /** Where it can be read before it is opened for everybody. */
  readAt: string;
  open(move: StoreMove): Promise<void>;
  end(): Promise<void>;
};
