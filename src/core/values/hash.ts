import { createPublicKey, hash, verify } from "node:crypto";

// The one import of core from outside itself: hashing and checking a signature have no state, no clock and no chance.

export type Hash = `sha256:${string}`;
/** By a key: whoever does not have it can neither make one nor guess what was hashed. */
export type KeyedHash = `hmac-sha256:${string}`;

export function sha256(data: string | Uint8Array): Hash {
  return `sha256:${sha256Hex(data)}`;
}

/** One call into the library instead of three: most of what is hashed here is shorter than a page. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}

/** What comes before the 32 bytes of an Ed25519 key in its DER form. */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

export function ed25519Verifies(claim: { text: string; signature: Uint8Array; publicKey: Uint8Array }): boolean {
  if (claim.publicKey.length !== 32 || claim.signature.length !== 64) return false;
  const key = createPublicKey({ key: Buffer.concat([SPKI, claim.publicKey]), format: "der", type: "spki" });
  return verify(null, Buffer.from(claim.text), key, claim.signature);
}
