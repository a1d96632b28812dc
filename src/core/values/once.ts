/**
 * A value that is computed on first use and then kept. A command is started for one call and uses few of the tables,
 * so tables must not be built at start-up.
 */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
