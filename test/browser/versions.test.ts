import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PASSPHRASE, type Served, served, type TurnedClock, turnedClock } from "../http/served.ts";
import { launch, windowOf } from "./browser.ts";

// A person's own version of a call, and reasons: whatever state a question is in, a key or a button approves only what the page
// shows as what will run.

let on: Served;
let clock: TurnedClock;
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
beforeEach(async () => {
  clock = turnedClock();
  on = await served({ clock });
  return () => on.remove();
});
afterAll(() => browser.close());

type Asked = { id: string; call: string };

async function ask(tool: string, args: object): Promise<Asked> {
  const token = await on.token({ agent: "coder" });
  const { approvalId, id } = (await on.ask("POST", "/v1/calls", { token, body: { tool, args, cwd: on.project } })).body;
  return { id: approvalId, call: id };
}

async function read(path: string) {
  return (await on.ask("GET", path, { token: await on.token({ person: "ana", can: "read" }) })).body;
}

const stateOf = async (id: string): Promise<string> => (await read(`/v1/approvals/${id}`)).state;
/** What was approved: the arguments of every approved question. */
async function approved(): Promise<unknown[]> {
  const { approvals } = await read("/v1/approvals?status=approved");
  return Promise.all(approvals.map(async ({ id }: { id: string }) => (await read(`/v1/approvals/${id}`)).args));
}

/** Whether the middle of it is on the screen and nothing covers it. */
const isInView = (page: Page, selector: string) =>
  page.$eval(selector, (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });

const FORTY = { to: "ana@shop.example", amount: 40, currency: "EUR" };
const FOUR = { ...FORTY, amount: 4 };
/** The server refuses this version, so it is kept. */
const BROKEN = '{"command": ';
const SIZES = { desk: [1440, 900], phone: [390, 844], plain: [1440, 900] } as const;
/** The buttons that can be pressed, without those that open something. */
const buttons = (page: Page) =>
  page.$$eval("#answer :is(button, a.button)", (all) =>
    all.filter((one) => one.checkVisibility() && !one.matches(":disabled")).map((one) => one.textContent),
  );

async function proveAgain(page: Page): Promise<void> {
  await page.waitForURL("**/sign-in?next=*");
  await page.fill('input[name="passphrase"]', PASSPHRASE);
  await page.click("form[action='/sign-in'] button");
}

/** What ends below the screen cannot be approved before it was there. */
async function readToTheEnd(page: Page): Promise<void> {
  await page.keyboard.press("a");
  await page.waitForSelector("#approve button:enabled");
}

async function typeVersion(page: Page, args: object | string = FOUR): Promise<void> {
  await page.click("#edit");
  await page.fill('#editing textarea[name="args"]', typeof args === "string" ? args : JSON.stringify(args));
}

test.for(["desk", "phone", "plain"] as const)(
  "after the sign-in that an edit needs, only the edited call can be approved, and its button is in view (%s)",
  async (look) => {
    const { id } = await ask("refund", FORTY);
    const { page, wrong, close } = await windowOf(browser, on, { look });
    await page.setViewportSize({ width: SIZES[look][0], height: SIZES[look][1] });
    clock.advance(6 * 60_000);
    await page.goto(`/approvals/${id}`);
    await typeVersion(page);
    expect(await buttons(page)).toEqual(["Approve my version", "Discard my version"]);
    await page.click("#answer [data-key='a']");
    await proveAgain(page);
    await page.waitForSelector("#unsent");
    expect([await stateOf(id), await approved()]).toEqual(["pending", []]);
    expect(await page.textContent("#unsent")).toBe(
      "This version was not sent yet. Read it, then press “Approve my version”.",
    );
    expect(await page.inputValue("#editing textarea")).toBe(JSON.stringify(FOUR));
    expect(await buttons(page)).toEqual(["Approve my version", "Discard my version"]);
    if (look === "plain") await page.locator("#answer [data-key='a']").scrollIntoViewIfNeeded();
    expect([await isInView(page, "#answer [data-key='a']"), await page.$$("#approve")]).toEqual([true, []]);
    await page.click("#answer [data-key='a']");
    await page.waitForURL("**/*told=editedNow*");
    expect([await stateOf(id), await approved()]).toEqual(["superseded", [FOUR]]);
    expect(wrong).toEqual([]);
    await close();
  },
);

test("a version that was not sent is shown in every window of the browser, and no window and no bulk answer approves the original", async () => {
  const [{ id }, other] = [await ask("refund", FORTY), await ask("shell", { command: "git push origin a" })];
  const plain = await ask("shell", { command: "git push origin b" });
  const { page, close } = await windowOf(browser, on);
  const early = await page.context().newPage();
  await early.goto(`/approvals/${plain.id}`);
  await page.goto(`/approvals/${plain.id}`);
  await typeVersion(page, BROKEN);
  await page.click("#answer [data-key='a']");
  await page.waitForSelector("#refused");
  expect(await buttons(page)).toEqual(["Approve my version", "Discard my version"]);
  // A window that still shows the original cannot approve it.
  await early.click("#answer [data-key='a']");
  await early.waitForSelector("#editing");
  expect(await early.textContent("#refused")).toContain("You wrote another version of the call of");
  expect(await early.inputValue("#editing textarea")).toBe(BROKEN);
  // Neither can a selection.
  await early.goto("/");
  expect(await early.isDisabled(`input[name="pick"][value="${plain.id}"]`)).toBe(true);
  await early.goto(`/together?pick=${plain.id},${other.id}`);
  expect(await early.textContent(".cards")).toContain("You wrote another version of this call");
  await early.click("#answer [data-key='a']");
  await early.waitForURL("**/*told=answeredAll*");
  expect([await stateOf(plain.id), await stateOf(other.id), await stateOf(id)]).toEqual([
    "pending",
    "approved",
    "pending",
  ]);
  await page.click("#answer .discard");
  await page.waitForSelector("#approve");
  await page.click("#answer [data-key='a']");
  await page.waitForURL("**/*told=answered*");
  expect(await approved()).toEqual([{ command: "git push origin b" }, { command: "git push origin a" }]);
  await close();
});

test("a selection that was shown before a version was written is refused as a whole", async () => {
  const { id } = await ask("shell", { command: "git push origin a" });
  const { page, close } = await windowOf(browser, on);
  const early = await page.context().newPage();
  await early.goto(`/together?pick=${id}`);
  await page.goto(`/approvals/${id}`);
  await typeVersion(page, BROKEN);
  await page.click("#answer [data-key='a']");
  await page.waitForSelector("#refused");
  await early.click("#answer [data-key='a']");
  await early.waitForSelector("#refused");
  expect([await stateOf(id), await approved()]).toEqual(["pending", []]);
  await close();
});

test("a version that was typed and left is there again when the question is opened again", async () => {
  const [first, second] = [await ask("shell", { command: "git push origin a" }), await ask("memos", { text: "x" })];
  const { page, close } = await windowOf(browser, on);
  await page.click(`#waiting a[data-id="${first.id}"]`);
  await page.waitForSelector(`#question[data-id="${first.id}"] #edit`);
  await typeVersion(page, { command: "git push origin mine" });
  await page.press("#editing textarea", "Escape");
  await page.keyboard.press("j");
  await page.waitForSelector(`#question[data-id="${second.id}"]`);
  expect(await page.isDisabled(`input[name="pick"][value="${first.id}"]`)).toBe(true);
  await page.keyboard.press("k");
  await page.waitForSelector(`#question[data-id="${first.id}"] #editing`);
  expect(await page.inputValue("#editing textarea")).toBe('{"command":"git push origin mine"}');
  expect(await buttons(page)).toEqual(["Approve my version", "Discard my version"]);
  await page.click("#answer .discard");
  await page.waitForSelector(`#question[data-id="${first.id}"] #approve`);
  await page.keyboard.press("j");
  await page.waitForSelector(`#question[data-id="${second.id}"]`);
  await page.keyboard.press("k");
  await page.waitForSelector(`#question[data-id="${first.id}"] #approve`);
  await close();
});

test("a version whose question was closed meanwhile is shown, and nothing can be approved", async () => {
  const { id } = await ask("shell", { command: "git push origin a" });
  const { page, close } = await windowOf(browser, on, { look: "plain" });
  await page.goto(`/approvals/${id}`);
  await typeVersion(page, { command: "git push origin mine" });
  const { digest } = await read(`/v1/approvals/${id}`);
  const token = await on.token({ person: "ana", can: "approve" });
  await on.ask("POST", `/v1/approvals/${id}/reviews`, { token, body: { verdict: "deny", digest, note: "no" } });
  await page.click("#answer [data-key='a']");
  await page.waitForSelector("#refused");
  expect(await page.textContent(".version pre")).toBe('{"command":"git push origin mine"}');
  expect([await page.$$("#answer"), await stateOf(id), await approved()]).toEqual([[], "denied", []]);
  await close();
});

test.for(["desk", "phone", "plain"] as const)(
  "Approve with a typed reason sends nothing and asks which was meant (%s)",
  async (look) => {
    const asked = [
      await ask("shell", { command: "git push origin a" }),
      await ask("shell", { command: "git push b c" }),
    ];
    const [first = { id: "" }, second = { id: "" }] = asked;
    const { page, close } = await windowOf(browser, on, { look });
    await page.setViewportSize({ width: SIZES[look][0], height: SIZES[look][1] });
    const sent: string[] = [];
    page.on("request", (one) => one.method() === "POST" && sent.push(new URL(one.url()).pathname));
    for (const path of [`/together?pick=${first.id},${second.id}`, `/approvals/${first.id}`]) {
      await page.goto(path);
      await page.fill('#deny input[name="note"]', "not on a Friday");
      await page.click(".which > summary");
      expect(await page.isVisible("text=You wrote a reason. Only a denial sends it. What did you mean?")).toBe(true);
      expect(await buttons(page)).toContain("Approve without the reason");
      expect(await isInView(page, '.which button[form="approve"]')).toBe(true);
      await page.fill('#deny input[name="note"]', "");
      expect(await page.isVisible(".which")).toBe(false);
    }
    expect(sent).toEqual([]);
    await page.fill('#deny input[name="note"]', "not on a Friday");
    await page.click('.which button[form="deny"]');
    await page.waitForURL("**/*told=answered*");
    await page.goto(`/approvals/${second.id}`);
    await page.fill('#deny input[name="note"]', "hm");
    await page.press('#deny input[name="note"]', "Escape");
    if (look !== "plain") {
      await page.keyboard.press("a");
      await page.keyboard.press("Enter");
    } else await page.click(".which > summary");
    await page.click('.which button[form="approve"]');
    await page.waitForURL("**/*told=answered*");
    expect([(await read(`/v1/approvals/${first.id}`)).note, await stateOf(second.id)]).toEqual([
      "not on a Friday",
      "approved",
    ]);
    await close();
  },
);

const KEYS = [..."abcdefghijklmnopqrstuvwxyz0123456789?/.", "Space", "Escape", "Delete", "Backspace", "ArrowDown"];
const CHORDS = ["Control+Enter", "Meta+Enter", "Shift+Enter", "Alt+Enter", "Control+a", "Control+d"];
const PUSH = { command: "git push origin a" };
const MINE = { command: "git push origin mine" };

type State = {
  name?: string;
  /** Brings the page into the state. */
  reach(page: Page, id: string): Promise<unknown>;
  buttons: readonly string[];
  /** What `a` and then Enter approves. */
  approves: readonly object[];
};

async function denyElsewhere(id: string): Promise<void> {
  const { digest } = await read(`/v1/approvals/${id}`);
  const token = await on.token({ person: "ana", can: "approve" });
  await on.ask("POST", `/v1/approvals/${id}/reviews`, { token, body: { verdict: "deny", digest, note: "no" } });
}

const VERSION = ["Approve my version", "Discard my version"];
const STATES: Record<string, State> = {
  "as asked": { reach: async () => {}, buttons: ["Approve", "Deny"], approves: [PUSH] },
  "a typed version": { reach: (page) => typeVersion(page, MINE), buttons: VERSION, approves: [MINE] },
  "a version that the server refused": {
    reach: async (page) => {
      await typeVersion(page, BROKEN);
      await page.click("#answer [data-key='a']");
      await page.waitForSelector("#refused");
    },
    buttons: VERSION,
    approves: [],
  },
  "a version of a question that was closed meanwhile": {
    reach: async (page, id) => {
      await typeVersion(page, MINE);
      await denyElsewhere(id);
      await page.waitForSelector(".gone");
    },
    buttons: VERSION,
    approves: [],
  },
  "a typed reason": {
    reach: (page) => page.fill('#deny input[name="note"]', "no"),
    buttons: ["Deny"],
    approves: [],
  },
  "closed meanwhile": {
    reach: async (page, id) => {
      await denyElsewhere(id);
      await page.waitForSelector(".gone");
    },
    buttons: ["Approve", "Deny"],
    approves: [],
  },
  "signed out meanwhile": {
    reach: (page) => page.context().clearCookies(),
    buttons: ["Approve", "Deny"],
    approves: [],
  },
  "read by an auditor": { name: "cleo", reach: async () => {}, buttons: [], approves: [] },
};

test.for(Object.keys(STATES))(
  "no key or chord answers by itself, and Enter approves only what its button names: %s",
  { timeout: 60_000 },
  async (name) => {
    const { name: person = "ana", reach, buttons: expected, approves } = STATES[name] as State;
    const { id } = await ask("shell", PUSH);
    const { page, close } = await windowOf(browser, on, { name: person });
    await page.goto(`/approvals/${id}`);
    await reach(page, id);
    expect(await buttons(page)).toEqual(expected);
    const sent: string[] = [];
    page.on("request", (one) => one.method() === "POST" && sent.push(new URL(one.url()).pathname));
    for (const key of [...KEYS, ...CHORDS]) {
      await page.evaluate("document.activeElement.blur()");
      await page.keyboard.press(key);
      if (key === "?") await page.keyboard.press("Escape");
    }
    for (const field of ["#editing textarea", "#editing input[name='note']", "#deny input[name='note']"]) {
      if ((await page.$(field)) === null || (await page.$eval(field, (one) => one.closest("[inert]") !== null)))
        continue;
      for (const key of [...CHORDS.slice(0, 2), "Escape"]) await page.press(field, key);
    }
    expect([sent, await approved()]).toEqual([[], []]);
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press("a");
    await page.waitForTimeout(100);
    await page.keyboard.press("Enter");
    await page.waitForTimeout(700);
    expect(await approved()).toEqual(approves);
    await close();
  },
);

test("approving a plan, or a call that needs a person, by keys sends exactly that or asks to sign in first", async () => {
  const token = await on.token({ agent: "coder" });
  const calls = [
    { tool: "shell", args: PUSH },
    { tool: "refund", args: FORTY },
  ];
  const plan = { title: "Two steps", session: "s", cwd: on.project, calls };
  const { approvalId } = (await on.ask("POST", "/v1/plans", { token, body: plan })).body.receipt;
  const { id } = await ask("refund", FORTY);
  const { page, close } = await windowOf(browser, on);
  clock.advance(6 * 60_000);
  await page.goto(`/approvals/${id}`);
  for (const key of ["a", "Enter"]) await page.keyboard.press(key);
  await proveAgain(page);
  await page.waitForSelector("#approve");
  expect(await page.textContent("#strip .done")).toBe("You signed in again. Your answer was not sent yet.");
  expect(await approved()).toEqual([]);
  await page.goto(`/approvals/${approvalId}`);
  await readToTheEnd(page);
  expect([await page.$$("#edit"), await buttons(page)]).toEqual([[], ["Approve", "Deny"]]);
  await page.goto(`/approvals/${approvalId}?edit=1`);
  await readToTheEnd(page);
  expect([await page.$$("#editing"), await buttons(page)]).toEqual([[], ["Approve", "Deny"]]);
  await close();
});
