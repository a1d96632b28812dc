/** A project that cannot be rehearsed, on a machine that can rehearse others. */
export class NotRehearsed extends Error {
  constructor(project: string, why: string) {
    super(`${project} cannot be rehearsed: ${why}`);
  }
}
