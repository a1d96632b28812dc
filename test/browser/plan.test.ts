import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Grant } from "../../src/core/standing/grant.ts";
import { type Served, served } from "../http/served.ts";
import { axe, fits, launch, windowOf } from "./browser.ts";

let on: Served;
let browser: Browser;
let token: string;
beforeAll(async () => {
  on = await served();
  browser = await launch();
  token = await on.token({ agent: "release-bot" });
  writeFileSync(join(on.project, "CHANGELOG.md"), "# Changes\n\n## 1.3\n");
  writeFileSync(join(on.project, "deploy.sh"), "#!/bin/sh\necho deployed\n");
});
afterAll(async () => {
  await browser.close();
  await on.remove();
});

const SCREENSHOTS = join(import.meta.dirname, "../../node_modules/.leeway-screenshots");

const shell = (command: string) => ({ tool: "shell", args: { command } });

/** A release: reading, writing, git, a script, a message, a deletion, and what needs a person. */
const RELEASE = [
  shell("git status"),
  {
    tool: "edit_file",
    args: { path: "CHANGELOG.md", old_string: "## 1.3", new_string: "## 1.4\n\n- plans\n\n## 1.3" },
  },
  shell("npm test"),
  { ...shell("git commit -am 'release 1.4'"), width: "near" },
  shell("git tag v1.4"),
  shell("git push origin main v1.4"),
  shell("sh deploy.sh --to staging --with-a-rather-long-option=that-does-not-fit-on-a-phone-in-one-line"),
  shell("curl -X POST https://api.example.com/releases -d version=1.4"),
  shell("rm -r dist"),
  { tool: "send_external_message", args: { to: "customers@example.com", text: "1.4 is out" } },
  { tool: "financial_operations", args: { to: "hosting", amount: 40, currency: "EUR" } },
  { tool: "announce_somewhere", args: { text: "released" } },
];

async function submitted(title: string): Promise<string> {
  const body = { title, session: title, cwd: on.project, calls: RELEASE };
  const plan = await on.ask("POST", "/v1/plans", { token, body });
  expect({ status: plan.status, ...plan.body.receipt }).toMatchObject({ status: 202, outcome: "pending" });
  return plan.body.receipt.approvalId;
}

test.for(["desk", "dark", "phone"] as const)(
  "a plan of twelve steps is on one card, with every step in its order, and can be approved there (%s)",
  async (look) => {
    const id = await submitted(`Release 1.4 (${look})`);
    const { page, wrong, close } = await windowOf(browser, on, { look });
    await page.goto(`/approvals/${id}`);
    const commands = await page.locator(".leeway-card .step code").allInnerTexts();
    expect(commands.map((text) => text.replace(/\s+/g, " ").slice(0, 12))).toEqual([
      "git status",
      "edit_file CH",
      "npm test",
      "git commit -",
      "git tag v1.4",
      "git push ori",
      "sh deploy.sh",
      "curl -X POST",
      "rm -r dist",
      "send_externa",
      "financial_op",
      "announce_som",
    ]);
    await fits(page);
    expect(await axe(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, `plan-${look}.png`) });
    await page.locator(".leeway-card .more").scrollIntoViewIfNeeded();
    await page.locator(".sheet").evaluate("(sheet) => sheet.scrollTo(0, sheet.scrollHeight)");
    await page.click('#answer [data-key="a"]:enabled');
    await page.waitForSelector("form#approve", { state: "detached" });
    const { grants } = (await on.ask("GET", "/v1/grants", { cookie: await on.signIn("ana") })).body;
    expect(grants.filter(({ grant }: { grant: Grant }) => grant.fromApproval === id)).toHaveLength(9);
    expect(wrong).toEqual([]);
    await close();
  },
);
