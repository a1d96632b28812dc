/** The bounds of rehearsals. More than this is refused, never shortened. */
export const LIMITS = {
  /** How many paths one rehearsal may change, remove or add. */
  changes: 100_000,
  /** How many bytes the changed files may have together, before and after counted separately. */
  bytes: 2_000_000_000,
  /** The longest absolute path, in bytes: the system accepts 4,096, and paths here get a few more. */
  pathBytes: 3_900,
  /** What is copied at most where there is no copy-on-write view. */
  copiedFiles: 20_000,
  copiedBytes: 500_000_000,
  /** What programs may write into the home folder. It is kept in memory and thrown away. */
  homeBytes: 1_000_000_000,
  /** How long undo records and rehearsals that nobody decided about are kept, and how many bytes of undo records. */
  keptMs: 7 * 24 * 3_600_000,
  keptBytes: 1_000_000_000,
};
