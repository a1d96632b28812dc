/**
 * A value that is made when it is first asked for and stays the same from then on. A command is started for one call
 * and asks few of the tables, so that what each would make of itself at the start is made where it is used.
 */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
