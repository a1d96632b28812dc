import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Move } from "./difference.ts";
import { makeFolder, writeDurably } from "./durable.ts";
import { unless } from "./tools.ts";

/**
 * What is being done to a project, or was done. `preparing`: nothing in the project was touched yet. `applying`: some of it may
 * be done. `reverting`: it failed, and some of it may be put back. `applied`: all of it is done, and it can be undone. `reverted`: it
 * was put back, except the paths in `left`, which somebody else had changed. `kept`: a tool of a host writes these files now, or nobody
 * said how it ended.
 */
export type Journal = {
  version: 1;
  name: string;
  project: string;
  state: "preparing" | "applying" | "reverting" | "applied" | "reverted" | "kept";
  moves: readonly Move[];
  /** Where the new files wait to be moved into place: in the same file system as the project. */
  staging: string;
  /** Folders that their owner may not write to. They are opened while their files are moved, and closed again. */
  closed: readonly { path: string; mode: number }[];
  /** The record that this one undoes. It is of no use afterwards. */
  undoes?: string;
  left?: readonly string[];
  atMs: number;
  bytes: number;
};

/** The folders below `box` in the state folder. */
export class BoxFolders {
  readonly box: string;

  constructor(stateFolder: string) {
    this.box = join(stateFolder, "box");
  }

  rehearsal(name: string): string {
    return join(this.box, "rehearsals", nameOf(name));
  }

  undo(name: string): string {
    return join(this.box, "undo", nameOf(name));
  }

  /** The bytes that the file of this move had before. */
  former(name: string, index: number): string {
    return join(this.undo(name), "was", String(index));
  }

  names(of: "rehearsals" | "undo"): readonly string[] {
    return unless(["ENOENT"], () => readdirSync(join(this.box, of))) ?? [];
  }

  write(journal: Journal): void {
    makeFolder(join(this.undo(journal.name), "was"));
    writeDurably(join(this.undo(journal.name), "journal.json"), JSON.stringify(journal));
  }

  /** Undefined if there is none: then nothing but its folder was made. */
  read(name: string): Journal | undefined {
    const text = unless(["ENOENT"], () => readFileSync(join(this.undo(name), "journal.json"), "utf8"));
    return text === undefined ? undefined : (JSON.parse(text) as Journal);
  }

  /** The journal goes first: a folder without one is removed by `recover`. */
  drop(name: string): void {
    rmSync(join(this.undo(name), "journal.json"), { force: true });
    rmSync(this.undo(name), { recursive: true, force: true });
  }
}

/** Names become folders, so they have no other characters. */
function nameOf(name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(name))
    throw new Error(`${JSON.stringify(name)} is not the name of a rehearsal`);
  return name;
}
