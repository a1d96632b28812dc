import { createECDH, randomBytes } from "node:crypto";
import { chmodSync, linkSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ChannelFailure } from "../ports.ts";

/** The keys by which push services know this server (VAPID). Browsers that subscribed are bound to the public one. */
export type PushKeys = { publicKey: string; privateKey: string };

const FILE = "push.json";

/**
 * Made once. The file is written completely under another name and then linked into place, so that two servers that start
 * at the same time use the same keys, and nobody reads half a file.
 */
export function pushKeys(stateFolder: string): PushKeys {
  const path = join(stateFolder, FILE);
  const known = readKeys(path);
  if (known !== undefined) return known;
  const own = join(stateFolder, `.${FILE}.${process.pid}.${randomBytes(6).toString("hex")}`);
  try {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    writeFileSync(own, `${JSON.stringify(newKeys())}\n`, { mode: 0o600, flag: "wx" });
    linkSync(own, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw broken(path, `cannot be created (${codeOf(error)})`);
  } finally {
    rmSync(own, { force: true });
  }
  const made = readKeys(path);
  if (made === undefined) throw broken(path, "disappeared while it was created");
  return made;
}

function newKeys(): PushKeys {
  const pair = createECDH("prime256v1");
  const publicKey = pair.generateKeys("base64url", "uncompressed");
  // A private key that begins with zeros is shorter, and push services want all 32 bytes.
  const privateKey = pair.getPrivateKey().toString("hex").padStart(64, "0");
  return { publicKey, privateKey: Buffer.from(privateKey, "hex").toString("base64url") };
}

function readKeys(path: string): PushKeys | undefined {
  let text: string;
  try {
    if (!lstatSync(path).isFile()) throw broken(path, "is not a file");
    // If somebody made the file readable for others by mistake, it is closed again: only the server may read it.
    chmodSync(path, 0o600);
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof ChannelFailure) throw error;
    if (codeOf(error) === "ENOENT") return undefined;
    throw broken(path, `cannot be read (${codeOf(error)})`);
  }
  const keys = parsed(text);
  if (keys === undefined)
    throw broken(path, "does not hold the keys of web push; move it away and subscribe browsers again");
  return keys;
}

function parsed(text: string): PushKeys | undefined {
  try {
    const { publicKey, privateKey } = JSON.parse(text) as Partial<PushKeys>;
    const isWhole = isKey(publicKey, 65) && isKey(privateKey, 32);
    return isWhole ? { publicKey: publicKey ?? "", privateKey: privateKey ?? "" } : undefined;
  } catch {
    return undefined;
  }
}

function isKey(text: unknown, bytes: number): boolean {
  return typeof text === "string" && Buffer.from(text, "base64url").length === bytes;
}

function broken(path: string, what: string): ChannelFailure {
  return new ChannelFailure("down", `${path} ${what}`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
