import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Holder } from "../../src/core/people.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { addPerson } from "../../src/gate/people/people.ts";
import { startSignIn } from "../../src/gate/people/sign-in.ts";
import { addToken } from "../../src/gate/people/tokens.ts";
import { type Asking, PASSPHRASE, POLICY, type Reply, type Served } from "./served.ts";

// A second workspace on the server of a test.

export type Beside = {
  name: string;
  deps: Deps;
  token(holder: Holder): Promise<string>;
  cookie(person: string): Promise<string>;
  /** Asks below the workspace's own address. */
  ask(method: string, path: string, given?: Asking): Promise<Reply>;
};

/** Makes the folder of a workspace while the server runs, waits until it is served, and adds its admin. */
export async function beside(on: Served, name: string, { policy = POLICY, admin = "ana" } = {}): Promise<Beside> {
  makeFolder(on, name, policy);
  const deps = await servedAs(on, name);
  const added = await addPerson(deps, { name: admin, by: "ana", passphrase: PASSPHRASE, assurance: "tty" });
  if (!added.ok) throw new Error(added.reason.say);
  return {
    name,
    deps,
    token: async (holder) => {
      const made = await addToken(deps, holder, { by: admin, assurance: "tty" });
      if (!made.ok) throw new Error(made.reason.say);
      return made.value.text;
    },
    cookie: async (person) => {
      const started = await startSignIn(deps, person, { assurance: "password", browser: "a test" });
      if (!started.ok) throw new Error(started.reason.say);
      return `leeway-${on.port}-${name}=${started.value.text}`;
    },
    ask: (method, path, given) => on.ask(method, `/w/${name}${path}`, given),
  };
}

/** The server looks for folders every second. */
async function servedAs(on: Served, name: string): Promise<Deps> {
  for (;;) {
    const found = on.workspaces.list().find(({ deps }) => deps.workspace === name);
    if (found !== undefined) return found.deps;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function makeFolder(on: Pick<Served, "state">, name: string, policy: string): void {
  const folder = join(on.state, "workspaces", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "leeway.yaml"), policy);
}
