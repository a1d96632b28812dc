import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";

// Tools keep caches inside `node_modules`, which is protected because programs run what is in it. In a box such a cache is an
// empty folder of the box's own: the tool works, and nothing that it wrote there is run by anybody later.

const CACHES = [".cache", ".vite", ".vite-temp"];
/** This tool stops if it cannot make its folders, so they are made for it. */
const NEEDED = { by: "vite", folders: [".vite", ".vite-temp"] };

/** The folders of caches in these protected places. */
export function scratchFolders(kept: readonly string[]): string[] {
  return kept.filter((path) => path.endsWith("/node_modules") && isFolder(path)).flatMap(cachesIn);
}

function cachesIn(modules: string): string[] {
  const isNeeded = isFolder(join(modules, NEEDED.by));
  for (const name of isNeeded ? NEEDED.folders : []) {
    const path = join(modules, name);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path);
  }
  return CACHES.map((name) => join(modules, name)).filter(isFolder);
}

/** Not a link: it would lead the box's own folder to another place. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
