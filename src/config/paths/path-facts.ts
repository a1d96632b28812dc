import { randomBytes } from "node:crypto";
import { basename, dirname } from "node:path";
import type { LinksMet, PathFacts } from "../../core/classify/knowledge.ts";
import { isRoot, normalise, parentOf, spellOut } from "../../core/classify/path.ts";
import type { Environment } from "../../core/tables/variables.ts";
import { isWildName } from "../../core/values/glob.ts";
import type { PathFactsSource } from "../../ports.ts";
import { type Hashing, isSpent, leadsTo, newLooking, statOf, whereItLeads } from "./disk.ts";
import { fileFacts, keepingHashes, keyedHashing } from "./file-facts.ts";
import { linksMeeting } from "./links-met.ts";
import { otherNames } from "./other-names.ts";
import { settingsFacts } from "./program-settings.ts";
import { packagesHere } from "./registries.ts";
import { takenPlaces } from "./taken-places.ts";

/**
 * Finds where paths really lead on this machine, and what is there. A path that cannot be checked gets no entry, and
 * then a write asks. `own` is the gate's state folder, `env` the environment for programs. Without `hashed`, hashes
 * are valid only in this process.
 */
export function pathFacts(
  home: string,
  own: readonly string[] = [],
  env: Environment = {},
  hashed: Hashing = keyedHashing(randomBytes(32)),
): PathFactsSource {
  const owned = [...new Set(own.flatMap((path) => [path, whereItLeads(path) ?? path]).flatMap(withCompanions))];
  const folds = new Map<string, boolean>();
  const hashedVariable = keepingHashes(hashed);
  return {
    about: (paths, cwd, project = cwd) => {
      const known = folds.get(cwd);
      const foldsCase = known ?? ignoresCase(cwd);
      if (known === undefined) folds.set(cwd, foldsCase);
      // Most calls name no path; then nothing on the disk is checked.
      if (paths.length === 0) return { real: {}, missing: [], also: {}, met: {}, home, foldsCase, own: owned };
      const real: Record<string, string> = Object.create(null);
      const met: Record<string, LinksMet> = Object.create(null);
      const missing = new Set<string>();
      const looking = newLooking();
      const meeting = linksMeeting({ home, project });
      const look = (path: string) => {
        if (real[path] !== undefined) return;
        const found = leadsTo(path, looking);
        if (found === undefined) return;
        if (found.missing) missing.add(found.place);
        if (found.several) met[path] = { places: [found.place], files: [], unfinished: false };
        else real[path] = found.place;
      };
      for (const path of paths) {
        const spelled = spellOut(path, { base: cwd, home });
        if (!spelled.ok || isSpent(looking)) continue;
        look(spelled.raw);
        look(normalise(spelled.raw));
        if (isWildName(spelled.raw)) met[spelled.raw] ??= meeting(spelled.raw);
      }
      // Names are resolved within other limits, so that a call cannot use them up.
      const top = () => whereItLeads(project, { ...newLooking(), seen: looking.seen }) ?? project;
      const places = [...new Set(Object.values(real))];
      const also = places.length === 0 ? {} : otherNames(places, { project: top(), home });
      const facts: PathFacts = { real, missing: [...missing], also, met, home, foldsCase, own: owned };
      return isSpent(looking) ? { ...facts, tooMany: true } : facts;
    },
    settings: (asked, project) =>
      asked.length === 0 ? {} : settingsFacts(asked, { home, project: whereItLeads(project) ?? project, env, hashed }),
    registries: (asked, project) => packagesHere(asked, { home, env, project: whereItLeads(project) ?? project }),
    taken: (paths, nowMs) => takenPlaces(paths, { home, nowMs }),
    files: (used, how) => fileFacts(used, { ...how, env: withVariables(env, how.env), hashed, hashedVariable }),
  };
}

/** Copying the environment takes as long as deciding a call, and most calls have no variables. */
function withVariables(env: Environment, given: Environment): Environment {
  return Object.keys(given).length === 0 ? env : { ...env, ...given };
}

/** Side files of a database (journal, log) belong to it. */
function withCompanions(path: string): readonly string[] {
  return [path, `${path}-wal`, `${path}-shm`, `${path}-journal`];
}

/** True if the last folder with a letter in its name is also found in the other case: the disk ignores case. */
function ignoresCase(folder: string): boolean {
  for (let here = normalise(folder); !isRoot(here); here = parentOf(here)) {
    const name = basename(here);
    const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
    if (other === name || statOf(here) === "missing") continue;
    const twin = `${dirname(here)}/${other}`;
    const [one, two] = [statOf(here), statOf(twin)];
    return typeof one === "object" && typeof two === "object" && one.ino === two.ino && one.dev === two.dev;
  }
  return false;
}
