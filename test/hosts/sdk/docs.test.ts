import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { snippetsOf } from "../../library/snippets.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const hosts = dirname(dirname(fileURLToPath(import.meta.url)));
// A folder beside the packages, so that they are found by their names, as the reader's program finds them.
const folder = mkdtempSync(join(hosts, ".programs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const snippets = snippetsOf(join(root, "docs/sdk.md")).filter(({ info }) => info === "ts run");
// Stands for the reader's models.
writeFileSync(join(folder, "model.ts"), 'export { langchainModel, model, openaiModel } from "../sdk/models.ts";\n');

test("docs/sdk.md has a snippet that runs for each SDK whose tools run in this process", () => {
  expect(snippets.length).toBe(3);
});

test("docs/sdk.md names the versions that the tests use", () => {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(hosts, "package.json"), "utf8"),
  );
  const used = (name: string) => /(\d+\.\d+)\.\d+$/.exec(dependencies[name] ?? "")?.[1];
  const page = readFileSync(join(root, "docs/sdk.md"), "utf8");
  expect(page).toContain(`| \`ai\` ${used("ai")} and ${used("ai-v7")} |`);
  for (const name of ["@openai/agents", "langchain", "@anthropic-ai/claude-agent-sdk"]) {
    expect(page).toContain(`| \`${name}\` ${used(name)} |`);
  }
});

for (const { line, text } of snippets) {
  test(`docs/sdk.md:${line} runs`, async () => {
    await ran(`snippet-${line}.ts`, text);
  });
}

for (const story of ["ai-sdk", "openai-agents", "langchain", "claude-agent-sdk"]) {
  test(`examples/${story} runs, and everything that it checks is true`, async () => {
    await ran(`example-${story}.ts`, readFileSync(join(root, "examples", story, "main.ts"), "utf8"));
  });
}

/** Runs a program as a module, with an empty home. */
async function ran(name: string, text: string): Promise<void> {
  const before = process.env["HOME"];
  writeFileSync(join(folder, name), text);
  try {
    process.env["HOME"] = folder;
    await import(join(folder, name));
  } finally {
    process.env["HOME"] = before;
  }
}
