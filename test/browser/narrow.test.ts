import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { beside } from "../http/beside.ts";
import { type Served, served } from "../http/served.ts";
import { fits, launch, windowOf } from "./browser.ts";

// Long names, long lines and long commands keep their place on a phone and in narrow columns.

const POLICY = `version: 1
preset: standard
tiers: { deploy: shadow }
approvals: { selfReview: true }
`;

const LONG = "a-file-without-any-space-in-its-name-".repeat(2);

let on: Served;
let browser: Browser;
let token: string;
let answered: { id: string; approvalId: string };
let wide: string;

async function sent(tool: string, args: object) {
  const { body } = await on.ask("POST", "/v1/calls", { token, body: { tool, args, cwd: on.project } });
  if (body.attempt !== undefined) await settled(body.id, body.attempt);
  return body;
}

async function settled(id: string, attempt: string): Promise<void> {
  await on.ask("POST", `/v1/calls/${id}/settle`, { token, body: { attempt, ok: true, result: "done" } });
}

beforeAll(async () => {
  on = await served({ policy: POLICY });
  await beside(on, "support", { admin: "ana" });
  browser = await launch();
  token = await on.token({ agent: "coder" });
  await sent("write_file", { path: `src/${LONG}.ts`, text: "x" });
  await sent("deploy", { target: "production" });
  wide = (await sent("write_file", { path: "src/wide.ts", text: "y".repeat(900) })).id;
  const text = Array.from({ length: 60 }, (_, at) => `line ${at}`).join("\n");
  answered = await sent("send_external_message", { to: "sales@shop.example", text });
  const { digest } = answered as unknown as { digest: string };
  const cookie = await on.signIn("ana");
  const body = { verdict: "approve", digest, note: "agreed with sales" };
  await on.ask("POST", `/v1/approvals/${answered.approvalId}/reviews`, { cookie, body });
  const { attempt } = (await on.ask("POST", `/v1/calls/${answered.id}/claim`, { token, body: {} })).body;
  await settled(answered.id, attempt);
});
afterAll(async () => {
  await browser.close();
  await on.remove();
});

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`${selector} is not shown`);
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

test.for(["desk", "dark", "phone"] as const)(
  "a notice with a long name leaves its button inside the list (%s)",
  async (look) => {
    const { page, close } = await windowOf(browser, on, { look });
    expect(await page.textContent("#told")).toContain("a-file-without-any-space");
    await fits(page);
    const list = await boxOf(page, ".list");
    const rights = await page
      .locator("#told li button")
      .evaluateAll((found: Element[]) => found.map((one) => one.getBoundingClientRect().right));
    expect(rights.length).toBeGreaterThan(0);
    expect(rights.filter((right) => right > list.right)).toEqual([]);
    await close();
  },
);

test("on a phone with workspaces the header has one line for name, workspace, pause and person", async () => {
  const { page, close } = await windowOf(browser, on, { look: "phone" });
  const mark = await boxOf(page, ".top .mark");
  const middle = mark.y + mark.height / 2;
  for (const part of ["details.place summary", "details.stop summary", ".me"]) {
    const box = await boxOf(page, `.top ${part}`);
    expect([part, box.y < middle, middle < box.bottom, box.right <= 390]).toEqual([part, true, true, true]);
  }
  expect((await boxOf(page, ".top")).height).toBeLessThan(120);
  await close();
});

test("on a phone a row of the record keeps its time in one line", async () => {
  const { page, close } = await windowOf(browser, on, { look: "phone" });
  await page.goto("/activity");
  await fits(page);
  const row = ".activity summary:has(.tier.shadow)";
  const [when, tier] = [await boxOf(page, `${row} .when`), await boxOf(page, `${row} .links`)];
  expect(when.height).toBeLessThan(30);
  expect(when.right).toBeLessThanOrEqual(tier.x);
  await close();
});

test.for(["desk", "phone"] as const)(
  "the first screen of an answered question says how it was answered, by whom, and what came of it (%s)",
  async (look) => {
    const { page, close } = await windowOf(browser, on, { look });
    await page.goto(`/approvals/${answered.approvalId}`);
    expect(await page.textContent("#closed")).toBe("approved · The call ran and succeeded");
    const given = page.locator(".given").first();
    expect(await given.textContent()).toMatch(/^ana approved .*agreed with sales$/s);
    const end = (await boxOf(page, ".given")).bottom;
    expect(end).toBeLessThan(400);
    await close();
  },
);

test("the page of a call folds a very long line, which can be opened; no letter is missing", async () => {
  const { page, close } = await windowOf(browser, on, { look: "phone" });
  await page.goto(`/calls/${wide}`);
  const line = page.locator(".exact details.long");
  expect(await line.locator("summary").textContent()).toMatch(/y… \d+ more characters$|y … \d+ more characters$/);
  const closed = (await boxOf(page, ".exact")).height;
  expect(closed).toBeLessThan(300);
  await line.locator("summary").click();
  const shown = await line.locator("code").allTextContents();
  expect(shown.join("").match(/y/g)?.length).toBe(900);
  expect((await boxOf(page, ".exact")).height).toBeGreaterThan(closed);
  await fits(page);
  await close();
});
