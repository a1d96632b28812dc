import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Differences } from "./difference.ts";
import { run, writeDurably } from "./durable.ts";
import type { Copied } from "./project-copy.ts";
import { neededTool, unless } from "./tools.ts";

/** How the files of a project are kept from being changed: a copy-on-write view, or a copy. */
export type Way = "overlay" | "copy";

/** What is known about a rehearsal, in its folder. */
export type Manifest = {
  version: 1;
  project: string;
  way: Way;
  beganMs: number;
  /** The process that began it, and that says what the program changed. */
  by?: number;
  /** How the files of the copy were before the program started. */
  copied?: Copied;
  /** What the program changed; missing as long as it runs. */
  differences?: Differences;
};

/** The folder inside the folder of a rehearsal that belongs to the project. */
export const PROJECT_LAYER = "project";
export const HOME_LAYER = "home";

/** The folder with the changed files. */
export function changedFolder(folder: string, way: Way): string {
  return join(folder, PROJECT_LAYER, way === "overlay" ? "upper" : "copy");
}

/** What has only begun is of no use after a crash, so the disk is not waited for. */
export function beginManifest(folder: string, manifest: Manifest): void {
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest), { mode: 0o600 });
}

export function writeManifest(folder: string, manifest: Manifest): void {
  writeDurably(join(folder, "manifest.json"), JSON.stringify(manifest));
}

export function readManifest(folder: string): Manifest | undefined {
  const text = unless(["ENOENT"], () => readFileSync(join(folder, "manifest.json"), "utf8"));
  return text === undefined ? undefined : (JSON.parse(text) as Manifest);
}

/**
 * Removes the folder of a rehearsal. Programs may have left names in it that are no UTF-8, which Node cannot remove, and folders
 * that their owner cannot enter.
 */
export async function removeRehearsal(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  rmSync(join(folder, "manifest.json"), { force: true });
  await run(neededTool("chmod"), ["-R", "u+rwx", "--", folder]);
  await run(neededTool("rm"), ["-rf", "--", folder]);
}
