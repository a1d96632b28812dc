import type { Imported } from "../../../importers/imported.ts";
import { IMPORTERS } from "../../../importers/importers.ts";
import { Failure } from "../../failure.ts";
import { type CommandSpec, oneOf } from "../../spec.ts";
import { fileText } from "../../terminal/files.ts";
import { faultLine } from "../../views/policy-view.ts";

const SOURCES = Object.keys(IMPORTERS);
/** Sources that are planned with the integration of agent programs, so that the error can name them. */
const LATER = ["claude-code", "codex", "gemini", "opencode"];

export const importPolicy: CommandSpec = {
  name: "import",
  summary: "convert another system's policy to a leeway.yaml, and list what could not be converted",
  args: [
    ["<source>", SOURCES.join(" | ")],
    ["<file>", "its policy file, in YAML or JSON"],
  ],
  examples: ["leeway import harn autonomy.json > leeway.yaml", "leeway import clawith policy.yaml --json"],
  exits: [0, 1, 2],
  act: async (given) => {
    const [source = "", file = ""] = given.args;
    if (LATER.includes(source))
      throw new Failure(1, `this version cannot import from ${source}`, `use one of: ${SOURCES.join(", ")}`);
    const importer = IMPORTERS[oneOf(source, SOURCES, "source")];
    if (importer === undefined) throw new Error(`there is no importer for ${source} (this is a bug)`);
    const { readYaml } = await import("../../../config/parse/yaml.ts");
    const read = readYaml(fileText(file), file);
    const carried: Imported = read.ok ? importer(read.tree) : read;
    if (!carried.ok) {
      throw new Failure(
        1,
        carried.faults.map(faultLine).join("\n"),
        `check that this is a policy of ${source}, and fix it there first`,
      );
    }
    given.out.answer({ source, yaml: carried.yaml, notCarriedOver: carried.notCarriedOver }, () => carried.yaml);
    if (!given.out.json) for (const line of carried.notCarriedOver) given.out.note(`not converted: ${line}`);
    return 0;
  },
};
