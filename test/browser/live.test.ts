import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, served } from "../http/served.ts";
import { axe, launch, windowOf } from "./browser.ts";

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

let calls = 0;

async function asks(): Promise<string> {
  const body = { tool: "shell", args: { command: `git push origin topic-${calls++}` }, cwd: on.project };
  return (await on.ask("POST", "/v1/calls", { token, body })).body.approvalId;
}

async function deniedElsewhere(id: string): Promise<void> {
  const approver = await on.token({ person: "ana", can: "approve" });
  const { digest } = (await on.ask("GET", `/v1/approvals/${id}`, { token: approver })).body;
  await on.ask("POST", `/v1/approvals/${id}/reviews`, {
    token: approver,
    body: { verdict: "deny", digest, note: "no" },
  });
}

const heard = (page: Page, text: string) =>
  page.waitForFunction((wanted) => document.querySelector("#news")?.textContent?.includes(wanted), text);

test("on every page the count is updated live, also in the title, and is announced to screen readers", async () => {
  const { page, wrong, close } = await windowOf(browser, on);
  await page.goto("/grants");
  expect(await page.title()).toBe("Grants · Leeway");
  const first = await asks();
  await page.waitForFunction(() => document.title.startsWith("(1) "));
  expect(await page.textContent("#count")).toBe("1");
  await heard(page, "New question: 1");
  await deniedElsewhere(first);
  await page.waitForFunction(() => !document.title.startsWith("("));
  expect(await page.textContent("#count")).toBe("");
  await heard(page, "A question was answered or closed.");
  expect(wrong).toEqual([]);
  await close();
});

test("events before a page is connected appear on it once it is connected", async () => {
  const { page, wrong, close } = await windowOf(browser, on, { name: "ana" });
  let listens = () => {};
  const held = new Promise<void>((resolve) => {
    listens = resolve;
  });
  const asked = new Promise<void>((resolve) =>
    page.route("**/v1/events", async (route) => {
      resolve();
      await held;
      await route.continue();
    }),
  );
  await page.goto("/");
  await asked;
  const id = await asks();
  expect(await page.$(`a[data-id="${id}"]`)).toBeNull();
  listens();
  await page.waitForSelector(`a[data-id="${id}"]`);
  expect(await page.textContent("#count")).toBe("1");
  await deniedElsewhere(id);
  await page.waitForFunction(() => !document.title.startsWith("("));
  expect(wrong).toEqual([]);
  await close();
});

test("one of many windows is connected, and all of them are updated live", async () => {
  const { page, close } = await windowOf(browser, on);
  const others = [await page.context().newPage(), await page.context().newPage()];
  for (const other of others) await other.goto("/policy");
  const streams = await page.evaluate(async () => (await navigator.locks.query()).held?.length);
  expect(streams).toBe(1);
  const id = await asks();
  for (const other of others) await other.waitForFunction(() => document.title.startsWith("(1) "));
  await page.close();
  await deniedElsewhere(id);
  for (const other of others) await other.waitForFunction(() => !document.title.startsWith("("));
  await close();
});

test("a new question is announced by what it would do, and a question that somebody else answered cannot be answered again", async () => {
  const first = await asks();
  const { page, wrong, close } = await windowOf(browser, on);
  await page.goto(`/approvals/${first}`);
  const second = await asks();
  await heard(page, `git push origin topic-${calls - 1}`);
  expect(await page.getAttribute(`a[data-id="${first}"]`, "aria-current")).toBe("true");
  await deniedElsewhere(first);
  await page.waitForSelector(".warning.gone");
  expect(await page.textContent(".warning.gone")).toContain("This question was answered or closed");
  expect(await page.$eval("#question .foot", (foot) => (foot as HTMLElement).inert)).toBe(true);
  expect(await page.$(`a[data-id="${first}"]`)).toBeNull();
  expect(await axe(page)).toEqual([]);
  await deniedElsewhere(second);
  expect(wrong).toEqual([]);
  await close();
});

test("after an answer the next question has the focus, and the answer is announced", async () => {
  const [first, second] = [await asks(), await asks()];
  const { page, close } = await windowOf(browser, on);
  await page.goto(`/approvals/${first}`);
  await page.click('#answer [data-key="a"]');
  await page.waitForSelector(`a[data-id="${second}"]:focus`);
  await heard(page, "Approved: ");
  await page.keyboard.press("a");
  await page.waitForSelector('#answer [data-key="a"]:focus');
  await deniedElsewhere(second);
  await close();
});

test("the list of keys opens on every page, by a key and by a button", async () => {
  const { page, close } = await windowOf(browser, on);
  await page.goto("/people");
  await page.keyboard.press("?");
  expect(await page.$$eval("#keys kbd", (keys) => keys.map((key) => key.textContent))).toEqual(
    "j k a d r w o z Esc ?".split(" "),
  );
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.waitForSelector("#keys", { state: "hidden" });
  await page.click("#show-keys");
  expect(await page.isVisible("#keys")).toBe(true);
  await close();
});

test("in forced colours, the open question and the kind of each question are still visible", async () => {
  const id = await asks();
  const { page, close } = await windowOf(browser, on);
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(`/approvals/${id}`);
  const lines = await page.$$eval("#waiting a[aria-current], .top nav a[aria-current], .list .class", (all) =>
    all.map((one) => getComputedStyle(one).borderTopStyle),
  );
  expect([lines.length >= 3, new Set(lines)]).toEqual([true, new Set(["solid"])]);
  await deniedElsewhere(id);
  await close();
});

test("with reduced motion, nothing is animated", async () => {
  const { page, close } = await windowOf(browser, on);
  await asks();
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/");
  const moving = await page.$$eval("*", (all) =>
    all.filter((one) => getComputedStyle(one).transitionDuration !== "0s"),
  );
  expect(moving).toEqual([]);
  await close();
});
