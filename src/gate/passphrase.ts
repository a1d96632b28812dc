import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

// scrypt with the parameters written beside the hash, so that they can grow without locking anybody out.

const COST = 2 ** 15;
const BLOCK = 8;
const KEY_BYTES = 32;

export async function hashPassphrase(passphrase: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(passphrase, salt, COST);
  return `scrypt:${COST}:${salt.toString("base64")}:${key.toString("base64")}`;
}

export async function isPassphrase(passphrase: string, hashed: string): Promise<boolean> {
  const [scheme, cost, salt, key] = hashed.split(":");
  if (scheme !== "scrypt" || salt === undefined || key === undefined) return false;
  const wanted = Buffer.from(key, "base64");
  const derived = await derive(passphrase, Buffer.from(salt, "base64"), Number(cost));
  return wanted.length === derived.length && timingSafeEqual(wanted, derived);
}

function derive(passphrase: string, salt: Buffer, cost: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N: cost, r: BLOCK, p: 1, maxmem: 256 * cost * BLOCK };
    scrypt(passphrase.normalize("NFKC"), salt, KEY_BYTES, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
