import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

/** A program of the tests with everything that it imports, in one file for Node. */
export async function bundle(name: "checker" | "killed" | "operator", folder: string): Promise<string> {
  const file = join(folder, `${name}.mjs`);
  const input = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  await build({
    input,
    platform: "node",
    logLevel: "silent",
    transform: { target: "node20" },
    output: { file, format: "esm", codeSplitting: false },
  });
  return file;
}
