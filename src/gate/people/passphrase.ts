import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import type { PersonName } from "../../core/ids.ts";
import type { Sealed } from "../../core/secret.ts";
import type { Deps } from "../deps.ts";

// scrypt; its parameters are stored with the hash, so that they can be increased later.

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
  const found = await derive(passphrase, Buffer.from(salt, "base64"), Number(cost));
  return wanted.length === found.length && timingSafeEqual(wanted, found);
}

/** Encrypted together with the name. Without the key, somebody who has the database cannot try passphrases. */
export async function sealedHash(
  { sealer }: Pick<Deps, "sealer">,
  name: PersonName,
  passphrase: string,
): Promise<Sealed> {
  return sealHash({ sealer }, name, await hashPassphrase(passphrase));
}

export function sealHash({ sealer }: Pick<Deps, "sealer">, name: PersonName, hash: string): Sealed {
  return sealer.seal(hash, aboutOf(name));
}

/** A hash that is not encrypted with the key does not count, because it was not written by this gate. */
export function openedHash(
  { sealer }: Pick<Deps, "sealer">,
  name: PersonName,
  kept: string | undefined,
): string | undefined {
  if (kept === undefined || !kept.startsWith("sealed:")) return undefined;
  try {
    return sealer.open(kept as Sealed, aboutOf(name));
  } catch {
    return undefined;
  }
}

function aboutOf(name: PersonName): string {
  return `passphrase of ${name}`;
}

/** At most half of the process's threads are used for hashing; further hashes wait. */
const AT_ONCE = 2;
let deriving = 0;
const waiting: (() => void)[] = [];

async function derive(passphrase: string, salt: Buffer, cost: number): Promise<Buffer> {
  if (deriving >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else deriving++;
  try {
    return await derived(passphrase, salt, cost);
  } finally {
    // The next one in the queue takes this place.
    const next = waiting.shift();
    if (next === undefined) deriving--;
    else next();
  }
}

function derived(passphrase: string, salt: Buffer, cost: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N: cost, r: BLOCK, p: 1, maxmem: 256 * cost * BLOCK };
    scrypt(passphrase.normalize("NFKC"), salt, KEY_BYTES, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
