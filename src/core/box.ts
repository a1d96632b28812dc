import type { Hash } from "./values/hash.ts";

/**
 * What a program can touch while it runs in a box. Everything else is closed to it: other places are read-only, places with
 * credentials are not there, and there is no network.
 */
export type Walls = {
  /**
   * Absolute paths that can be changed; a folder with everything in it, except the protected places in it. A protected place
   * can be changed only if it is itself in this list.
   */
  write: readonly string[];
  /** Domains that can be reached, only through the proxy of the gate. `any`: the network of this machine, without a proxy. */
  network: readonly string[] | "any";
  /**
   * Places that would not be there, but that what was decided about the call needs: credentials, and temporary files of
   * earlier calls.
   */
  reveal: readonly string[];
  /** What the program may use at most. */
  limits?: BoxLimits;
  /** Registries whose packages can be read: through a reader of the gate, and nothing can be sent to them. */
  packages?: readonly PackageSource[];
  /** The tools of the project, which only its boxes have, can be seen; those of the listed kinds can be installed and removed. */
  tools?: readonly PackageKind[];
};

/** The kinds of registries that the gate can read for a program in a box. */
export const PACKAGE_KINDS = ["npm", "pypi", "go", "crates"] as const;
export type PackageKind = (typeof PACKAGE_KINDS)[number];

/** A registry, by the address of its index. */
export type PackageSource = { kind: PackageKind; from: string };

/** The registries that the settings of package managers name, by kind. A kind that is not there must not be read. */
export type RegistriesNamed = { readonly [kind in PackageKind]?: readonly string[] };

/** What the door knows about packages here. `forTools`: the kinds whose program installs outside of the project. */
export type PackagesHere = { named: RegistriesNamed; forTools: readonly PackageKind[] };

/** What is not limited here has the limits of every box. `processes`: at the same time, with their threads. */
export type BoxLimits = { memoryBytes?: number; processes?: number; timeMs?: number };

export const NO_WALLS_OPEN: Walls = { write: [], network: [], reveal: [] };

/**
 * The box that a call runs in. `enforced`: the walls are exactly as wide as what was decided about the call. `enough`: nobody
 * knows what its code does, and the walls are the reason why it may run. `granted`: a person's grant holds only in this box. `rehearsed`: the files are changed in a copy first.
 */
export type Box = { because: "enforced" | "enough" | "granted"; walls: Walls; rehearsed: boolean };

/** The tool that applies what a rehearsed command changed. Only the gate calls it. */
export const APPLY_TOOL = "leeway.apply";
/** The tool that puts back what an applied call changed. Only the gate calls it, for a person. */
export const UNDO_TOOL = "leeway.undo";

/** Whether only the gate itself may call this tool: what it does is in files that its arguments only name. */
export function isGateOnly(tool: string): boolean {
  return tool === APPLY_TOOL || tool === UNDO_TOOL;
}

/** What is at a path. Only these kinds can be changed by a rehearsal; anything else is refused. */
export type FileState =
  | { kind: "file"; bytes: number; hash: Hash; mode: number }
  | { kind: "link"; to: string }
  | { kind: "folder"; mode: number };

/** One difference that a rehearsed command made: what was at the path, and what is there now. `null`: nothing. */
export type FileChange = { path: string; was: FileState | null; now: FileState | null };

/** The path of a change that stands for all of them: too much was changed, so nothing of it is applied. */
export const EVERYTHING = ".";

/** Something that the program in the box tried, and that the walls did not let it do. */
export type WallRefusal =
  | { of: "network"; domain: string }
  | { of: "write"; path: string }
  /** A file that cannot be applied: a device, a socket, a name that is no UTF-8, too many or too large files. */
  | { of: "change"; path: string; why: string }
  /** A new file that is empty, because the file that it was probably copied from is hidden in the box. */
  | { of: "hidden"; path: string }
  /** Somebody outside replaced a hidden or protected file, and it could not be covered again, so the box was ended. */
  | { of: "uncovered"; path: string }
  /**
   * More than the box may use, so the box was ended. `max`: bytes, processes or milliseconds. `held`: the box was frozen for a call of
   * the host's own tools, and the host did not say in time that the call has ended.
   */
  | { of: "limit"; limit: "memory" | "processes" | "time" | "held"; max: number };
