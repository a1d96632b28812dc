import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { FIRST_WORKSPACE, isWorkspaceName, type WorkspaceId } from "../core/ids.ts";
import { codeOf, SettingError } from "./environment.ts";

// A server serves its own workspace, and every other one that has a folder in the state folder. In it are the workspace's
// policy, the settings of its runners, and its secrets. No agent may write there.

const FOLDER = "workspaces";
const POLICY_FILE = "leeway.yaml";

export function workspaceFolder(stateFolder: string, workspace: WorkspaceId): string {
  return join(stateFolder, FOLDER, workspace);
}

export function workspacePolicy(stateFolder: string, workspace: WorkspaceId): string {
  return join(workspaceFolder(stateFolder, workspace), POLICY_FILE);
}

/** Whether the file that is named as the only policy is the one in the folder of the workspace. */
export function isWorkspacePolicy(file: string, workspace: WorkspaceId): boolean {
  return workspace !== FIRST_WORKSPACE && file.endsWith(join("/", FOLDER, workspace, POLICY_FILE));
}

/** The first workspace has no folder: it uses the policies of the user and the project. */
export function hasFolder(stateFolder: string, workspace: WorkspaceId): boolean {
  return workspace !== FIRST_WORKSPACE && existsSync(workspaceFolder(stateFolder, workspace));
}

/** The workspaces that have a folder, by name. */
export function workspacesIn(stateFolder: string): readonly WorkspaceId[] {
  const path = join(stateFolder, FOLDER);
  return foldersIn(path).map((name) => {
    if (isWorkspaceName(name) && name !== FIRST_WORKSPACE) return name;
    throw new SettingError(`${join(path, name)} is not the folder of a workspace`, "move it away, or rename it");
  });
}

function foldersIn(path: string): readonly string[] {
  try {
    const found = readdirSync(path, { withFileTypes: true }).filter((one) => one.isDirectory());
    return found.map(({ name }) => name).sort();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw new SettingError(`${path} cannot be read (${codeOf(error)})`, "make it readable for you");
  }
}
