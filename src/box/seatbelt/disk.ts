import { tmpdir } from "node:os";
import { isUnder } from "../../core/classify/path.ts";
import { namesIn } from "../folder-names.ts";
import { type Disk, existingFolders } from "../places.ts";

// What is on the disk of a Mac and differs from Linux.

/** A Mac has no folders that are empty for a program. Those with temporary files of other programs are closed. */
function temporaryFolders(): readonly string[] {
  return existingFolders(["/private/tmp", "/private/var/tmp", tmpdir()]);
}

/**
 * `Library` of a home has what every application keeps: mail, messages, cookies, keys. Only these folders of it, in which tools of
 * developers keep programs and caches, can be read.
 */
const IN_LIBRARY = [
  ...["Android", "Developer", "Java", "Python", "pnpm"],
  ...["Caches/Cypress", "Caches/Homebrew", "Caches/Yarn", "Caches/deno", "Caches/electron", "Caches/go-build"],
  ...["Caches/ms-playwright", "Caches/node-gyp", "Caches/pip", "Caches/pnpm", "Caches/pypoetry", "Caches/uv"],
  "Application Support/go",
];

const HOMES = "/Users";
const KEYS_OF_THE_SYSTEM = "/Library/Keychains";

export const MAC: Disk = {
  own: temporaryFolders,
  hidden: ({ home }) => {
    const others = namesIn(HOMES)
      .map(({ name }) => `${HOMES}/${name}`)
      .filter((at) => !isUnder(home, at));
    return [`${home}/Library`, ...others, KEYS_OF_THE_SYSTEM].map((at) => ({ at, is: "folder" }));
  },
  // Seatbelt takes no rights away that the user has, so everything is closed by a rule.
  reachable: () => () => true,
  shown: ({ home }) => IN_LIBRARY.map((name) => `${home}/Library/${name}`),
  scratch: () => [],
};
