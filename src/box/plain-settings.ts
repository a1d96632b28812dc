import { lstatSync } from "node:fs";
import { plainFile } from "../config/plain-file.ts";

// Some files have the name of a file with credentials and have none. Without them programs would do something else.

/** Whether a file has a name like that, and nothing in it that is secret. */
export function isPlain(path: string): boolean {
  return isPlainNpmrc(path) || isPlainPem(path);
}

const NPMRC_MAX = 64 * 1024;
const NOTHING = /^\s*([#;].*)?$/;
const SETTING = /^\s*[a-z][a-z-]*(\[\])?\s*(=[^$]*)?$/;
const CREDENTIAL = /auth|token|pass|secret|key|cert|user|email|:\/\/[^/]*@/i;

/** Most of those in projects have nothing but settings, and without it npm would install something else. */
function isPlainNpmrc(path: string): boolean {
  if (!path.endsWith("/.npmrc")) return false;
  const lines = textOf(path, NPMRC_MAX)?.split(/\r?\n/);
  return lines?.every((line) => NOTHING.test(line) || (SETTING.test(line) && !CREDENTIAL.test(line))) === true;
}

const PEM_MAX = 4 * 1024 * 1024;
const PUBLIC =
  /^(TRUSTED |X509 )?CERTIFICATE$|^(RSA |EC )?PUBLIC KEY$|^X509 CRL$|^CERTIFICATE REQUEST$|^DH PARAMETERS$/;

/** Certificates and public keys, such as the list of authorities that programs need for TLS. */
function isPlainPem(path: string): boolean {
  if (!path.endsWith(".pem")) return false;
  const blocks = [...(textOf(path, PEM_MAX) ?? "").matchAll(/-----BEGIN ([^\n-]*)-----/g)];
  return blocks.length > 0 && blocks.every(([, kind = ""]) => PUBLIC.test(kind));
}

/** Undefined if it is no file, cannot be read, or is larger. */
function textOf(path: string, max: number): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size > max) return undefined;
  try {
    return plainFile(path, max).toString("latin1");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EACCES") return undefined;
    throw error;
  }
}
