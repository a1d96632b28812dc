import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PASSPHRASE, type Served, served } from "../http/served.ts";
import { axe, fits, launch, windowOf } from "./browser.ts";

// What a person chose, typed and opened is kept whatever happens meanwhile: a key, another person's answer, an expiry, a
// refusal.

const SCREENSHOTS = join(import.meta.dirname, "../../node_modules/.leeway-screenshots");

let on: Served;
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
beforeEach(async () => {
  on = await served();
  return () => on.remove();
});
afterAll(() => browser.close());

type Asking = { id: string; approvalId: string; digest: string };

async function asks(command: string, agent = "coder"): Promise<Asking> {
  const body = { tool: "shell", args: { command }, cwd: on.project };
  return (await on.ask("POST", "/v1/calls", { token: await on.token({ agent }), body })).body;
}

async function stateOf({ approvalId }: Asking): Promise<string> {
  const token = await on.token({ person: "ana", can: "read" });
  return (await on.ask("GET", `/v1/approvals/${approvalId}`, { token })).body.state;
}

async function deniedElsewhere({ approvalId, digest }: Asking): Promise<void> {
  const token = await on.token({ person: "ana", can: "approve" });
  const body = { verdict: "deny", digest, note: "elsewhere" };
  await on.ask("POST", `/v1/approvals/${approvalId}/reviews`, { token, body });
}

const opened = (page: Page, { approvalId }: Asking) =>
  page.waitForSelector(`#question[data-id="${approvalId}"] #answer`);

test("Enter on a grant that can be remembered selects it and sends no answer, and the keys still work from there", async () => {
  const asking = await asks("npm run lint");
  const { page, close } = await windowOf(browser, on);
  const posts: string[] = [];
  page.on("request", (one) => one.method() === "POST" && posts.push(one.url()));
  await page.keyboard.press("r");
  await page.keyboard.press("Enter");
  expect(await page.isChecked('#remember input[value="1"]')).toBe(true);
  expect(await page.isVisible("#follows .remembering")).toBe(true);
  expect([posts, await stateOf(asking)]).toEqual([[], "pending"]);
  await page.keyboard.press("a");
  await page.waitForSelector('#answer [data-key="a"]:focus');
  await page.keyboard.press("Enter");
  await page.waitForSelector("#waiting:empty", { state: "attached" });
  await expect.poll(() => page.textContent("#done")).toBe("Approved and remembered: npm run lint");
  expect((await asks("npm run lint")).approvalId).toBeUndefined();
  await close();
});

test.each(["dark", "phone"] as const)(
  "the containers of a project can be remembered on the card, which says what that means, and the next command asks nothing (%s)",
  async (look) => {
    writeFileSync(join(on.project, "compose.yaml"), "services: {}\n");
    const asking = await asks("docker compose up -d");
    const { page, wrong, close } = await windowOf(browser, on, { look });
    await page.goto(`/approvals/${asking.approvalId}`);
    await page.click("#remember > summary");
    const offer = page.locator("#remember .offer", { hasText: "containers of the project" });
    expect(await offer.locator(".advice").textContent()).toContain("Agents can write compose files.");
    await offer.locator("input[type=radio]").check();
    await fits(page);
    expect([await axe(page), wrong]).toEqual([[], []]);
    await page.screenshot({ path: join(SCREENSHOTS, `containers-${look}.png`), fullPage: true });
    await page.click('#answer [data-key="a"]');
    await expect.poll(() => stateOf(asking)).toBe("approved");
    expect((await asks("docker compose down")).approvalId).toBeUndefined();
    expect((await asks("docker compose down -v")).approvalId).toBeDefined();
    await close();
  },
);

test("nothing moves while a page loads, and the first Tab moves to the content", async () => {
  for (let at = 0; at < 8; at++) await asks(`git push origin topic-${at}`);
  const last = await asks("git push origin last");
  const { page, close } = await windowOf(browser, on);
  for (const path of ["/", `/approvals/${last.approvalId}`, "/activity"]) {
    await page.goto(path);
    await page.waitForSelector("#show-keys:visible");
    const moved = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const seen = (list: PerformanceObserverEntryList) =>
            resolve(list.getEntries().reduce((sum, one) => sum + (one as unknown as { value: number }).value, 0));
          new PerformanceObserver(seen).observe({ type: "layout-shift", buffered: true });
          setTimeout(resolve, 500, 0);
        }),
    );
    await page.keyboard.press("Tab");
    expect([path, moved, await page.$eval(":focus", (one) => one.className)]).toEqual([path, 0, "skip"]);
  }
  await close();
});

test("Escape leaves the reason field, keeps what was typed, and closes what is open over the page", async () => {
  const asking = await asks("git push origin one");
  const { page, close } = await windowOf(browser, on);
  await page.keyboard.press("d");
  await page.keyboard.type("jkad");
  await page.keyboard.press("Escape");
  expect(await page.inputValue("#deny input[name='note']")).toBe("jkad");
  await page.keyboard.press("?");
  expect(await page.isVisible("#keys")).toBe(true);
  await page.keyboard.press("Escape");
  for (const unfolded of [".menu", ".top .stop"]) {
    await page.click(`${unfolded} summary`);
    await page.keyboard.press("Escape");
    expect([unfolded, await page.isVisible(`${unfolded} form`)]).toEqual([unfolded, false]);
  }
  expect(await stateOf(asking)).toBe("pending");
  await close();
});

const SIZES = { desk: [1280, 800], phone: [390, 844], "desk at twice the size": [640, 400] } as const;

test.for(Object.keys(SIZES) as (keyof typeof SIZES)[])(
  "whatever is unfolded, Approve and Deny stay in place, and the menu contains the button to withdraw (%s)",
  async (size) => {
    const asking = await asks("npm run lint");
    const { page, close } = await windowOf(browser, on, { look: size === "phone" ? "phone" : "desk" });
    await page.setViewportSize({ width: SIZES[size][0], height: SIZES[size][1] });
    await page.goto(`/approvals/${asking.approvalId}`);
    const places = async () =>
      JSON.stringify(
        await page.$$eval("#answer [data-key]", (all) =>
          all.map((one) => [one.getBoundingClientRect().x, one.getBoundingClientRect().y]),
        ),
      );
    const before = await places();
    for (const fold of ["#remember", "#instead", ".menu"]) {
      await page.click(`${fold} > summary`);
      if (SIZES[size][1] > 480) expect([fold, await places()]).toEqual([fold, before]);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.click(".menu button", { timeout: 5_000 });
    await page.waitForSelector("#waiting:empty", { state: "attached" });
    expect(await stateOf(asking)).toBe("cancelled");
    await close();
  },
);

test("if somebody else answered the open question, j opens the question after it", async () => {
  const all: Asking[] = [];
  for (let at = 0; at < 6; at++) all.push(await asks(`git push origin topic-${at}`));
  const [, , , third, fourth] = all as [Asking, Asking, Asking, Asking, Asking];
  const { page, close } = await windowOf(browser, on);
  await page.click(`#waiting a[data-id="${third.approvalId}"]`);
  await opened(page, third);
  await deniedElsewhere(third);
  await page.waitForSelector(".warning.gone");
  await page.keyboard.press("j");
  await opened(page, fourth);
  await close();
});

test("an answered question can be opened again with one click, and its outcome appears on its card by itself", async () => {
  const [first, second] = [await asks("git push origin one"), await asks("git push origin two")];
  const token = await on.token({ agent: "coder" });
  const { page, wrong, close } = await windowOf(browser, on);
  await page.click('#answer [data-key="a"]');
  await opened(page, second);
  await page.click("#strip .done a");
  await page.waitForSelector(`#question[data-id="${first.approvalId}"] #outcome`);
  expect(await page.textContent("#outcome")).toContain("The call may run, but nothing has started it yet.");
  const { attempt } = (await on.ask("POST", `/v1/calls/${first.id}/claim`, { token, body: {} })).body;
  const result = { code: 3, stdout: "To example.com:repo\n", stderr: "" };
  await on.ask("POST", `/v1/calls/${first.id}/settle`, { token, body: { attempt, ok: true, result } });
  await page.waitForSelector("#outcome .outcome.succeeded");
  expect(await page.textContent("#outcome")).toMatch(/exit code 3 · took \d+.*To example\.com:repo/s);
  expect([await axe(page), wrong]).toEqual([[], []]);
  await close();
});

test("when every question of a page of the list was answered, the remaining questions are shown", async () => {
  for (let at = 0; at < 52; at++) await asks(`git push origin topic-${at}`, `coder-${Math.floor(at / 20)}`);
  const { page, close } = await windowOf(browser, on);
  await page.click("#paging a.button");
  await page.waitForURL("**/?after=*");
  for (const box of await page.$$('#waiting input[name="pick"]')) await box.check();
  await page.click("#together button");
  await page.waitForURL("**/together?*");
  await page.click('#deny [data-key="d"]');
  await page.waitForURL("**/*told=answeredAll*");
  expect([await page.locator("#waiting li").count(), await page.textContent("#heading small")]).toEqual([
    50,
    "50 waiting",
  ]);
  await close();
});

test("on a phone, the next question gets the focus, so that a screen reader reads it", async () => {
  const [first, second] = [await asks("git push origin one"), await asks("git push origin two")];
  const { page, close } = await windowOf(browser, on, { look: "phone" });
  await page.tap(`#waiting a[data-id="${first.approvalId}"]`);
  await opened(page, first);
  await page.tap('#answer [data-key="a"]');
  await opened(page, second);
  await page.waitForSelector("#question .sheet:focus");
  await close();
});

test.for(["desk", "phone"] as const)(
  "an invited person chooses a passphrase, is told what is wrong with it and tries again, and the link works once (%s)",
  async (look) => {
    const { page: admin, close: closeAdmin } = await windowOf(browser, on, { look });
    await admin.goto("/people");
    await admin.fill('form[action="/people"] input[name="name"]', "dora");
    await admin.click('form[action="/people"] button');
    const link = (await admin.textContent(".shown .secret")) ?? "";
    expect([await axe(admin), (await admin.textContent(".shown"))?.includes("works once")]).toEqual([[], true]);
    await fits(admin);
    await closeAdmin();
    const { page, close } = await windowOf(browser, on, { look, name: "" });
    await page.goto(link);
    expect(await axe(page)).toEqual([]);
    // The browser counts these as eight characters, but they are only four.
    await page.fill('input[name="passphrase"]', "🐎🐎🐎🐎");
    await page.click("form.stacked button");
    await page.waitForSelector('[role="alert"]');
    await page.fill('input[name="passphrase"]', "four horses in a row");
    await page.click("form.stacked button");
    await page.waitForURL("**/");
    expect(await page.textContent("header .me")).toContain("dora");
    const again = await page.context().browser()?.newContext();
    const second = await again?.newPage();
    expect((await second?.goto(link))?.status()).toBe(403);
    expect(await second?.textContent("main")).toMatch(/no longer works.*already used.*sign in with the passphrase/s);
    await second?.click('main a[href="/sign-in"]');
    await second?.waitForURL("**/sign-in");
    await again?.close();
    await close();
  },
);

test.for(["an answer", "a grant"] as const)(
  "what was typed for %s is kept while the person signs in first",
  async (what) => {
    const { page, close } = await windowOf(browser, on);
    const asking = await asks("git push origin one");
    const path = what === "a grant" ? "/grants" : `/approvals/${asking.approvalId}`;
    const form = what === "a grant" ? "#add-grant form" : "#deny";
    await page.goto(path);
    if (what === "a grant") await page.click("#add-grant > summary");
    const field = `${form} input[name="${what === "a grant" ? "because" : "note"}"]`;
    if (what === "a grant") await page.fill(`${form} input[name="agent"]`, "coder");
    await page.fill(field, "a long reason");
    await page.context().clearCookies();
    await page.press(field, "Enter");
    await page.waitForURL("**/sign-in?next=*");
    await page.fill('input[name="name"]', "ana");
    await page.fill('input[name="passphrase"]', PASSPHRASE);
    await page.click("form[action='/sign-in'] button");
    await page.waitForURL(`**${path}`);
    expect([await page.inputValue(field), await page.isVisible(field)]).toEqual(["a long reason", true]);
    await page.reload();
    expect([await page.inputValue(field), await stateOf(asking)]).toEqual(["", "pending"]);
    await close();
  },
);

test("an answer that does not reach the server is reported, keeps its reason, and is sent by the next click", async () => {
  const asking = await asks("git push origin one");
  const { page, close } = await windowOf(browser, on);
  await page.fill('#deny input[name="note"]', "not today");
  await page.route("**/deny*", (route) => route.abort(), { times: 1 });
  await page.press('#deny input[name="note"]', "Enter");
  await page.waitForFunction(() => document.querySelector("#lost")?.textContent?.startsWith("Not sent"));
  expect([await page.inputValue('#deny input[name="note"]'), await stateOf(asking)]).toEqual(["not today", "pending"]);
  await page.press('#deny input[name="note"]', "Enter");
  await page.waitForSelector("#waiting:empty", { state: "attached" });
  expect([await stateOf(asking), await page.textContent("#lost")]).toEqual(["denied", ""]);
  await close();
});

test("a question that arrives while an answer is being sent is in the list afterwards", async () => {
  const [, second] = [await asks("git push origin one"), await asks("git push origin two")];
  const { page, close } = await windowOf(browser, on);
  // The page for the answer was rendered before, and arrives after.
  await page.evaluate(() => {
    const real = window.fetch;
    window.fetch = async (...given) => {
      const came = await real(...given);
      if (String(given[0]).includes("/approve")) await new Promise((resolve) => setTimeout(resolve, 1_000));
      return came;
    };
  });
  const made = page.waitForResponse((one) => one.url().includes("told=answered"));
  await page.click('#answer [data-key="a"]');
  await made;
  const late = await asks("git push origin late");
  await opened(page, second);
  await page.waitForSelector(`#waiting a[data-id="${late.approvalId}"]`);
  await close();
});

test("a person who was signed out elsewhere is told so, and not that the server is unreachable", async () => {
  const { page, close } = await windowOf(browser, on);
  const { page: other, close: closeOther } = await windowOf(browser, on);
  await other.goto("/settings");
  await other.click("tr:not(:has(.here)) button.danger");
  await other.waitForURL("**/settings?told=signInEnded");
  await asks("git push origin one");
  await page.waitForFunction(() => document.querySelector("#lost")?.textContent?.startsWith("You are signed out."));
  await closeOther();
  await close();
});
