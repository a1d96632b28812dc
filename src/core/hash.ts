import { createHash } from "node:crypto";

// The one import of core from outside itself: hashing has no state, no clock and no chance.

export type Hash = `sha256:${string}`;

export function sha256(data: string | Uint8Array): Hash {
  return `sha256:${createHash("sha256").update(data).digest("hex")}`;
}

export function sha256Bytes(...parts: (string | Uint8Array)[]): Uint8Array {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}
