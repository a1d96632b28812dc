import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, served } from "../http/served.ts";
import { axe, fits, launch, windowOf } from "./browser.ts";

// Writing to the agent, handing over and putting aside in a real browser: by keys, by touch, and without JavaScript.

const POLICY = `version: 1
preset: standard
tools: { publish: { class: metadata.write } }
tiers: { publish: ask }
agents: { coder: { reviewers: [ana, ben] } }
approvals: { expires: 2d }
`;

let on: Served;
let browser: Browser;
let agent: string;
let count = 0;
beforeAll(async () => {
  on = await served({ policy: POLICY });
  agent = await on.token({ agent: "coder" });
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await on.remove();
});

async function asked(): Promise<string> {
  const body = { tool: "publish", args: { page: `page ${++count}` } };
  return (await on.ask("POST", "/v1/calls", { token: agent, body })).body.approvalId;
}

async function rowOf(id: string) {
  const token = await on.token({ person: "ana", can: "read" });
  return (await on.ask("GET", `/v1/approvals/${id}`, { token })).body;
}

test.for(["desk", "phone", "plain"] as const)(
  "the three forms do what they say and stay readable (%s)",
  async (look) => {
    const id = await asked();
    const { page, wrong, close } = await windowOf(browser, on, { look });
    const section = async (name: string) => {
      await page.goto(`/approvals/${id}`);
      await page.click("#instead > summary");
      await page.click(`#${name} > summary`);
    };
    await section("reply");
    await page.fill('#reply textarea[name="text"]', "which page is this?");
    if (look !== "plain") expect(await axe(page)).toEqual([]);
    await page.click("#reply button");
    await page.waitForURL(`**/approvals/${id}?told=replied*`);
    expect(await page.textContent("#said")).toContain("which page is this?");
    await section("handover");
    await page.fill('#handover input[name="note"]', "yours");
    await page.click("#handover button");
    await page.waitForURL(`**/approvals/${id}?told=handedToThem*`);
    expect(await page.textContent("#said")).toContain("handed to ben by ana");
    await fits(page);
    await section("snooze");
    await page.selectOption('#snooze select[name="until"]', "4h");
    await page.click("#snooze button");
    await page.waitForURL("**/*told=putAside*");
    const { state, replies, handed, snoozed } = await rowOf(id);
    expect([state, replies.length, handed.length, snoozed.length]).toEqual(["pending", 1, 1, 1]);
    await page.goto("/");
    expect(await page.locator(`#waiting [data-id="${id}"]`).count()).toBe(0);
    await page.click("#aside a");
    expect(await page.locator(`#waiting a[data-id="${id}"]`).count()).toBe(1);
    expect(wrong).toEqual([]);
    await close();
  },
);

test("keys open the forms, Escape leaves them, and no key sends anything by itself", async () => {
  const id = await asked();
  const { page, close } = await windowOf(browser, on);
  await page.goto(`/approvals/${id}`);
  const focused = () => page.evaluate<string>("document.activeElement.closest('details')?.id ?? ''");
  for (const [key, section] of [
    ["w", "reply"],
    ["o", "handover"],
    ["z", "snooze"],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(focused).toBe(section);
    await page.keyboard.press("Escape");
    await expect.poll(focused).toBe("");
    expect(await page.locator(`#${section}`).getAttribute("open")).toBeNull();
  }
  const { replies, handed, snoozed } = await rowOf(id);
  expect([replies, handed, snoozed]).toEqual([undefined, undefined, undefined]);
  await close();
});

test("Escape also closes sections without a field, and those that were opened by a click", async () => {
  const alone = await served({ policy: POLICY.replace("[ana, ben]", "[ana]") });
  const token = await alone.token({ agent: "coder" });
  const body = { tool: "unknown.tool", args: {} };
  const { approvalId } = (await alone.ask("POST", "/v1/calls", { token, body })).body;
  const { page, close } = await windowOf(browser, alone);
  await page.goto(`/approvals/${approvalId}`);
  const open = () =>
    page.evaluate<string[]>("[...document.querySelectorAll('.beyond details[open]')].map(({ id }) => id)");
  const press = async (key: string) => {
    await page.keyboard.press(key);
    return open();
  };
  expect(await press("r")).toEqual(["remember"]);
  expect(await press("Escape")).toEqual([]);
  expect(await press("o")).toEqual(["instead", "handover"]);
  expect(await press("Escape")).toEqual([]);
  expect(await press("z")).toEqual(["instead", "snooze"]);
  expect(await press("Escape")).toEqual([]);
  await page.click("#instead > summary");
  await page.click("#handover > summary");
  await page.click(".leeway-card h2");
  expect(await open()).toEqual(["instead", "handover"]);
  expect(await press("Escape")).toEqual([]);
  expect(await page.textContent("#handover")).toContain("Nobody else can answer this question.");
  expect(await page.textContent("#remember")).toContain("Leeway cannot remember this");
  await close();
  await alone.remove();
});

test("an open page shows what another reviewer writes, without a reload", async () => {
  const id = await asked();
  const { page, close } = await windowOf(browser, on);
  await page.goto(`/approvals/${id}`);
  const cookie = await on.signIn("ben");
  await on.ask("POST", `/v1/approvals/${id}/replies`, { cookie, body: { text: "I will look at it" } });
  await expect.poll(() => page.textContent("#said"), { timeout: 10_000 }).toContain("I will look at it");
  await close();
});
