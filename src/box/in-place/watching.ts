import { lstatSync } from "node:fs";
import type { WallRefusal } from "../../core/box.ts";
import { isUnder } from "../../core/classify/path.ts";
import { putAside, removeAppeared } from "../appeared.ts";
import { isGitFolder, type ProtectedPlaces } from "../protected-places.ts";
import { BoxFolders } from "../rehearsal/journal.ts";
import { HELD_MS, openBoxDoor } from "./door.ts";
import { PlantedLook, Unfinished } from "./planted.ts";

/** A box that changes files where they are, watched while it runs. */
export type Watching = {
  /** Places deep in the folders that can be changed, which the walls must cover. */
  kept: readonly string[];
  /** From now on others can ask to have it frozen. */
  open(box: { before: ProtectedPlaces; pid(): number | undefined }): Promise<{ end(): readonly WallRefusal[] }>;
};

type Watched = { writable: readonly string[]; project: string; home: string; stateFolder: string };

/** Looks at what is there before. Throws if there is too much to look at, because then no box may change it in place. */
export function watchInPlace({ writable, project, home, stateFolder }: Watched): Watching {
  const folders = writable.filter((path) => lstatSync(path).isDirectory());
  // A repository that was opened itself, for commits, is looked at by `protectedPlaces`.
  const roots = folders.filter(
    (path) => !isGitFolder(path) && !folders.some((other) => other !== path && isUnder(path, other)),
  );
  // Of a whole home or system only the upper folders are looked at, as always.
  const look = roots.some((root) => isUnder(home, root)) ? undefined : looked(roots);
  const sinceMs = Date.now();
  const looking = { writable, project, views: [], stateFolder };
  return {
    kept: (look?.before() ?? []).filter((path) => !writable.includes(path)),
    open: async ({ before, pid }) => {
      const removed: WallRefusal[] = [];
      const tidy = (isExpected: (path: string) => boolean): readonly string[] => {
        const mayStay = (path: string) => isExpected(path) || isApplied(path, { stateFolder, project, sinceMs });
        const found = removeAppeared(before, looking, mayStay);
        const planted = (look?.appeared() ?? []).filter((path) => !mayStay(path));
        putAside(planted, stateFolder);
        const all = [...found, ...planted.map((path) => ({ of: "write", path }) as const)];
        removed.push(...all);
        return all.flatMap((one) => (one.of === "write" ? [one.path] : []));
      };
      const door = await openBoxDoor({ stateFolder, pid, tidy });
      return {
        end: () => {
          const isHeld = door.wasHeld();
          door.close();
          return [...(isHeld ? [{ of: "limit", limit: "held", max: HELD_MS } as const] : []), ...removed];
        },
      };
    },
  };
}

function looked(roots: readonly string[]): PlantedLook {
  try {
    return new PlantedLook(roots);
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error;
    throw new Error(`${error.message}; put LEEWAY_BOX=off before the command, and a person is asked instead`);
  }
}

/** Whether changes of a rehearsed command were applied there meanwhile: they were decided about by themselves. */
function isApplied(
  path: string,
  { stateFolder, project, sinceMs }: { stateFolder: string; project: string; sinceMs: number },
): boolean {
  const box = new BoxFolders(stateFolder);
  const records = box.names("undo").flatMap((name) => box.read(name) ?? []);
  return records.some(
    (record) =>
      record.state === "applied" &&
      record.project === project &&
      record.atMs >= sinceMs &&
      record.moves.some((move) => isUnder(`${project}/${move.path}`, path) || isUnder(path, `${project}/${move.path}`)),
  );
}
