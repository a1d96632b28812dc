import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startedAt } from "../../box/in-place/registry.ts";
import { childrenIn, usageUnder } from "../../box/limits/usage.ts";

// The boxes of programs in the background, in the state folder: one folder for each call, with a file that says what runs, and
// the program's output. The process that keeps a box writes the file; whoever reads it looks whether that process still runs.

export type KeptBox = {
  call: string;
  agent: string;
  /** The command, with secrets masked. */
  command: string;
  folder: string;
  sinceMs: number;
  /** The process that keeps the box, and when it was started: the system gives the same number to others later. */
  keeper: { pid: number; started: string };
  ended?: { atMs: number; exitCode: number };
};

/** `lost`: its keeper ended without saying how the program did, and the program with it. */
export type KeptState = "running" | "ended" | "lost";

const KEPT_MS = 7 * 86_400_000;

export class Register {
  readonly #root: string;
  constructor(stateFolder: string) {
    this.#root = join(stateFolder, "box", "kept");
  }

  /** What the program writes. */
  outputOf(call: string): string {
    return join(this.#root, call, "output");
  }

  /** Makes the folder of a call, and removes what ended long ago. */
  prepare(call: string, nowMs: number): void {
    for (const old of this.all()) {
      const isOld = nowMs - (old.ended?.atMs ?? old.sinceMs) > KEPT_MS;
      if (isOld && stateOf(old) !== "running") rmSync(join(this.#root, old.call), { recursive: true, force: true });
    }
    mkdirSync(join(this.#root, call), { recursive: true, mode: 0o700 });
  }

  write(box: KeptBox): void {
    const file = join(this.#root, box.call, "box.json");
    writeFileSync(`${file}.next`, JSON.stringify(box), { mode: 0o600 });
    renameSync(`${file}.next`, file);
  }

  read(call: string): KeptBox | undefined {
    const file = join(this.#root, call, "box.json");
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
    return JSON.parse(readFileSync(file, "utf8")) as KeptBox;
  }

  /** Oldest first, of this agent or of all. */
  running(agent?: string): readonly KeptBox[] {
    return this.all().filter((box) => stateOf(box) === "running" && (agent ?? box.agent) === box.agent);
  }

  /** Oldest first. */
  all(): readonly KeptBox[] {
    if (lstatSync(this.#root, { throwIfNoEntry: false }) === undefined) return [];
    return readdirSync(this.#root)
      .flatMap((call) => this.read(call) ?? [])
      .sort((a, b) => a.sinceMs - b.sinceMs);
  }
}

export function stateOf({ ended, keeper }: KeptBox): KeptState {
  if (ended !== undefined) return "ended";
  return startedAt(keeper.pid) === keeper.started ? "running" : "lost";
}

/** The processes that the keeper started: the box. */
export function boxPids({ keeper }: KeptBox): readonly number[] {
  return childrenIn(`/proc/${keeper.pid}/task/${keeper.pid}/children`);
}

export function memoryOf(box: KeptBox): number {
  return boxPids(box).reduce((sum, pid) => sum + usageUnder(pid).memoryBytes, 0);
}
