import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";

import type { ChangeRefusal } from "../rehearsal/difference.ts";
import { systemTool, unless } from "../rehearsal/tools.ts";

// What a rehearsed program writes to the home folder is thrown away. Caches of tools are nobody's loss; other files are named.

const LIST = "written-at-home";

/** Tools keep caches, logs and their own settings there. */
const OF_TOOLS = [
  ".cache .config .local .npm .yarn .pnpm-store .pnpm-state .bun .deno .node-gyp .nvm .v8-compile-cache .electron .expo",
  ".cargo .rustup .gradle .m2 .ivy2 .sbt .java .android .nuget .dotnet .templateengine .gem .bundle .composer .terraform.d",
  ".ipython .jupyter .keras .matplotlib .conda .pyenv .nv .docker .mozilla .vscode .ccache go/pkg",
].flatMap((line) => line.split(" "));
const OF_TOOLS_BY_NAME = ["__pycache__", ".*_history", ".lesshst", ".viminfo", ".wget-hsts", ".fuse_hidden*"];

/** What the shell does that starts the box, after the program has ended, in the folder of the rehearsal. */
export function listing(layer: string): readonly string[] {
  const find = systemTool("find");
  if (find === undefined) return [];
  const left = [...OF_TOOLS.map((path) => `-path ./${path}`), ...OF_TOOLS_BY_NAME.map((name) => `-name '${name}'`)];
  const files = String.raw`\( -type f -o -type l \) -print0`;
  return [`(cd ${layer}/upper && ${find} . \\( ${left.join(" -o ")} \\) -prune -o ${files}) >${LIST} 2>/dev/null`];
}

const LIST_BYTES_MAX = 64 * 1024;

/** The files that were written there, each as something that is not kept. */
export function thrownAway(folder: string, home: string): readonly ChangeRefusal[] {
  const names = firstText(join(folder, LIST)).split("\0").slice(0, -1);
  const why = "what is written in the home folder is thrown away";
  return names.map((name) => ({ of: "change", path: join(home, name), why }) as const);
}

function firstText(file: string): string {
  const fd = unless(["ENOENT"], () => openSync(file, "r"));
  if (fd === undefined) return "";
  try {
    const bytes = Buffer.alloc(LIST_BYTES_MAX);
    return bytes.subarray(0, readSync(fd, bytes, 0, LIST_BYTES_MAX, 0)).toString("utf8");
  } finally {
    closeSync(fd);
  }
}
