import { timingSafeEqual } from "node:crypto";
import type { Sealed } from "../../core/secret.ts";
import { sha256 } from "../../core/values/hash.ts";
import type { Deps } from "../deps.ts";

// Only the holder of a token or cookie has its secret. The store has the hash of the secret, encrypted together with what it
// is for. So reading the database reveals no secret, and without the key nobody can add one.

/** 32 random bytes, as text that is safe in a header, a cookie and an address. */
export function newSecret({ mint }: Pick<Deps, "mint">): string {
  return mint.salt() + mint.salt();
}

export function lockOf({ sealer }: Pick<Deps, "sealer">, secret: string, opens: string): Sealed {
  return sealer.seal(sha256(secret), opens);
}

export function isOpenedBy({ sealer }: Pick<Deps, "sealer">, lock: Sealed, secret: string, opens: string): boolean {
  const wanted = opened(sealer, lock, opens);
  const shown = Buffer.from(sha256(secret));
  return wanted !== undefined && wanted.length === shown.length && timingSafeEqual(wanted, shown);
}

/** A hash that the key does not decrypt was not made by this gate, and matches no secret. */
function opened(sealer: Deps["sealer"], lock: Sealed, opens: string): Buffer | undefined {
  try {
    return Buffer.from(sealer.open(lock, opens));
  } catch {
    return undefined;
  }
}
