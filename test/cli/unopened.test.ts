import { afterAll, beforeAll, expect, test } from "vitest";
import { itemReader } from "../../src/cli/inbox/items.ts";
import { openDeps } from "../../src/compose.ts";
import { setUpAna } from "./person.ts";
import { leeway, machine } from "./program.ts";

const on = machine();
beforeAll(() => setUpAna(on));
afterAll(() => on.remove());

test("a question that was sealed with another key is listed as one that cannot be shown, beside those that can", async () => {
  const ask = (env: Record<string, string>, ...words: string[]) =>
    leeway(on, ["run", "--wait", "1s", "--", ...words], { env });
  await ask({ LEEWAY_KEY: "ab".repeat(32) }, "git", "push");
  await ask({}, "npm", "test");
  const deps = await openDeps({ env: on.env, cwd: on.project });
  const { items } = await itemReader(deps)(80);
  await deps.close();
  expect(items.map(({ title, offers }) => [title.slice(0, 15), offers.length > 0])).toEqual([
    ["cannot be shown", false],
    ["runs npm test", true],
  ]);
});
