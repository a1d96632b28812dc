import { scryptSync } from "node:crypto";
import { expect, test } from "vitest";
import { hashPassphrase, isPassphrase } from "../../src/gate/people/passphrase.ts";
import { realPassphrases } from "../passphrases.ts";

realPassphrases();

test("a passphrase is stored as scrypt makes it with the cost that the hash names", async () => {
  const hash = await hashPassphrase("correct horse");
  const [scheme, cost, salt = "", key] = hash.split(":");
  const made = scryptSync("correct horse", Buffer.from(salt, "base64"), 32, {
    N: 2 ** 15,
    r: 8,
    p: 1,
    maxmem: 2 ** 26,
  });
  expect([scheme, cost, key]).toEqual(["scrypt", String(2 ** 15), made.toString("base64")]);
  expect(await isPassphrase("correct horse", hash)).toBe(true);
  expect(await isPassphrase("correct horsf", hash)).toBe(false);
});
