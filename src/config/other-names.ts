import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isUnder, normalise } from "../core/classify/path.ts";
import { gitSettings } from "../core/classify/settings.ts";
import { type Looking, newLooking, statOf, whereItLeads } from "./links.ts";

/** A place, and the name under which programs come to it and to all that is below. */
type Naming = { place: string; name: string };

/**
 * Other names under which programs find the same files: through a link of the project (`CLAUDE.md` that leads to
 * `docs/agents.md`), through a setting of git, and as part of a repository whose folder may have any name.
 */
export function otherNames(
  places: readonly string[],
  { project, home }: { project: string; home: string },
): { readonly [place: string]: readonly string[] } {
  const looking = newLooking();
  const namings = [...linksOf(project, looking), ...namedByGit(project, home, looking)];
  const found: Record<string, readonly string[]> = Object.create(null);
  for (const place of places) {
    const names = namings.filter((one) => isUnder(place, one.place)).map((one) => one.name + rest(place, one.place));
    const inside = inRepository(place, looking);
    if (inside !== undefined) names.push(inside);
    if (names.length > 0) found[place] = [...new Set(names)];
  }
  return found;
}

function rest(path: string, above: string): string {
  return path.slice(above.length);
}

/** Folders that are looked through: no project keeps more settings than this beside each other. */
const FOLDERS_MAX = 64;

/** Settings lie at the top of a project and in its hidden folders. A link that leads back above them all names nothing. */
function linksOf(project: string, looking: Looking): readonly Naming[] {
  const top = entriesOf(project);
  const hidden = top.filter((one) => one.isDirectory() && one.name.startsWith(".") && one.name !== ".git");
  const folders = [project, ...hidden.slice(0, FOLDERS_MAX).map((one) => join(project, one.name))];
  return folders.flatMap((folder, i) =>
    (i === 0 ? top : entriesOf(folder))
      .filter((one) => one.isSymbolicLink())
      .flatMap((one) => {
        const name = join(folder, one.name);
        const place = whereItLeads(name, looking);
        return place === undefined || isUnder(project, place) ? [] : [{ place, name }];
      }),
  );
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** What git is told to read as its settings, its attributes and its hooks, wherever that lies. */
function namedByGit(project: string, home: string, looking: Looking): readonly Naming[] {
  const folder = gitFolderOf(project);
  const file = join(folder, "config");
  const text = textOf(file);
  const settings = text === undefined ? [] : (gitSettings(text) ?? []);
  const at = (value: string, ...from: readonly string[]) =>
    from.flatMap((base) => {
      const written = value.startsWith("~/") ? join(home, value.slice(2)) : resolve(base, value);
      return whereItLeads(normalise(written), looking) ?? [];
    });
  return settings.flatMap(({ name, value }) => {
    const setting = name.toLowerCase();
    if (/^include(if\..*)?\.path$/s.test(setting)) return at(value, folder).map((place) => ({ place, name: file }));
    if (setting === "core.attributesfile")
      return at(value, project).map((place) => ({ place, name: join(folder, "info/attributes") }));
    if (setting === "core.hookspath")
      return at(value, project, folder)
        .filter((place) => !isUnder(project, place))
        .map((place) => ({ place, name: join(folder, "hooks") }));
    return [];
  });
}

/** Where the repository of a project is kept, working trees followed; `.git` where there is none. */
function gitFolderOf(project: string): string {
  const own = join(project, ".git");
  const leads = /^gitdir: ([^\n]+)\n*$/.exec(textOf(own) ?? "")?.[1];
  const folder = leads === undefined ? own : resolve(project, leads);
  const common = textOf(join(folder, "commondir"));
  return common === undefined ? folder : resolve(folder, common.trim());
}

/** Settings are short; whoever keeps longer ones is asked when git would obey them. */
const SETTINGS_BYTES_MAX = 256 * 1024;

function textOf(path: string): string | undefined {
  const found = statOf(path);
  if (typeof found === "string" || !found.isFile() || found.size > SETTINGS_BYTES_MAX) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** A file of a repository lies at most so deep in it: `refs/heads/a/b`. */
const DEEP_MAX = 4;

/** Any folder with a HEAD and objects is a repository to git, so that what lies in it is what lies in a `.git`. */
function inRepository(place: string, looking: Looking): string | undefined {
  let folder = dirname(place);
  for (let up = 0; up < DEEP_MAX && folder !== dirname(folder); up++, folder = dirname(folder)) {
    if (basename(folder) === ".git") return undefined;
    if (
      isThere(join(folder, "HEAD"), looking) &&
      ["objects", "commondir"].some((one) => isThere(join(folder, one), looking))
    )
      return join(folder, ".git") + rest(place, folder);
  }
  return undefined;
}

function isThere(path: string, looking: Looking): boolean {
  const known = looking.seen.get(path) ?? statOf(path);
  looking.seen.set(path, known);
  return known !== "missing";
}
