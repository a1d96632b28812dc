import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
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

async function asks(command: string, as = token): Promise<string> {
  const body = { tool: "shell", args: { command }, cwd: on.project };
  return (await on.ask("POST", "/v1/calls", { token: as, body })).body.approvalId;
}

const PAGES = ["/", "/activity", "/agents", "/grants", "/policy", "/people", "/settings"];

test.for(["en-GB", "zh-CN"])("on a phone, the links to all pages are visible, in %s", async (language) => {
  for (let i = 0; i < 12; i++) await asks(`git push origin crowd-${i}`);
  const { page, close } = await windowOf(browser, on, { look: "phone", language });
  for (const path of PAGES) {
    await page.goto(path);
    await fits(page);
    const cut = await page.$$eval(".top nav a, .top summary", (all) =>
      all
        .filter((one) => {
          const { left, right } = one.getBoundingClientRect();
          return left < 0 || right > innerWidth;
        })
        .map((one) => one.textContent),
    );
    expect([path, cut]).toEqual([path, []]);
  }
  await close();
});

test.for(["desk", "phone", "plain"] as const)(
  "everything can be stopped from an open question, on a %s",
  async (look) => {
    const id = await asks(`git push origin stop-${look}`);
    const { page, wrong, close } = await windowOf(browser, on, { look });
    await page.goto(`/approvals/${id}`);
    await page.click(".top .stop summary");
    if (look !== "plain") expect(await axe(page)).toEqual([]);
    await fits(page);
    const { x = -1, width = 0 } = (await page.locator(".top .stop form").boundingBox()) ?? {};
    expect([x >= 0, x + width <= (page.viewportSize()?.width ?? 0)]).toEqual([true, true]);
    await page.click(".top .stop button");
    await page.waitForURL("**/settings?told=pausedNow");
    expect(await page.textContent(".top .stop")).toBe("Paused");
    await page.click('form[action*="/lift"] button');
    await page.waitForURL("**/settings?told=resumed");
    expect(wrong).toEqual([]);
    await close();
  },
);

test("when the server is unreachable the page says so, and stops saying so when the server is back", async () => {
  const own = await served();
  const { page, close } = await windowOf(browser, own);
  expect(await page.textContent("#lost")).toBe("");
  const between = async () => {
    await page.waitForSelector("#lost:not(:empty)");
    expect(await page.textContent("#lost")).toContain("Connection lost");
    expect(await axe(page)).toEqual([]);
  };
  const next = await own.again({ port: own.port, between });
  await page.waitForSelector("#lost:empty", { state: "attached", timeout: 20_000 });
  const coder = await next.token({ agent: "coder" });
  const body = { tool: "shell", args: { command: "git push origin back" }, cwd: next.project };
  const { approvalId } = (await next.ask("POST", "/v1/calls", { token: coder, body })).body;
  await page.waitForSelector(`#waiting a[data-id="${approvalId}"]`);
  await close();
  await next.remove();
});

const SMALL = "git push origin main";
const DANGER = "kubectl delete ns prod";
/** Each has something that hides the dangerous part. */
const WALLS = {
  "empty lines": `${SMALL}${"\n".repeat(380)}${DANGER}`,
  "seven empty lines": `${SMALL}${"\n".repeat(8)}${DANGER}`,
  "a few words": `${SMALL} # ${"ok ".repeat(110)}\n${DANGER}`,
  "twenty empty lines": `${SMALL}${"\n".repeat(20)}${DANGER}`,
  "a long comment": `${SMALL} # ${"ok ".repeat(5_000)}\n${DANGER}`,
  "a comment too long to be read": `${SMALL} # ${"ok ".repeat(12_000)}\n${DANGER}`,
  "a short comment": `${SMALL} # ${"ok ".repeat(400)}\n${DANGER}`,
  "a thousand lines": `${SMALL}${"\necho ok".repeat(1_000)}\n${DANGER}\n${"echo ok\n".repeat(100)}`,
};

/**
 * What is on the screen now: the letters of `.exact`, whether one can approve, and whether every command is named above,
 * or reported as not understood.
 */
const SEEN = `(() => {
  const isIn = ({ top, bottom, width }) => width > 0 && top >= 0 && bottom <= innerHeight;
  const covered = document.querySelector(".sheet").getBoundingClientRect().bottom;
  const rows = [...document.querySelectorAll(".exact li")].filter((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return top >= 0 && bottom <= covered;
  });
  const button = document.querySelector('#answer [data-key="a"]:enabled');
  return {
    shows: rows.some((one) => one.textContent.includes("kubectl")),
    canApprove: button !== null && isIn(button.getBoundingClientRect()),
    named:
      [...document.querySelectorAll(".leeway-card > .parts li")].some((one) => one.textContent.includes("kubectl")) ||
      document.querySelector(".leeway-card > .understood") !== null,
    scrollsInside: [...document.querySelectorAll(".exact")].some((one) => one.scrollHeight > one.clientHeight + 1),
  };
})()`;

type Seen = { shows: boolean; canApprove: boolean; named: boolean; scrollsInside: boolean };

/** The walls alternate between the two widths: what is hidden on a desk is hidden more easily on a phone. */
const IN_TURNS = Object.keys(WALLS).map((wall, at) => [wall, at % 2 === 0 ? "phone" : "desk"] as const);

test.for(IN_TURNS)(
  "behind %s on a %s nothing can be approved that was not visible, or opened first",
  async ([wall, look]) => {
    const builder = await on.token({ agent: `builder-${look}` });
    const id = await asks(WALLS[wall as keyof typeof WALLS], builder);
    const { page, close } = await windowOf(browser, on, { look });
    for (const path of [`/approvals/${id}`, `/approvals/${id}?whole=1`]) {
      await page.goto(path);
      const seen = await page.evaluate<Seen>(SEEN);
      expect([path, seen.scrollsInside, seen.named]).toEqual([path, false, true]);
      expect(seen.canApprove && !seen.shows).toBe(false);
      await fits(page);
    }
    // The button can be pressed once the end was visible: a person who reaches it has scrolled past everything.
    await page.$eval(".sheet", (sheet) => sheet.scrollTo(0, sheet.scrollHeight));
    await page.waitForSelector('#answer [data-key="a"]:enabled');
    const all = (await page.textContent(".exact")) ?? "";
    expect(all).toContain(DANGER);
    await close();
  },
);

test("a text that must be opened first says how long it is", async () => {
  const id = await asks(WALLS["a thousand lines"], await on.token({ agent: "builder" }));
  const { page, close } = await windowOf(browser, on);
  await page.goto(`/approvals/${id}`);
  expect(await page.isDisabled('#answer [data-key="a"]')).toBe(true);
  expect(await page.textContent(".exact .fold")).toMatch(/^… \d+ more lines/);
  await page.click(".exact .fold a");
  await page.waitForURL("**?whole=1");
  expect(await page.locator(".exact .fold").count()).toBe(0);
  await close();
});
