import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { listTools, removeTools } from "../../../box/packages/tools.ts";
import { stateFolderOf } from "../../../config/server-file.ts";
import { nameText } from "../../../core/letters/name-text.ts";
import { sizeText } from "../../../core/values/size.ts";
import { visible } from "../../../core/values/text.ts";
import { Failure } from "../../failure.ts";
import { type CommandInput, type CommandSpec, text } from "../../spec.ts";
import { table } from "../../terminal/table.ts";

export const boxTools: CommandSpec = {
  name: "box tools",
  summary: "list the projects whose boxes have tools of their own, and remove such tools",
  options: [["--remove <project>", "remove the tools of this project; its boxes no longer have them"]],
  examples: ["leeway box tools", "leeway box tools --remove ."],
  exits: [0, 1, 2],
  act: async (given) => {
    const stateFolder = stateFolderOf(given.io.env);
    const removed = text(given, "remove");
    if (removed !== undefined) return remove(given, stateFolder, removed);
    const all = listTools(stateFolder);
    given.out.answer(all, () => {
      if (all.length === 0) return "No tools were installed for boxes of any project.";
      const rows = all.map(({ project, bytes, isGone }) => [
        visible(project),
        sizeText(bytes),
        isGone ? "the project is gone" : "",
      ]);
      return table(given.out, ["PROJECT", "SIZE", ""], rows);
    });
    return 0;
  },
};

function remove(given: CommandInput, stateFolder: string, named: string): number {
  const path = resolve(given.io.cwd, named);
  // The folder of the project may be gone.
  const project = statSync(path, { throwIfNoEntry: false }) === undefined ? path : realpathSync.native(path);
  if (!removeTools({ stateFolder, project }))
    throw new Failure(1, `no tools were installed for boxes of ${nameText(project)}`, "`leeway box tools` lists them");
  given.out.answer({ removed: project }, () => `the tools of ${nameText(project)} are removed`);
  return 0;
}
