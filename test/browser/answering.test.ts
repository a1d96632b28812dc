import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Served, served } from "../http/served.ts";
import { launch, windowOf } from "./browser.ts";

// Answering many questions in a row, at a desk and on a phone: every key and form answers exactly as it says, nothing that
// was typed is lost, nothing jumps, and nothing is sent twice.

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

let calls = 0;

/** Questions of a separate agent; an agent may have twenty of them at once. */
async function ask(count: number, command = (at: number) => `git push origin topic-${at}`): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const token = await on.token({ agent: `coder-${Math.floor(at / 20)}` });
    const body = { tool: "shell", args: { command: command(calls++) }, cwd: on.project };
    ids.push((await on.ask("POST", "/v1/calls", { token, body })).body.approvalId);
  }
  return ids;
}

async function stateOf(id: string): Promise<string> {
  const token = await on.token({ person: "ana", can: "read" });
  return (await on.ask("GET", `/v1/approvals/${id}`, { token })).body.state;
}

const statesOf = (ids: readonly string[]) => Promise.all(ids.map(stateOf));
const opened = (page: Page) => page.getAttribute("#question", "data-id");

/** Every request of a window from now on, as method and path. */
function requestsOf(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (one) => sent.push(`${one.method()} ${new URL(one.url()).pathname}`));
  return sent;
}

test.for(["desk", "phone", "plain"] as const)(
  "Enter in the reason field denies the question, whatever else is on the page (%s)",
  async (look) => {
    const [first = "", second = ""] = await ask(2);
    const { page, close } = await windowOf(browser, on, { look });
    await page.goto(`/approvals/${first}`);
    await page.fill('#deny input[name="note"]', "not on a Friday");
    await page.press('#deny input[name="note"]', "Enter");
    await page.waitForURL("**/*told=answered*");
    expect(await statesOf([first, second])).toEqual(["denied", "pending"]);
    await close();
  },
);

test("Enter in the reason field for a whole selection denies all of it", async () => {
  const ids = await ask(3);
  const { page, close } = await windowOf(browser, on);
  for (const id of ids) await page.check(`input[name="pick"][value="${id}"]`);
  await page.click("#together button");
  await page.waitForURL("**/together?pick=*");
  await page.fill('#deny input[name="note"]', "none of these");
  await page.press('#deny input[name="note"]', "Enter");
  await page.waitForURL("**/*told=answeredAll");
  expect(await statesOf(ids)).toEqual(["denied", "denied", "denied"]);
  await close();
});

test("every button of a form of a question has the answer that the form sends as its label", async () => {
  const [id = ""] = await ask(2);
  const { page, close } = await windowOf(browser, on);
  for (const path of [`/approvals/${id}`, `/together?pick=${id}`]) {
    await page.goto(path);
    const forms = await page.$$eval('form[action*="/approve"], form[action*="/deny"]', (all) =>
      all.map((form) => [
        new URL((form as HTMLFormElement).action).pathname.split("/").at(-1),
        [...(form as HTMLFormElement).elements]
          .filter((one) => (one as HTMLButtonElement).type === "submit")
          .map((one) => one.textContent?.trim().split(" ")[0]?.toLowerCase()),
      ]),
    );
    expect(forms).toEqual([
      ["approve", ["approve", "approve"]],
      ["deny", ["deny", "deny"]],
    ]);
  }
  await close();
});

const isLong = process.env["LEEWAY_PROVE"] !== undefined;

test("on no page does a single key send an answer", async () => {
  const ids = await ask(3);
  const { page, close } = await windowOf(browser, on);
  const sent = requestsOf(page);
  const keys = [..."abcdefghijklmnopqrstuvwxyz0123456789?/. ", "Escape", "ArrowDown", "ArrowUp", "Delete", "Backspace"];
  const press = (key: string) => page.keyboard.press(key === " " ? "Space" : key);
  // On pages with questions, each key gets a fresh page; on others all keys are pressed on one page, one after the other. The
  // list shows the same question as its own page, so every day each key is pressed on one of the two.
  for (const [at, path] of ["/", `/approvals/${ids[1]}`].entries()) {
    for (const key of isLong ? keys : keys.filter((_, n) => n % 2 === at)) {
      await page.goto(path);
      await press(key);
    }
  }
  for (const path of ["/activity", "/agents", "/grants", "/policy", "/people", "/settings"]) {
    for (const key of keys) {
      if (new URL(page.url()).pathname !== path) await page.goto(path);
      await press(key);
    }
  }
  expect(sent.filter((one) => !one.startsWith("GET "))).toEqual([]);
  expect(await statesOf(ids)).toEqual(["pending", "pending", "pending"]);
  await close();
}, 240_000);

test.for(["desk", "phone", "plain"] as const)(
  "a refused answer is reported once, is not sent again, and keeps what was typed (%s)",
  async (look) => {
    const [id = "", other = ""] = await ask(2);
    const { page, wrong, close } = await windowOf(browser, on, { look });
    await page.goto(`/approvals/${id}`);
    await page.$eval('#deny input[name="digest"]', (input) => input.setAttribute("value", "sha256:0")).catch(() => {});
    const sent = requestsOf(page);
    if (look === "plain") await page.goto(`/approvals/${id}`);
    await page.click("#edit");
    await page.fill('#editing textarea[name="args"]', '{"command": ');
    await page.fill('#editing input[name="note"]', "my own words");
    await page.click("#answer [data-key='a']");
    await page.waitForSelector("#refused");
    expect(await page.textContent("#refused")).toContain("LEEWAY_BAD_INPUT");
    expect(await page.inputValue('#editing textarea[name="args"]')).toBe('{"command": ');
    expect(await page.inputValue('#editing input[name="note"]')).toBe("my own words");
    await ask(1);
    await page.waitForTimeout(1_500);
    if (look !== "plain") expect(await page.inputValue('#editing textarea[name="args"]')).toBe('{"command": ');
    await page.reload();
    expect(await page.inputValue('#editing textarea[name="args"]')).toBe('{"command": ');
    expect(sent.filter((one) => one.startsWith("POST "))).toEqual([`POST /approvals/${id}/edit`]);
    expect(await statesOf([id, other])).toEqual(["pending", "pending"]);
    expect(wrong).toEqual([]);
    await close();
  },
);

test("a refused denial keeps its reason, and the next attempt with it is accepted", async () => {
  const [id = ""] = await ask(1);
  const { page, close } = await windowOf(browser, on);
  await page.goto(`/approvals/${id}`);
  const digest = await page.getAttribute('#deny input[name="digest"]', "value");
  await page.$eval('#deny input[name="digest"]', (input) => input.setAttribute("value", "sha256:0"));
  await page.fill('#deny input[name="note"]', "a long reason");
  await page.click('#deny [data-key="d"]');
  await page.waitForSelector("#refused");
  expect(await page.inputValue('#deny input[name="note"]')).toBe("a long reason");
  expect(await page.getAttribute('#deny input[name="digest"]', "value")).toBe(digest);
  await page.click('#deny [data-key="d"]');
  await page.waitForURL("**/*told=answered*");
  expect(await stateOf(id)).toBe("denied");
  await close();
});

test("a refusal on another page is shown on that page, with what was typed, and is not sent again", async () => {
  const { page, close } = await windowOf(browser, on);
  await page.goto("/people");
  const sent = requestsOf(page);
  await page.fill('form[action="/people"] input[name="name"]', "no name at all");
  await page.fill('form[action="/people"] input[name="groups"]', "ops, finance");
  await page.click('form[action="/people"] button');
  await page.waitForSelector("#refused");
  expect(new URL(page.url()).pathname).toBe("/people");
  expect(await page.inputValue('form[action="/people"] input[name="name"]')).toBe("no name at all");
  expect(await page.inputValue('form[action="/people"] input[name="groups"]')).toBe("ops, finance");
  await page.reload();
  await ask(1);
  await page.waitForFunction(() => document.title.startsWith("(1) "));
  expect(sent.filter((one) => one.startsWith("POST "))).toEqual(["POST /people"]);
  await close();
});

test("j and k open the question they mark, so an answer goes to the shown question however fast keys are pressed", async () => {
  const ids = await ask(6);
  const { page, close } = await windowOf(browser, on);
  const listed = await page.$$eval("#waiting li", (all) => all.map((one) => one.getAttribute("data-id") ?? ""));
  expect(new Set(listed)).toEqual(new Set(ids));
  for (const key of ["j", "j", "j", "k", "a"]) await page.keyboard.press(key);
  await page.waitForSelector('#answer [data-key="a"]:focus');
  expect([await opened(page), await page.$$eval("#waiting [aria-current]", (all) => all.length)]).toEqual([
    listed[2],
    1,
  ]);
  expect(await page.getAttribute("#waiting [aria-current]", "data-id")).toBe(listed[2]);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/approvals/${listed[3]}*told=*`);
  expect(await statesOf(listed)).toEqual(["pending", "pending", "approved", "pending", "pending", "pending"]);
  await close();
});

test("news that arrives while a question is opening does not move the mark back to the old question", async () => {
  await ask(4);
  const { page, close } = await windowOf(browser, on);
  const listed = await page.$$eval("#waiting li", (all) => all.map((one) => one.getAttribute("data-id") ?? ""));
  const marked = () => page.getAttribute("#waiting [aria-current]", "data-id");
  const held: (() => void)[] = [];
  let isHeld = true;
  await page.route("**/approvals/*", async (route) => {
    if (isHeld) await new Promise<void>((go) => held.push(go));
    await route.continue().catch(() => {});
  });
  for (const key of ["j", "j"]) await page.keyboard.press(key);
  const news = page.waitForResponse((one) => new URL(one.url()).pathname === "/");
  await ask(1);
  await (await news).finished();
  await page.waitForTimeout(300);
  expect(await marked()).toBe(listed[2]);
  await page.keyboard.press("k");
  expect(await marked()).toBe(listed[1]);
  isHeld = false;
  for (const go of held) go();
  await page.waitForSelector(`#question[data-id="${listed[1]}"]`);
  await page.waitForFunction(() => document.querySelectorAll("#waiting li").length === 5);
  expect([await opened(page), await marked()]).toEqual([listed[1], listed[1]]);
  await close();
});

test.for(["desk", "phone"] as const)(
  "after each of twenty answers the next question opens by itself, and both buttons stay in place (%s)",
  async (look) => {
    const ids = await ask(20);
    const { page, wrong, close } = await windowOf(browser, on, { look });
    await page.goto(`/approvals/${ids[0]}`);
    const sent = requestsOf(page);
    const places = new Set<string>();
    for (let at = 0; at < ids.length; at++) {
      const id = (await opened(page)) ?? "";
      const boxes = await Promise.all(
        ["a", "d"].map((key) => page.locator(`#answer [data-key="${key}"]`).boundingBox()),
      );
      const labels = await page.$$eval("#answer [data-key]", (all) => all.map((one) => one.textContent));
      places.add(JSON.stringify([boxes, labels]));
      const key = at % 3 === 0 ? "d" : "a";
      if (look === "phone") await page.tap(`#answer [data-key="${key}"]`);
      else await page.click(`#answer [data-key="${key}"]`);
      await page.waitForFunction((old) => document.querySelector<HTMLElement>("#question")?.dataset["id"] !== old, id);
    }
    expect([...places]).toHaveLength(1);
    const states = await statesOf(ids);
    expect([
      states.filter((one) => one === "denied").length,
      states.filter((one) => one === "approved").length,
    ]).toEqual([7, 13]);
    expect(sent.filter((one) => one.startsWith("POST "))).toHaveLength(20);
    // One page for each answer, and at most one more for each update of the live list.
    expect(sent.length).toBeLessThanOrEqual(20 * 3 + 5);
    expect(wrong).toEqual([]);
    await close();
  },
);

test("a double click answers one question, never the next one before it was seen", async () => {
  const ids = await ask(3);
  const { page, close } = await windowOf(browser, on, { look: "phone" });
  await page.goto(`/approvals/${ids[0]}`);
  const box = await page.locator('#answer [data-key="a"]').boundingBox();
  const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 20];
  for (let press = 0; press < 4; press++) {
    await page.touchscreen.tap(x, y);
    await page.waitForTimeout(40);
  }
  await page.waitForURL("**/*told=answered*");
  await page.waitForTimeout(600);
  expect((await statesOf(ids)).filter((one) => one === "approved")).toHaveLength(1);
  await close();
});

test("of more than fifty questions the most urgent are on top, and an answer keeps page, filter, search and scroll position", async () => {
  const ids = await ask(70);
  const { page, close } = await windowOf(browser, on);
  const listed = () => page.$$eval("#waiting li", (all) => all.map((one) => one.getAttribute("data-id") ?? ""));
  // The oldest question has the earliest deadline.
  expect(await listed()).toEqual(ids.slice(0, 50));
  expect(await opened(page)).toBe(ids[0]);
  await page.click("#paging a.button");
  await page.waitForURL("**/?after=*");
  expect(await listed()).toEqual(ids.slice(50));
  expect(await page.textContent("#strip .place")).toBe("51 / 70");
  await page.goto(`/?q=git+push&agent=coder-1`);
  expect(await listed()).toEqual(ids.slice(20, 40));
  await page.$eval(".list", (list) => list.scrollTo(0, 900));
  await page.click(`#waiting li[data-id="${ids[33]}"] a`);
  await page.waitForSelector(`#question[data-id="${ids[33]}"] #answer`);
  const top = await page.$eval(".list", (list) => list.scrollTop);
  expect(top).toBeGreaterThan(400);
  await page.click('#answer [data-key="a"]');
  await page.waitForSelector(`#question[data-id="${ids[34]}"] #answer`);
  const { pathname, searchParams } = new URL(page.url());
  expect([pathname, searchParams.get("q"), searchParams.get("agent")]).toEqual([
    `/approvals/${ids[34]}`,
    "git push",
    "coder-1",
  ]);
  expect(Math.abs((await page.$eval(".list", (list) => list.scrollTop)) - top)).toBeLessThan(120);
  expect(await page.$eval("#question .sheet", (sheet) => sheet.scrollTop)).toBe(0);
  await close();
});

test("list and question scroll separately, and the page itself does not scroll", async () => {
  await ask(20);
  const { page, close } = await windowOf(browser, on);
  const heights = await page.evaluate(() => ({
    page: document.documentElement.scrollHeight - innerHeight,
    list: (document.querySelector(".list")?.scrollHeight ?? 0) > (document.querySelector(".list")?.clientHeight ?? 0),
  }));
  expect(heights).toEqual({ page: 0, list: true });
  await close();
});

test("on a phone, going back leads to the same place in the list", async () => {
  const ids = await ask(20);
  const { page, close } = await windowOf(browser, on, { look: "phone" });
  await page.evaluate(() => scrollTo(0, 700));
  const link = page.locator(`#waiting li[data-id="${ids[12]}"] a`);
  // How many lines fit depends on the height of the menu.
  await link.scrollIntoViewIfNeeded();
  const top = await page.evaluate<number>("scrollY");
  await link.tap();
  await page.waitForSelector(`#question[data-id="${ids[12]}"] #answer`);
  await page.goBack();
  await page.waitForFunction(() => !document.body.classList.contains("opened"));
  // The browser puts the page back to its place when it has drawn it, which may be later than the list appears.
  await expect.poll(async () => Math.abs((await page.evaluate<number>("scrollY")) - top)).toBeLessThan(60);
  await close();
});

test("the card starts with the command in one line of code, and then says what it does", async () => {
  await ask(1, () => "cd src && npm run build && rm -rf dist | tee out.txt; git push origin main");
  const { page, close } = await windowOf(browser, on);
  const first = page.locator("#question .leeway-card > :first-child code");
  expect(await first.textContent()).toBe("cd src && npm run build && rm -rf dist | tee out.txt; git push origin main");
  const [font, height, size] = await first.evaluate((one) => {
    const { fontFamily, fontSize } = getComputedStyle(one);
    return [fontFamily, one.getBoundingClientRect().height, Number.parseFloat(fontSize)] as const;
  });
  expect([/mono/i.test(font), height < 2 * size]).toEqual([true, true]);
  expect(await page.textContent("#question .leeway-card > :nth-child(2)")).toContain("deletes src/dist");
  expect(await page.textContent(`#waiting .headline`)).toBe(await first.textContent());
  expect(await page.isVisible("#question .menu form")).toBe(false);
  await page.click("#question .menu summary");
  expect(await page.isVisible("#question .menu form button")).toBe(true);
  await close();
});

test("at 200 % zoom nothing covers the command, and all of it can be reached", async () => {
  await ask(1);
  const { page, close } = await windowOf(browser, on);
  // A desk of 1280 × 800 at 200 % zoom is a window of half that width and height.
  await page.setViewportSize({ width: 640, height: 400 });
  await page.click("#waiting a");
  await page.waitForSelector("#question .leeway-card");
  const isOnTop = await page.$eval("#question .first-line code", (line) => {
    line.scrollIntoView({ block: "nearest" });
    const { left, top, bottom, height } = line.getBoundingClientRect();
    const hit = document.elementFromPoint(left + 5, top + height / 2);
    return line.contains(hit) && bottom <= innerHeight;
  });
  expect(isOnTop).toBe(true);
  await page.locator('#answer [data-key="a"]').scrollIntoViewIfNeeded();
  await page.click('#answer [data-key="d"]', { trial: true });
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await close();
});

test("a long diff is folded and stays folded until it is opened, which it has to be before it is approved; and nested arguments are indented", async () => {
  const text = (value: string) => Array.from({ length: 120 }, (_, at) => `use(${at}, ${value});`).join("\n");
  const token = await on.token({ agent: "coder" });
  const sent = async (tool: string, args: object) =>
    (await on.ask("POST", "/v1/calls", { token, body: { tool, args, cwd: on.project } })).body.approvalId;
  const edit = await sent("edit_file", { path: "/srv/a.ts", old_string: text("1"), new_string: text("2") });
  const nested = await sent("crm_update", { record: { id: 7, fields: { tags: ["a", { deep: true }] } } });
  const { page, close } = await windowOf(browser, on);
  await page.goto(`/approvals/${edit}`);
  expect(await page.textContent(".exact > .fold:last-child summary")).toMatch(/^\d+ more lines$/);
  const shown = () => page.$$eval(".exact li code", (all) => all.filter((one) => one.checkVisibility()).length);
  expect(await shown()).toBeLessThan(60);
  await ask(1);
  await page.waitForFunction(() => document.querySelectorAll("#waiting li").length === 3);
  expect(await shown()).toBeLessThan(60);
  // Nobody approves lines that were never opened.
  const approve = page.locator('#answer [data-key="a"]');
  await page.locator(".exact > .end").scrollIntoViewIfNeeded();
  expect(await approve.isDisabled()).toBe(true);
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press("a");
  await page.keyboard.press("Enter");
  await page.locator(".exact > .end li").last().scrollIntoViewIfNeeded();
  await expect.poll(() => approve.isDisabled()).toBe(false);
  await page.goto(`/approvals/${nested}`);
  expect((await page.$$eval(".exact li code", (all) => all.map((one) => one.textContent))).slice(0, 4)).toEqual([
    "record: {",
    expect.stringMatching(/^\s\s"fields": \{$/),
    expect.stringContaining('"tags": ['),
    expect.stringContaining('"a",'),
  ]);
  expect(await page.textContent("#question .first-line")).toBe("crm_update 7");
  await close();
});
