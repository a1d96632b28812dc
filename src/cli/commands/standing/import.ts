import type { Imported } from "../../../importers/imported.ts";
import { IMPORTERS } from "../../../importers/importers.ts";
import { Failure } from "../../failure.ts";
import { type CommandSpec, oneOf } from "../../spec.ts";
import { fileText } from "../../terminal/files.ts";
import { faultLine } from "../../views/policy-view.ts";

const SOURCES = Object.keys(IMPORTERS);
/** Agent programs, whose settings are JSON with comments, TOML, or Codex's own language of rules. */
const HOSTS = ["claude-code", "codex", "gemini", "opencode"];

export const importPolicy: CommandSpec = {
  name: "import",
  summary: "convert another system's policy to a leeway.yaml, and list what could not be converted",
  args: [
    ["<source>", SOURCES.join(" | ")],
    ["<file>", "its policy file, in YAML or JSON; of an agent program its settings or rules, in JSON, TOML or .rules"],
  ],
  examples: [
    "leeway import claude-code .claude/settings.json > leeway.yaml",
    "leeway import codex ~/.codex/rules/default.rules",
    "leeway import clawith policy.yaml --json",
  ],
  exits: [0, 1, 2],
  act: async (given) => {
    const [source = "", file = ""] = given.args;
    const importer = IMPORTERS[oneOf(source, SOURCES, "source")];
    if (importer === undefined) throw new Error(`there is no importer for ${source} (this is a bug)`);
    const read = await readSource(source, file);
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

/** Reads the file by the end of its name; YAML includes JSON. */
async function readSource(source: string, file: string) {
  const text = fileText(file);
  if (HOSTS.includes(source) && file.endsWith(".toml")) {
    const { readToml } = await import("../../../config/parse/toml.ts");
    return readToml(text, file);
  }
  if (source === "codex") {
    const { readCodexRules } = await import("../../../config/parse/codex-rules.ts");
    return readCodexRules(text, file);
  }
  const { readYaml } = await import("../../../config/parse/yaml.ts");
  if (!HOSTS.includes(source)) return readYaml(text, file);
  const { withoutComments } = await import("../../../config/parse/json-comments.ts");
  return readYaml(withoutComments(text), file);
}
