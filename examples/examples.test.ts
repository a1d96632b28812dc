import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const here = dirname(fileURLToPath(import.meta.url));
const stories = readdirSync(here, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

test("there is an example for each way to use Leeway", () => {
  expect(stories).toEqual(["ask-and-approve", "batch", "scoped-policy", "wrap-a-tool"]);
});

for (const story of stories) {
  test(`examples/${story} runs, and everything that it checks is true`, async () => {
    await import(join(here, story, "main.ts"));
  });
}
