import { createPublicKey, hash, verify } from "node:crypto";

// The only import of core from outside: hashing and checking signatures use no state, no clock and no randomness.

export type Hash = `sha256:${string}`;
/** A keyed hash: without the key nobody can compute it or guess the content. */
export type KeyedHash = `hmac-sha256:${string}`;

export function sha256(data: string | Uint8Array): Hash {
  return `sha256:${sha256Hex(data)}`;
}

/** One call into the library instead of three: most hashed texts are short. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}

/** The DER prefix of the 32 bytes of an Ed25519 key. */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

export function ed25519Verifies(claim: { text: string; signature: Uint8Array; publicKey: Uint8Array }): boolean {
  if (claim.publicKey.length !== 32 || claim.signature.length !== 64) return false;
  const key = createPublicKey({ key: Buffer.concat([SPKI, claim.publicKey]), format: "der", type: "spki" });
  return verify(null, Buffer.from(claim.text), key, claim.signature);
}
