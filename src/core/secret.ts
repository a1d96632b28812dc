/**
 * Text that no store keeps as it is: a store seals it, and opens it again when somebody asks. Written out as JSON, logged or
 * compared it says nothing, so that it cannot get out by accident.
 */
export class Secret {
  readonly #open: () => string;

  constructor(open: () => string) {
    this.#open = open;
  }

  /** Throws where it does not open: the key is another one, or somebody changed what was sealed. */
  open(): string {
    return this.#open();
  }

  toJSON(): undefined {
    return undefined;
  }
}

export function secretOf(text: string): Secret {
  return new Secret(() => text);
}

/** What was erased opens no more. */
export const ERASED_SECRET: Secret = new Secret(() => {
  throw new Error("it was erased");
});

/** Text encrypted at rest; only the gate's key opens it. */
export type Sealed = `sealed:${string}`;
