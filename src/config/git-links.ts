import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { isUnder } from "../core/classify/path.ts";
import { leadsTo, newLooking } from "./links.ts";
import type { Look } from "./look.ts";

/** Only the top of git's own folder is searched; submodules and hooks are checked separately. */
const KEPT = /^(objects\/(?!info$|pack$).*|objects\/(info|pack)\/.*|modules|hooks|lfs|annex)$/;

/** Git reads and writes files in its own folder, also through links, so no link there may lead out of it. */
export function lookForGitLinks(folder: string, look: Look): void {
  const own = leadsTo(folder, newLooking())?.place;
  const waiting = [""];
  for (let at = waiting.pop(); at !== undefined && look.left.looks > 0; at = waiting.pop()) {
    look.left.looks--;
    for (const entry of entriesOf(join(folder, at))) {
      const inner = at === "" ? entry.name : `${at}/${entry.name}`;
      const path = join(folder, inner);
      if (entry.isDirectory() && !KEPT.test(inner)) waiting.push(inner);
      if (!entry.isSymbolicLink() || inner === "hooks") continue;
      const place = leadsTo(path, newLooking())?.place;
      if (own === undefined || place === undefined || !isUnder(place, own)) look.leads.add(path);
    }
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not an error: git finds nothing there either.
    return [];
  }
}
