import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { program } from "../test/cli/program.ts";

const here = dirname(fileURLToPath(import.meta.url));
const stories = readdirSync(here, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

/** These need the packages of agent SDKs: `npm run test:hosts` runs them. */
const WITH_PACKAGES = ["ai-sdk", "claude-agent-sdk", "langchain", "openai-agents"];
/** These need a server: `test/http/python-example.test.ts` runs it. */
const WITH_SERVER = ["python"];
/** These start the real program, as agent programs do. */
const HOSTS = ["claude-code", "codex", "copilot", "gemini", "mcp", "opencode"];
const ALONE = ["ask-and-approve", "batch", "plan", "scoped-policy", "wrap-a-tool"];

test("there is an example for each way to use Leeway", () => {
  expect(stories).toEqual([...ALONE, ...HOSTS, ...WITH_PACKAGES, ...WITH_SERVER].sort());
});

beforeAll(() => {
  process.env["LEEWAY_PROGRAM"] = program();
  return () => {
    delete process.env["LEEWAY_PROGRAM"];
  };
}, 180_000);

for (const story of [...ALONE, ...HOSTS]) {
  test(`examples/${story} runs, and everything that it checks is true`, async () => {
    await import(join(here, story, "main.ts"));
  });
}
