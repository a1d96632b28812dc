import { readFileSync } from "node:fs";
import { StoreUnavailable } from "../../../ports.ts";

// The driver knows the options of TLS in an address, but not the variables of PostgreSQL's own programs, besides PGSSLMODE.

/** The files of TLS: as an option of the address, and as a variable. */
const FILES = [
  ["sslrootcert", "PGSSLROOTCERT"],
  ["sslcert", "PGSSLCERT"],
  ["sslkey", "PGSSLKEY"],
] as const;

/** The word of PostgreSQL's own programs for the authorities that the system trusts, which count here in any case. */
const OF_SYSTEM = "system";

/** The address as the driver needs it. A file that cannot be read is named, because the driver's own error does not say whose it is. */
export function secured(url: string): string {
  let address = url;
  for (const [option, variable] of FILES) {
    const named = new URL(address).searchParams.get(option);
    const path = named ?? (isWithTls(url) ? (process.env[variable] ?? "") : "");
    if (path === OF_SYSTEM && option === "sslrootcert") {
      address = withOption(address, option, undefined);
      continue;
    }
    if (path === "") continue;
    refuseUnreadable(path, named === null ? variable : `${option} in LEEWAY_DB`);
    if (named === null) address = withOption(address, option, path);
  }
  return verifying(address);
}

/** The variables say which files, and not whether there is TLS. */
function isWithTls(url: string): boolean {
  const mode = new URL(url).searchParams.get("sslmode") ?? process.env["PGSSLMODE"] ?? "";
  return mode === "verify-full" || AS_STRICT.has(mode);
}

function withOption(url: string, name: string, value: string | undefined): string {
  const address = new URL(url);
  if (value === undefined) address.searchParams.delete(name);
  else address.searchParams.set(name, value);
  return address.href;
}

function refuseUnreadable(path: string, named: string): void {
  try {
    readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StoreUnavailable(
      `${path}, which ${named} names, ${UNREADABLE[code ?? ""] ?? `cannot be read (${code})`}; name a file in PEM format that this user can read`,
      { cause: error },
    );
  }
}

const UNREADABLE: { readonly [code: string]: string } = {
  ENOENT: "does not exist",
  EISDIR: "is a folder",
  EACCES: "may not be read by this user",
};

/**
 * The driver treats these modes like `verify-full`, with a warning at every start, and says that a later version will be laxer. Whoever wants
 * to be as lax as PostgreSQL's own programs says `uselibpqcompat=true`.
 */
function verifying(url: string): string {
  const address = new URL(url);
  const mode = address.searchParams.get("sslmode");
  if (mode === null || !AS_STRICT.has(mode) || address.searchParams.get("uselibpqcompat") === "true") return url;
  return url.replace(/([?&]sslmode=)[\w-]+/, "$1verify-full");
}

const AS_STRICT = new Set(["prefer", "require", "verify-ca"]);
