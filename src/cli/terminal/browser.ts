import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** After this time the file is deleted: a browser that has not read it by then did not open. */
const READ_MS = 60_000;

/**
 * Opens an address in a browser. Every user of the machine can read command lines, and the address may contain a
 * sign-in secret. So the browser is started with a file that only its owner can read and that redirects to the
 * address. Returns a function that deletes the file at once.
 */
export function openPage(folder: string, url: string): () => void {
  const file = join(folder, "open.html");
  const { href } = new URL(url);
  const clear = () => rmSync(file, { force: true });
  clear();
  writeFileSync(
    file,
    `<!doctype html><meta http-equiv="refresh" content="0;url=${href}"><a href="${href}">Leeway</a>\n`,
    {
      mode: 0o600,
      flag: "wx",
    },
  );
  setTimeout(clear, READ_MS).unref();
  const command = process.platform === "darwin" ? "open" : process.platform === "win32" ? "explorer" : "xdg-open";
  // If there is no browser, the address is on the screen anyway.
  spawn(command, [file], { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
  return clear;
}
