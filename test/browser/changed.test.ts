import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBoxing } from "../../src/box/boxing.ts";
import { submitChanges } from "../../src/gate/boxes/changes.ts";
import { callAt } from "../../src/gate/calls/call-at.ts";
import { type Served, served } from "../http/served.ts";
import { axe, fits, launch, windowOf } from "./browser.ts";

let on: Served;
let browser: Browser;
let token: string;
beforeAll(async () => {
  on = await served();
  browser = await launch();
  token = await on.token({ agent: "coder" });
});
afterAll(async () => {
  await browser.close();
  await on.remove();
});

const SCREENSHOTS = join(import.meta.dirname, "../../node_modules/.leeway-screenshots");

/** A repository with a commit, and work in `notes.md` that no commit has. */
function repository(name: string): string {
  const folder = join(realpathSync.native(on.project), name);
  mkdirSync(folder);
  const write = (file: string, bytes: string | Buffer) => writeFileSync(join(folder, file), bytes);
  write("app.py", `${Array.from({ length: 60 }, (_, i) => `line_${i + 1} = ${i + 1}`).join("\n")}\n`);
  write("run.sh", "echo hello\n");
  write("logo.png", Buffer.from([137, 80, 78, 71, 0, 1, 2, 3]));
  write("notes.md", "# Notes\n");
  chmodSync(join(folder, "run.sh"), 0o644);
  const git = "git init -q && git add . && git -c user.name=a -c user.email=a@example.com commit -qm first";
  expect(spawnSync("sh", ["-c", git], { cwd: folder }).status).toBe(0);
  write("notes.md", "# Notes\n\n- written this morning\n");
  return folder;
}

/** Rehearses a script as a call of the agent, and opens the question about what it changed. */
async function asked(folder: string, script: string) {
  const sent = await on.ask("POST", "/v1/calls", {
    token,
    body: { tool: "shell", args: { command: "git status" }, cwd: folder },
  });
  const row = await callAt(on.deps, sent.body.id);
  if (row === undefined) throw new Error(`the call was not recorded: ${sent.text}`);
  const boxing = openBoxing({ stateFolder: on.state, home: folder }, Date.now);
  const start = { program: "/bin/sh", name: "sh", args: ["-c", script], cwd: folder, env: { PATH: "/usr/bin:/bin" } };
  const walls = { write: [folder], network: [], reveal: [] };
  const box = await boxing.maker.prepare(start, walls, { rehearse: true, project: folder });
  const ran = spawnSync(box.start.program, box.start.args, {
    argv0: box.start.name,
    cwd: box.start.cwd,
    env: { ...box.start.env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: "" });
  const { rehearsal } = await box.ended("");
  if (rehearsal === undefined) throw new Error("nothing was rehearsed");
  const receipt = await submitChanges(on.deps, boxing, {
    call: row,
    box: { walls, because: "enough" },
    project: folder,
    rehearsal,
  });
  return { call: receipt?.id ?? "", approval: receipt?.approvalId ?? "" };
}

const FIVE = `
rm notes.md
sed -i 's/line_30 = 30/line_30 = 31/' app.py
chmod 755 run.sh
printf '\\211PNG\\000%02000d' 7 > logo.png
ln -s app.py latest.py
`;

test.for(["desk", "dark", "phone"] as const)(
  "the question about five changed files lists the gravest first and shows every changed line; approved, the server applies exactly that (%s)",
  async (look) => {
    const folder = repository(`five-${look}`);
    const { call, approval } = await asked(folder, FIVE);
    const { page, wrong, close } = await windowOf(browser, on, { look });
    await page.goto(`/approvals/${approval}`);
    expect(await page.locator(".leeway-card .sentence").innerText()).toBe(
      "`git status` would change 3 files, add 1 and remove 1",
    );
    const files = await page.locator(".files li").allInnerTexts();
    expect(files.map((text) => text.replace(/\s+/g, " "))).toEqual([
      "notes.md removed, 32 B; no commit has this content",
      "latest.py new, link to app.py",
      "run.sh mode 644 → 755",
      "logo.png binary, 8 B → 2.0 KB",
      "app.py changed, 1 line added, 1 removed",
    ]);
    const changed = await page.locator("ul.exact li:is(.added, .removed)").allInnerTexts();
    expect(changed.map((text) => text.replace(/\s+/g, " ").trim())).toEqual([
      "- 1 | # Notes",
      "- 2 |",
      "- 3 | - written this morning",
      "- 30 | line_30 = 30",
      "+ 30 | line_30 = 31",
    ]);
    await fits(page);
    expect(await axe(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, `changed-${look}.png`) });
    await page.locator(".leeway-card .more").scrollIntoViewIfNeeded();
    await page.locator(".sheet").evaluate("(sheet) => sheet.scrollTo(0, sheet.scrollHeight)");
    await page.click('#answer [data-key="a"]:enabled');
    await page.waitForSelector("form#approve", { state: "detached" });
    await expect.poll(() => readFileSync(join(folder, "app.py"), "utf8").includes("line_30 = 31")).toBe(true);
    const cookie = await on.signIn("ana");
    const state = async () => (await on.ask("GET", `/v1/calls/${call}/why`, { cookie })).body.changes?.state;
    await expect.poll(state).toBe("applied");
    await page.goto(`/calls/${call}`);
    expect(await page.locator(".files li").count()).toBe(5);
    expect(await page.locator("main").innerText()).toContain(`leeway undo ${call}`);
    await fits(page);
    await page.screenshot({ path: join(SCREENSHOTS, `changed-call-${look}.png`), fullPage: true });
    expect(wrong).toEqual([]);
    await close();
  },
);

test("thousands of changed files are listed by folder, and can be approved only after all of them were shown", async () => {
  const folder = repository("many");
  const { approval } = await asked(
    folder,
    "mkdir out; for i in $(seq 1 3000); do echo $i > out/$i.txt; done; rm notes.md",
  );
  const { page, wrong, close } = await windowOf(browser, on, { look: "phone" });
  await page.goto(`/approvals/${approval}`);
  const files = await page.locator(".files li").allInnerTexts();
  expect(files.map((text) => text.replace(/\s+/g, " "))).toEqual([
    "notes.md removed, 32 B; no commit has this content",
    "out/ 3000 files new",
  ]);
  expect(await page.locator('#answer [data-key="a"]').isDisabled()).toBe(true);
  await fits(page);
  await page.screenshot({ path: join(SCREENSHOTS, "changed-many.png") });
  await page.locator("ul.exact .rest a").click();
  await page.waitForURL("**whole=1**");
  expect(await page.locator("ul.exact").first().textContent()).toContain("out/2999.txt");
  // A file that somebody changes meanwhile ends it.
  writeFileSync(join(folder, "notes.md"), "changed by somebody else\n");
  await page.reload();
  expect(await page.locator(".blocked").innerText()).toContain("notes.md");
  expect(await page.locator('#answer [data-key="a"]').isDisabled()).toBe(true);
  expect(wrong).toEqual([]);
  await close();
});
