import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

// The product hashes passphrases slowly on purpose. Every test with a server adds three people, which took a tenth of the whole
// run. So in the processes of the tests Node's scrypt does less work; everything else about it stays as it is. `npm run prove`
// and the programs that tests start have the real one.

const kept = globalThis as { scryptOfNode?: typeof crypto.scrypt };
kept.scryptOfNode ??= crypto.scrypt;
const real = kept.scryptOfNode;

const quick = (...[text, salt, bytes, options, done]: Parameters<typeof crypto.scrypt>) =>
  real(text, salt, bytes, { ...options, N: 2 ** 10 }, done);

function use(one: unknown): void {
  Object.assign(crypto, { scrypt: one });
  syncBuiltinESMExports();
}

/** For a file whose people also prove themselves to a program that it starts, or whose promise is about the work itself. */
export function realPassphrases(): void {
  use(real);
}

// This runs again for every file, because the files of a process share Node's modules.
use(process.env["LEEWAY_PROVE"] === undefined ? quick : real);
