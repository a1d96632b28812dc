import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { StoreUnavailable } from "../../../ports.ts";

// The driver warns that it will no longer read the password file, so it is read here, by the rules of PostgreSQL's own programs.

export type PasswordAsked = { host: string; port: number; database: string; user: string };

/** Called only if PostgreSQL asks for a password and the address has none. */
export async function passwordFor(asked: PasswordAsked): Promise<string> {
  const path = process.env["PGPASSFILE"] ?? defaultFile();
  const stat = statSync(path, { throwIfNoEntry: false });
  // PostgreSQL's own programs leave such a file alone, too: somebody else may have read it.
  if (stat?.isFile() && process.platform !== "win32" && (stat.mode & 0o077) !== 0)
    throw new StoreUnavailable(
      `${path} has a password that others can read, so it is not used; run \`chmod 600 ${path}\``,
    );
  const found = stat?.isFile() ? passwordIn(readFileSync(path, "utf8"), asked) : undefined;
  if (found !== undefined) return found;
  const { host, port, database, user } = asked;
  throw new StoreUnavailable(
    `PostgreSQL asks for a password, and none was found; put the line ${host}:${port}:${database}:${user}:PASSWORD into ${path}, with mode 0600`,
  );
}

function defaultFile(): string {
  return process.platform === "win32"
    ? join(process.env["APPDATA"] ?? homedir(), "postgresql", "pgpass.conf")
    : join(homedir(), ".pgpass");
}

/** The first line whose four fields match; `*` matches everything, and a backslash stands before `:` and `\`. */
function passwordIn(text: string, { host, port, database, user }: PasswordAsked): string | undefined {
  // A socket is named by its folder, and counts as this machine.
  const wanted = [host.startsWith("/") ? "localhost" : host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    const fields = line.match(/(?:\\.|[^:\\])*(?::|$)/g)?.map((field) => field.replace(/:$/, "")) ?? [];
    const [plain, password] = [fields.slice(0, 4).map(unescaped), fields[4]];
    if (password === undefined || password === "") continue;
    if (wanted.every((value, i) => fields[i] === "*" || plain[i] === value)) return unescaped(password);
  }
  return undefined;
}

function unescaped(field: string): string {
  return field.replace(/\\(.)/g, "$1");
}
