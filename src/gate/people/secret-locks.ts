import { timingSafeEqual } from "node:crypto";
import type { Sealed } from "../../core/secret.ts";
import { sha256 } from "../../core/values/hash.ts";
import type { Deps } from "../deps.ts";

// What opens something is a secret that only its holder has. The store keeps the secret's hash, sealed together with
// what it opens: who reads the database learns no secret, and who writes it without the key makes none.

/** 32 random bytes, as text that survives a header, a cookie and an address. */
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

/** A lock that the key does not open was not made by this gate: it fits no secret. */
function opened(sealer: Deps["sealer"], lock: Sealed, opens: string): Buffer | undefined {
  try {
    return Buffer.from(sealer.open(lock, opens));
  } catch {
    return undefined;
  }
}
