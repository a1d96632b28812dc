import { basename, dirname, join, resolve } from "node:path";
import { isUnder, normalise } from "../../core/classify/path.ts";
import { newLooking, type PathSearch, statOf, whereItLeads } from "./disk.ts";
import { gitFolderOf, listingOf, readAt } from "./settings-files.ts";
import { startedFiles } from "./started-files.ts";

/**
 * A path, and the other name under which programs reach it and everything below it. `same`: everything below counts as just this name.
 * `anywhere`: so does a file of this name in every folder of the project.
 */
type Naming = { place: string; name: string; below?: "same"; anywhere?: { name: string; project: string } };

/**
 * Other names under which programs find the same files: through a link in the project (`CLAUDE.md` that leads to
 * `docs/agents.md`), through a setting of git, as part of a repository whose folder may have any name, or because settings start them.
 */
export function otherNames(
  places: readonly string[],
  { project, home }: { project: string; home: string },
): { readonly [place: string]: readonly string[] } {
  const looking = newLooking();
  const started = startedFiles(project, home).flatMap(({ place, by, anywhere }): Naming[] => {
    const leads = whereItLeads(place, looking) ?? (anywhere === true ? place : undefined);
    const alike = anywhere === true ? { anywhere: { name: basename(place), project } } : {};
    return leads === undefined ? [] : [{ place: leads, name: by, below: "same", ...alike }];
  });
  const namings = [...linksOf(project, looking), ...namedByGit(project, home, looking), ...started, programsOf(home)];
  const found: Record<string, readonly string[]> = Object.create(null);
  for (const place of places) {
    const names = namings
      .filter((one) => isUnder(place, one.place) || isNamedAlike(place, one))
      .map((one) => (one.below === "same" ? one.name : one.name + rest(place, one.place)));
    const inside = inRepository(place, looking);
    if (inside !== undefined) names.push(inside);
    if (names.length > 0) found[place] = [...new Set(names)];
  }
  return found;
}

/** The case of a name is left out, because some disks ignore it. */
function isNamedAlike(place: string, { anywhere }: Naming): boolean {
  if (anywhere === undefined || !isUnder(place, anywhere.project)) return false;
  return basename(place).toLowerCase() === anywhere.name.toLowerCase();
}

/** Many systems look for programs in this folder first, and its name alone says nothing. */
function programsOf(home: string): Naming {
  return { place: join(home, "bin"), name: join(home, ".local/bin") };
}

function rest(path: string, above: string): string {
  return path.slice(above.length);
}

/** Settings are at the top of a project and in its hidden folders. A link to a parent of all of them is ignored. */
function linksOf(project: string, looking: PathSearch): readonly Naming[] {
  const top = listingOf(project);
  const links = [...top.links, ...top.hidden.flatMap((folder) => listingOf(folder).links)];
  return links.flatMap((name) => {
    const place = whereItLeads(name, looking);
    return place === undefined || isUnder(project, place) ? [] : [{ place, name }];
  });
}

/** The files that git reads as settings, attributes and hooks, wherever they are. */
function namedByGit(project: string, home: string, looking: PathSearch): readonly Naming[] {
  const folder = gitFolderOf(project);
  const file = join(folder, "config");
  const settings = readAt(file)?.settings() ?? [];
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

/** The maximum depth of a file in a repository: `refs/heads/a/b`. */
const DEEP_MAX = 4;

/** Git treats any folder with a HEAD and objects as a repository, so its files are treated like those of a `.git`. */
function inRepository(place: string, looking: PathSearch): string | undefined {
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

function isThere(path: string, looking: PathSearch): boolean {
  const known = looking.seen.get(path) ?? statOf(path);
  looking.seen.set(path, known);
  return known !== "missing";
}
