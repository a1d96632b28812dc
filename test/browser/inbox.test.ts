import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApprovalId } from "../../src/core/ids.ts";
import { awaitedOf } from "../../src/gate/approvals/presence.ts";
import { type Served, served } from "../http/served.ts";
import { axe, fits, launch, localhost, windowOf } from "./browser.ts";

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

type Asking = { approvalId: string; id: string };
let calls = 0;

/** A different call each time: the same call would find the same question. */
async function asks(args: Record<string, unknown> = { command: `git push origin topic-${calls++}` }): Promise<Asking> {
  const { body } = await on.ask("POST", "/v1/calls", { token, body: { tool: "shell", args, cwd: on.project } });
  return body;
}

const standing = async ({ id }: Asking) => (await on.ask("GET", `/v1/calls/${id}`, { token })).body;

test("a question appears automatically, a click answers it, and the waiting agent continues", async () => {
  const { page, wrong, close } = await windowOf(browser, on);
  expect(await page.textContent(".list .empty")).toContain("Nothing is waiting for you.");
  const asking = await asks();
  const waited = on.ask("GET", `/v1/calls/${asking.id}/wait?timeout=30`, { token });
  await expect.poll(async () => (await awaitedOf(on.deps, [asking.approvalId as ApprovalId])).size).toBe(1);
  await page.waitForSelector(`#waiting a[data-id="${asking.approvalId}"]`);
  expect(await page.title()).toBe("(1) Inbox · Leeway");
  await page.click(`#waiting a[data-id="${asking.approvalId}"]`);
  expect(await page.textContent(".leeway-card .exact")).toContain("git push origin topic-");
  expect(await page.textContent('#answer [data-key="a"]')).toBe("Approve");
  await page.waitForFunction(() => document.querySelector("#follows")?.textContent?.startsWith("The agent is waiting"));
  await page.click('#answer [data-key="a"]');
  await page.waitForURL("**/*told=*");
  expect(await page.textContent("#done:not(:empty), #strip .done:not(:empty)")).toMatch(
    /^Approved: git push origin topic-/,
  );
  expect((await waited).body).toMatchObject({ outcome: "run" });
  expect(wrong).toEqual([]);
  await close();
});

test("a denial gives its reason to the agent", async () => {
  const asking = await asks();
  const { page, close } = await windowOf(browser, on);
  await page.goto(`/approvals/${asking.approvalId}`);
  await page.fill('#answer input[name="note"]', "not on a Friday");
  await page.click('#answer [data-key="d"]');
  await page.waitForURL("**/*told=*");
  expect(await standing(asking)).toMatchObject({
    code: "LEEWAY_REVIEW_DENIED",
    reason: "ana denied this call: not on a Friday",
  });
  await close();
});

test("without JavaScript a question can be read, approved and denied", async () => {
  const [first, second] = [await asks(), await asks()];
  const { page, close } = await windowOf(browser, on, { look: "plain" });
  await page.click(`#waiting a[data-id="${first.approvalId}"]`);
  await page.click('#answer [data-key="a"]');
  await page.click(`#waiting a[data-id="${second.approvalId}"]`);
  await page.fill('#answer input[name="note"]', "no");
  await page.click('#answer [data-key="d"]');
  expect(await standing(first)).toMatchObject({ outcome: "run" });
  expect(await standing(second)).toMatchObject({ code: "LEEWAY_REVIEW_DENIED" });
  await close();
});

test("on a phone the list comes first, then the question, and the buttons are reachable without scrolling", async () => {
  const asking = await asks();
  const { page, wrong, close } = await windowOf(browser, on, { look: "phone" });
  await fits(page);
  await page.tap(`#waiting a[data-id="${asking.approvalId}"]`);
  await page.waitForURL(`**/approvals/${asking.approvalId}`);
  await fits(page);
  const box = await page.locator('#answer [data-key="a"]').boundingBox();
  expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
  expect(box?.height).toBeGreaterThanOrEqual(44);
  await page.tap('#answer [data-key="a"]');
  await page.waitForURL("**/*told=*");
  expect(await standing(asking)).toMatchObject({ outcome: "run" });
  expect(wrong).toEqual([]);
  await close();
});

test("the inbox works with the keyboard alone: j and k open, a and d go to the answer, ? shows the keys", async () => {
  const [first, second] = [await asks(), await asks()];
  const { page, close } = await windowOf(browser, on);
  const ids = await page.$$eval("#waiting a", (links) => links.map((link) => link.getAttribute("data-id")));
  expect(new Set(ids)).toEqual(new Set([first.approvalId, second.approvalId]));
  await page.keyboard.press("?");
  expect(await page.isVisible("#keys")).toBe(true);
  await page.click("#keys button");
  await page.waitForSelector("#keys", { state: "hidden" });
  await page.keyboard.press("j");
  await page.waitForURL(`**/approvals/${ids[1]}`);
  await page.keyboard.press("a");
  await page.waitForSelector('#answer [data-key="a"]:focus');
  await page.keyboard.press("Enter");
  await page.waitForURL("**/*told=*");
  await page.keyboard.press("d");
  await page.waitForSelector('#answer input[name="note"]:focus');
  await page.keyboard.type("typed");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#waiting:empty", { state: "attached" });
  const standings = await Promise.all([first, second].map(standing));
  expect(standings.map(({ outcome }) => outcome).sort()).toEqual(["denied", "run"]);
  await close();
});

test("remembering shows literally which calls would run, and the next such call runs", async () => {
  const asking = await asks({ command: "npm run lint" });
  const { page, close } = await windowOf(browser, on);
  await page.goto(`/approvals/${asking.approvalId}`);
  await page.keyboard.press("r");
  expect(await page.textContent('#remember label:has(input[value="1"]) code')).toContain("npm run lint");
  await page.check('#remember input[value="1"]');
  await page.click('#answer [data-key="a"]');
  await page.waitForURL("**/*told=*");
  const again = await on.ask("POST", "/v1/calls", {
    token,
    body: { tool: "shell", args: { command: "npm run lint" }, cwd: on.project, callId: "again" },
  });
  expect(again.body).toMatchObject({ outcome: "run" });
  await close();
});

/** Another person answers in another place. */
async function deniedElsewhere({ approvalId }: Asking): Promise<void> {
  const approver = await on.token({ person: "ana", can: "approve" });
  const { digest } = (await on.ask("GET", `/v1/approvals/${approvalId}`, { token: approver })).body;
  const body = { verdict: "deny", digest, note: "first" };
  await on.ask("POST", `/v1/approvals/${approvalId}/reviews`, { token: approver, body });
}

test("answering a question that somebody else has answered shows this and changes nothing", async () => {
  const asking = await asks();
  const { page, close } = await windowOf(browser, on, { look: "plain" });
  await page.goto(`/approvals/${asking.approvalId}`);
  await deniedElsewhere(asking);
  await page.click('#answer [data-key="a"]');
  expect(await page.textContent('[role="alert"]')).toContain("LEEWAY_ALREADY_RESOLVED");
  expect(await standing(asking)).toMatchObject({ reason: "ana denied this call: first" });
  await close();
});

test.for(["desk", "dark", "phone"] as const)("axe finds no accessibility problem in the inbox (%s)", async (look) => {
  const asking = await asks({ command: `cd src && rm -rf build-${calls++} | tee out.txt` });
  const { page, wrong, close } = await windowOf(browser, on, { look });
  expect(await axe(page)).toEqual([]);
  await page.goto(`/approvals/${asking.approvalId}`);
  await page.$$eval("details", (all) => {
    for (const one of all) one.open = true;
  });
  expect(await axe(page)).toEqual([]);
  expect(wrong).toEqual([]);
  await close();
});

test("Chinese readers get Chinese, also for what a call would do and why a person is asked", async () => {
  const asking = await asks({ command: "node build.js && rm -rf dist" });
  const { page, close } = await windowOf(browser, on, { language: "zh-CN" });
  expect(await page.getAttribute("html", "lang")).toBe("zh-CN");
  expect(await page.textContent("h1")).toContain("收件箱");
  await page.goto(`/approvals/${asking.approvalId}`);
  expect(await page.textContent(".sentence")).toBe(
    "运行 node build.js；删除 dist 及其下全部内容，无法撤销；读取 build.js",
  );
  expect(await page.textContent(".leeway-card .parts")).toContain("删除 dist 及其下全部内容，无法撤销");
  expect(await page.textContent(".leeway-card .why")).toContain("之前询问");
  expect(await axe(page)).toEqual([]);
  await close();
});

test("an auditor sees the question and no button", async () => {
  const asking = await asks();
  const { page, close } = await windowOf(browser, on, { name: "cleo" });
  await page.goto(`/approvals/${asking.approvalId}`);
  expect(await page.textContent(".leeway-card")).toContain("git push");
  expect(await page.$("#answer")).toBeNull();
  expect(page.url().startsWith(localhost(on))).toBe(true);
  await close();
});
