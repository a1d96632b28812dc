import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addPerson } from "../../src/gate/people/people.ts";
import { PASSPHRASE, type Served, served } from "../http/served.ts";
import { offered } from "../mcp/offered.ts";
import { axe, fits, launch, signIn, windowOf } from "./browser.ts";

let on: Served;
let browser: Browser;
let pages: readonly string[];
/** Stored beside the build, where people look for screenshots of tests. */
const ARTEFACTS = join(import.meta.dirname, "..", "..", "node_modules", ".leeway-screenshots");

beforeAll(async () => {
  on = await served();
  browser = await launch();
  mkdirSync(ARTEFACTS, { recursive: true });
  const token = await on.token({ agent: "coder" });
  const calls = [
    { tool: "read_file", args: { path: "a.txt" } },
    { tool: "shell", args: { command: "cd src && rm -rf build && git push --force" }, says: "just cleaning up" },
    { tool: "refund", args: { amount: 40, currency: "EUR" } },
    { tool: "shell", args: { command: "ls -la" } },
  ];
  const receipts = [];
  for (const call of calls) {
    const { body } = await on.ask("POST", "/v1/calls", { token, body: { ...call, cwd: on.project } });
    receipts.push(body);
    if (body.attempt === undefined) continue;
    const settled = { attempt: body.attempt, ok: true, result: "done" };
    await on.ask("POST", `/v1/calls/${body.id}/settle`, { token, body: settled });
  }
  // Names that others choose, longer than a phone is wide.
  const name = "nightly-dependency-upgrade-and-security-audit-agent-of-the-payments-team";
  const long = { token: await on.token({ agent: name }), body: { tool: "refund", args: {} } };
  await on.ask("POST", "/v1/calls", long);
  const person = { name: "maximiliane.von-der-heydt.operations.europe", passphrase: PASSPHRASE, groups: ["on-call"] };
  await addPerson(on.deps, { ...person, by: "ana", assurance: "tty" });
  const cookie = await on.signIn();
  const grant = {
    subject: { agent: "coder" },
    covers: { class: "fs.write", targets: [{ kind: "path", path: on.project, recursive: true }], level: "write" },
    because: "its own folder",
  };
  await on.ask("POST", "/v1/grants", { cookie, body: grant });
  await offered(on.deps);
  const [run, asked] = receipts;
  pages = [
    "/",
    `/approvals/${asked.approvalId}`,
    `/calls/${run.id}`,
    `/calls/${asked.id}`,
    "/activity",
    "/agents",
    "/agents/coder",
    `/agents/${name}`,
    "/grants",
    "/policy",
    "/mcp",
    "/people",
    "/settings",
    "/channels",
    "/docs",
    "/nowhere",
  ];
});
afterAll(async () => {
  await browser.close();
  await on.remove();
});

/** Every page is checked letter by letter, which takes time on a busy machine. */
const LOOKING_MS = 240_000;

test.for(["desk", "dark", "phone"] as const)(
  "every page fits, has no problem that axe finds, and sends requests to no other site (%s)",
  { timeout: LOOKING_MS },
  async (look) => {
    const { page, wrong, close } = await windowOf(browser, on, { look });
    const found: string[] = [];
    for (const path of pages) {
      await page.goto(path);
      await fits(page);
      found.push(...(await axe(page)).map((text) => `${path}: ${text}`));
      const name = path.replaceAll(/\W+/g, "-").replace(/[0-9a-f]{20,}/, "one");
      await page.screenshot({ path: join(ARTEFACTS, `${look}${name}.png`) });
    }
    expect(found).toEqual([]);
    // A missing page has status 404, and browsers log that.
    expect(wrong.filter((text) => !text.includes("404"))).toEqual([]);
    await close();
  },
);

test("at 200 % zoom every page still fits", async () => {
  const { page, close } = await windowOf(browser, on);
  await page.setViewportSize({ width: 640, height: 360 });
  for (const path of pages) {
    await page.goto(path);
    await fits(page);
  }
  await close();
});

test("every page works without JavaScript, and in Chinese", async () => {
  const { page, close } = await windowOf(browser, on, { look: "plain", language: "zh-CN" });
  for (const path of pages.slice(0, -2)) {
    const answer = await page.goto(path);
    expect([path, answer?.status()]).toEqual([path, 200]);
    expect(await page.getAttribute("html", "lang")).toBe("zh-CN");
    expect((await page.textContent("main"))?.trim()).not.toBe("");
  }
  await close();
});

test("at an address that is not a secure context the script still works, and passkeys are not offered", async () => {
  const open = await served({ host: "0.0.0.0" });
  const context = await browser.newContext({ baseURL: open.url });
  const page = await context.newPage();
  const broken: string[] = [];
  page.on("pageerror", (error) => broken.push(String(error)));
  await signIn(page, "ana");
  await page.goto("/settings");
  expect([await page.locator("#add-passkey").count(), await page.isVisible("#add-passkey")]).toEqual([1, false]);
  await expect.poll(() => page.getAttribute("time", "title")).not.toMatch(/Z$/);
  expect(broken).toEqual([]);
  await context.close();
  await open.remove();
});
