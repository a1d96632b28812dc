import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf } from "../../config/environment.ts";
import { addPerson } from "../../gate/people/people.ts";
import { Failure, orFail } from "../failure.ts";
import type { OpenedGate } from "../gate/database.ts";
import type { Io } from "../terminal/io.ts";
import { DEMO_POLICY } from "./story.ts";
import { furnish } from "./tools.ts";

/** The person at the terminal plays this person: the agent's owner. */
export const REVIEWER = "ana";

/** A gate with its own folder: nothing of the real one is read or written. */
export type Stage = { deps: OpenedGate; project: string; strike(): Promise<void> };

function throwAwayFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "leeway-demo-"));
  } catch (error) {
    throw new Failure(
      1,
      `no folder can be made in ${tmpdir()} (${codeOf(error)})`,
      "set TMPDIR to a folder that you may write to",
    );
  }
}

/** `passphrase`: for ana, if she has to sign in. */
export async function setStage(io: Io, given: { passphrase?: string } = {}): Promise<Stage> {
  const { openDeps } = await import("../../open.ts");
  const folder = throwAwayFolder();
  const clear = () => rmSync(folder, { recursive: true, force: true });
  // A closed pipe ends the program at once; even then the folder is deleted.
  process.once("exit", clear);
  const project = join(folder, "shop");
  mkdirSync(project);
  furnish(project);
  const policy = join(project, "leeway.yaml");
  writeFileSync(policy, DEMO_POLICY);
  const deps = await openDeps({
    cwd: project,
    policy,
    env: {
      // Without PATH every program would be looked up in the working folder, and each card would warn about that.
      PATH: io.env["PATH"],
      HOME: folder,
      XDG_STATE_HOME: join(folder, "state"),
      XDG_CONFIG_HOME: join(folder, "config"),
    },
    clock: io.clock,
  });
  orFail(await addPerson(deps, { name: REVIEWER, admin: true, ...given, by: REVIEWER, assurance: "tty" }));
  return {
    deps,
    project,
    strike: async () => {
      await deps.close();
      clear();
    },
  };
}
