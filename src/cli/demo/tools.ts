import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import type { Json, JsonObject } from "../../core/values/json.ts";

/** What the demo's tools do, inside the temporary folder. */
export function useTool(project: string, tool: string, args: JsonObject): Json {
  const path = resolve(project, typeof args["path"] === "string" ? args["path"] : "outbox.log");
  // A reviewer who edits a call may write any path.
  if (!path.startsWith(project + sep)) throw new Error("that is outside of the demo's folder");
  switch (tool) {
    case "read_file":
      return readFileSync(path, "utf8");
    case "write_file":
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, String(args["text"]));
      return `${path.slice(project.length + 1)} written`;
    case "delete_file":
      rmSync(path);
      return "deleted";
    default:
      // Calls with an effect outside the folder are only noted in a file there.
      appendFileSync(path, `${tool} ${JSON.stringify(args)}\n`);
      return "done";
  }
}

export function furnish(project: string): void {
  mkdirSync(join(project, "data"), { recursive: true });
  writeFileSync(join(project, "README.md"), "# Shop\n\nA shop that sells one thing.\n");
  writeFileSync(join(project, "data", "customers.csv"), "name,city\nana,Lisbon\nben,Bergen\n");
}
