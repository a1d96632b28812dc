import { ERASED_SECRET, type Sealed, Secret } from "../../core/secret.ts";
import type { Sealer } from "../../ports.ts";
import type { SecretReader } from "../sql/found.ts";

// A secret is encrypted alone and stored in the row that it belongs to, so that it can be decrypted without asking the
// server once more.

export type Secrets = SecretReader & {
  /** What to write instead of a secret. A secret that was read or kept here before is written as it was. */
  keep(secret: Secret, about: string): Sealed;
};

export function secretsOf(sealer: Sealer | undefined): Secrets {
  const kept = new WeakMap<Secret, Sealed>();
  const needed = () => {
    if (sealer === undefined) throw new Error("the database was opened without its key");
    return sealer;
  };
  return {
    keep: (secret, about) => {
      const known = kept.get(secret);
      if (known !== undefined) return known;
      const sealed = needed().seal(secret.open(), about);
      kept.set(secret, sealed);
      return sealed;
    },
    read: (value, about) => {
      if (value === null || value === undefined) return ERASED_SECRET;
      const sealed = String(value) as Sealed;
      const secret = new Secret(() => needed().open(sealed, about));
      kept.set(secret, sealed);
      return secret;
    },
  };
}
