import { spawn } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Makes V8's compiled form of the program on this machine, in the background, if the package belongs to this user and has none for
 * this Node. The next commands then start faster. Nothing depends on it: without it the text is compiled each time.
 */
export function compileInBackground(): void {
  const tool = toolOf(dirname(fileURLToPath(import.meta.url)));
  if (tool === undefined) return;
  const program = join(dirname(tool), "..", "dist", "program");
  const { compiledFolder } = createRequire(tool)("../bin/load.cjs") as { compiledFolder(folder: string): string };
  if (!isOwn(program) || existsSync(compiledFolder(program))) return;
  // Nothing that a project may have set goes along.
  const env = { PATH: process.env["PATH"] ?? "" };
  const started = spawn(process.execPath, [tool], { env, cwd: program, stdio: "ignore", detached: true });
  // If it cannot be started, the text is compiled each time, as before.
  started.on("error", () => undefined);
  started.unref();
}

/** The package has it beside `dist`; the bundled program is one folder deeper than its sources. */
function toolOf(here: string): string | undefined {
  return ["../..", "../../.."].map((up) => join(here, up, "tools", "compile.mjs")).find((path) => existsSync(path));
}

function isOwn(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return statSync(folder).uid === process.getuid?.();
  } catch {
    // There is no such folder, or it cannot be written: the package is used as it is.
    return false;
  }
}
