import { workspacesIn } from "./config/workspace-folders.ts";
import type { WorkspaceId } from "./core/ids.ts";
import type { Deps } from "./gate/deps.ts";

/** A workspace that is served besides the server's own, and the address of its pages. */
export type AddedWorkspace = { deps: Deps; pages: string; close(): Promise<void> };

/** The workspaces that a server serves besides its own: those that have a folder, as long as they have one. */
export type WorkspacesKept = { list(): readonly AddedWorkspace[]; close(): Promise<void> };

/** How often the server looks whether folders were added or removed. */
const LOOK_MS = 1_000;

type Keeping = {
  stateFolder: string;
  /** The server's own workspace. */
  own: WorkspaceId;
  open(name: WorkspaceId): Promise<AddedWorkspace>;
  warn(error: unknown): void;
};

/** Throws if a workspace cannot be opened; later, when folders change, this is only a warning. */
export async function keepWorkspaces({ stateFolder, own, open, warn }: Keeping): Promise<WorkspacesKept> {
  const held = new Map<WorkspaceId, AddedWorkspace>();
  const look = async () => {
    const named = new Set(workspacesIn(stateFolder).filter((name) => name !== own));
    for (const [name, added] of held) {
      if (named.has(name)) continue;
      held.delete(name);
      await added.close();
    }
    for (const name of named) if (!held.has(name)) held.set(name, await open(name));
  };
  const close = async () => {
    await Promise.all([...held.values()].map((added) => added.close()));
  };
  try {
    await look();
  } catch (error) {
    await close();
    throw error;
  }
  const told = tellOnce(warn);
  let going = Promise.resolve();
  const timer = setInterval(() => {
    going = going.then(look).then(() => told(undefined), told);
  }, LOOK_MS).unref();
  return {
    list: () => [...held.values()],
    close: async () => {
      clearInterval(timer);
      await going;
      await close();
    },
  };
}

/** The same failure comes again each time until somebody repairs it; it is told once. */
function tellOnce(warn: (error: unknown) => void): (error: unknown) => void {
  let before = "";
  return (error) => {
    const text = error === undefined ? "" : String(error);
    if (error !== undefined && text !== before) warn(error);
    before = text;
  };
}
