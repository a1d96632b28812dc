/**
 * Text that a store keeps encrypted, and decrypts only on request. Printed as JSON, logged or compared, it shows
 * nothing, so that it cannot leak by accident.
 */
export class Secret {
  readonly #open: () => string;

  constructor(open: () => string) {
    this.#open = open;
  }

  /** Throws if it cannot be decrypted: the key is wrong, or the stored text was changed. */
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

/** Erased text cannot be decrypted any more. */
export const ERASED_SECRET: Secret = new Secret(() => {
  throw new Error("it was erased");
});

/** Text encrypted at rest; only the gate's key opens it. */
export type Sealed = `sealed:${string}`;
