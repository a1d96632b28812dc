import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { itemMaker } from "../../src/cli/inbox/items.ts";
import { openDeps } from "../../src/compose.ts";
import { inboxReader } from "../../src/service/views/inbox.ts";
import { openDatabase } from "../../src/store/sqlite/file/driver.ts";
import { setUpAna } from "./person.ts";
import { leeway, machine } from "./program.ts";

const on = machine();
beforeAll(() => setUpAna(on));
afterAll(() => on.remove());

test("a question whose arguments cannot be decrypted is listed as one that cannot be shown, beside the others", async () => {
  const ask = (...words: string[]) => leeway(on, ["run", "--wait", "1s", "--", ...words]);
  await ask("git", "push");
  const db = openDatabase(join(on.home, "state", "leeway", "leeway.db"));
  db.exec("update calls set args = 'sealed:AAAA' || substr(args, 8)");
  db.close();
  await ask("npm", "test");
  const deps = await openDeps({ env: on.env, cwd: on.project });
  const items = itemMaker()(await inboxReader(deps)(), 80, 0);
  await deps.close();
  expect(items.map(({ title, offers }) => [title.slice(0, 15), offers.length > 0])).toEqual([
    ["cannot be shown", false],
    ["npm test", true],
  ]);
});
