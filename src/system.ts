import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from "node:crypto";
import type { IdKind, Mint } from "./core/ids.ts";
import type { Sealed } from "./core/secret.ts";
import type { Clock, Sealer } from "./ports.ts";

// The real clock, real randomness and the real cipher: what core gets as parameters.

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done);
    }),
};

/** Random bytes are fetched in blocks: one system call for each id would cost more than deciding. */
function randomness<T extends { readonly length: number; slice(from: number, to: number): T }>(
  block: () => T,
): (count: number) => T {
  let pool = block();
  let used = 0;
  return (count) => {
    if (used + count > pool.length) {
      pool = block();
      used = 0;
    }
    used += count;
    return pool.slice(used - count, used);
  };
}

const BLOCK_BYTES = 4096;

/** UUIDv7: ordered by time, so that rows and pages stay close together on disk. */
export function systemMint(): Mint {
  const digits = randomness(() => randomBytes(BLOCK_BYTES).toString("hex"));
  let nowMs = 0;
  let time = "";
  return {
    next: <K extends IdKind>(kind: K) => {
      // One call needs half a dozen ids, most of them in the same millisecond.
      if (nowMs !== Date.now()) {
        nowMs = Date.now();
        time = nowMs.toString(16).padStart(12, "0");
      }
      return `${kind}_${time}7${digits(3)}8${digits(15)}` as `${K}_${string}`;
    },
    salt: () => digits(32),
  };
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM. `about` is authenticated, so that a sealed text cannot be moved to another row. */
export function aesSealer(key: Uint8Array): Sealer {
  const draw = randomness<Uint8Array>(() => randomBytes(BLOCK_BYTES));
  // Prepared once, not with every call.
  const secret = createSecretKey(key);
  // One key for one purpose: the key that marks rows opens nothing.
  const marking = createSecretKey(Buffer.from(hkdfSync("sha256", key, "", "leeway marks", 32)));
  return {
    mark: (text) => createHmac("sha256", marking).update(text).digest("base64"),
    seal: (text, about) => {
      const iv = draw(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", secret, iv);
      cipher.setAAD(Buffer.from(about));
      const sealed = Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `sealed:${sealed.toString("base64")}`;
    },
    open: (sealed: Sealed, about) => {
      const bytes = Buffer.from(sealed.slice("sealed:".length), "base64");
      const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, IV_BYTES));
      decipher.setAAD(Buffer.from(about));
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      const text = [decipher.update(bytes.subarray(IV_BYTES, bytes.length - TAG_BYTES)), decipher.final()];
      return Buffer.concat(text).toString("utf8");
    },
  };
}
