import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Beside, beside } from "../http/beside.ts";
import { PASSPHRASE, type Served, served } from "../http/served.ts";
import { LOOKS, launch, windowOf } from "./browser.ts";

let browser: Browser;
let on: Served;
let there: Beside;
beforeAll(async () => {
  browser = await launch();
  on = await served();
  there = await beside(on, "support", { admin: "ana" });
  await beside(on, "billing", { admin: "ana" });
  const token = await there.token({ agent: "helper" });
  const body = { tool: "refund", args: { order: 7 }, session: "s1" };
  await on.ask("POST", "/v1/calls", { token, body });
});
afterAll(async () => {
  await browser.close();
  await on.remove();
});

/** Signs in to the workspace whose sign-in page is shown. */
async function signInHere(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Passphrase").fill(PASSPHRASE);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const switcher = (page: Page) => page.locator("header details.place");

test.each(Object.keys(LOOKS) as (keyof typeof LOOKS)[])(
  "a person signs in to each workspace and goes from one to the other; every page says which it is (%s)",
  async (look) => {
    const { page, wrong, close } = await windowOf(browser, on, { look });
    await page.goto("/");
    expect(await switcher(page).locator("summary").innerText()).toBe("default");
    // The other workspaces are not listed before this browser was signed in there.
    await switcher(page).locator("summary").click();
    expect(await switcher(page).getByRole("link").count()).toBe(0);
    await switcher(page).getByLabel("Another workspace").fill("support");
    await switcher(page).getByRole("button", { name: "Go there" }).click();
    await page.waitForURL("**/w/support/sign-in?next=**");
    await signInHere(page, "ana");
    await page.waitForURL("**/w/support/");
    expect(await switcher(page).locator("summary").innerText()).toBe("support");
    expect(await page.getByText("helper").first().isVisible()).toBe(true);
    // Links, forms and what the script loads stay in the workspace.
    for (const name of ["Activity", "Agents", "Grants", "Policy", "People", "Settings"]) {
      await page.locator("header nav").getByRole("link", { name }).click();
      await page.waitForURL(`**/w/support/${name.toLowerCase()}`);
      expect(await switcher(page).locator("summary").innerText()).toBe("support");
    }
    await switcher(page).locator("summary").click();
    await switcher(page).getByRole("link", { name: "default" }).click();
    await page.waitForURL((url) => url.pathname === "/w/default/");
    expect(await switcher(page).locator("summary").innerText()).toBe("default");
    expect(await page.getByText("helper").count()).toBe(0);
    expect(wrong).toEqual([]);
    await close();
  },
);

test("a question is answered in its workspace, and a new one appears there without a reload", async () => {
  const { page, wrong, close } = await windowOf(browser, on, { name: "" });
  await page.goto("/w/support/");
  await signInHere(page, "ana");
  await page.waitForURL("**/w/support/");
  const token = await there.token({ agent: "second" });
  const body = { tool: "refund", args: { order: 8 }, session: "s2" };
  const asked = (await on.ask("POST", "/v1/calls", { token, body })).body;
  await page.getByText("second").first().waitFor();
  await page.goto(`/w/support/approvals/${asked.approvalId}`);
  await page.fill('#deny input[name="note"]', "not today");
  await page.press('#deny input[name="note"]', "Enter");
  await expect.poll(async () => (await on.ask("GET", `/v1/calls/${asked.id}`, { token })).body.outcome).toBe("denied");
  expect(new URL(page.url()).pathname.startsWith("/w/support/")).toBe(true);
  expect(wrong).toEqual([]);
  await close();
});

test("a workspace that is not there is a page that says so, also for somebody who is not signed in", async () => {
  const { page, close } = await windowOf(browser, on, { name: "" });
  for (const path of ["/w/nowhere/", "/workspace?name=nowhere"]) {
    const answer = await page.goto(path);
    expect([path, answer?.status()]).toEqual([path, 404]);
    expect(await page.locator("h1").count()).toBe(1);
  }
  await close();
});

test("with one workspace no page says anything about workspaces", async () => {
  const alone = await served();
  try {
    const { page, close } = await windowOf(browser, alone);
    for (const path of ["/", "/settings", "/sign-in"]) {
      await page.goto(path);
      expect([path, await page.content()]).toEqual([path, expect.not.stringMatching(/workspace/i)]);
    }
    await close();
  } finally {
    await alone.remove();
  }
});
