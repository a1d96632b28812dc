import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerLink, type MailServer, mailServer, PASSWORD, USER } from "../channels/mail-server.ts";
import { link, until } from "../channels/suite.ts";
import { POLICY, type Served, served } from "../http/served.ts";
import { axe, fits, LOOKS, launch, localhost, windowOf } from "./browser.ts";

let on: Served;
let browser: Browser;
let server: MailServer;
let token: string;
beforeAll(async () => {
  server = await mailServer();
  const settings = {
    from: "Leeway <leeway@example.com>",
    smtp: `smtp://127.0.0.1:${server.port}`,
    user: USER,
    password: "env:MAIL_PASSWORD",
  };
  const policy = `${POLICY}channels: ${JSON.stringify({ email: settings })}\n`;
  on = await served({ policy, env: { MAIL_PASSWORD: PASSWORD } });
  await link(on, { channel: "email", account: "ana@example.com", label: "ana@example.com" }, "ana");
  browser = await launch();
  token = await on.token({ agent: "coder" });
});
afterAll(async () => {
  await browser.close();
  await on.remove();
  await server.close();
});

let calls = 0;

/** A question, and the mail about it. */
async function mailed(): Promise<{ id: string; at: string; html: string }> {
  const args = { command: `git push origin topic-${calls++}` };
  const { body } = await on.ask("POST", "/v1/calls", { token, body: { tool: "shell", args, cwd: on.project } });
  const mail = await until(
    () => server.mails.find(({ text }) => text.includes(body.approvalId)),
    (found) => found !== undefined,
  );
  const link = answerLink(mail?.text ?? "");
  return { id: body.id, at: `${localhost(on)}${link?.pathname}${link?.search}`, html: mail?.html ?? "" };
}

const SCREENSHOTS = join(import.meta.dirname, "../../node_modules/.leeway-screenshots");

test("the page that a mail links to is read and answered on a phone, by day, by night and without JavaScript", async () => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  for (const look of Object.keys(LOOKS) as (keyof typeof LOOKS)[]) {
    const { id, at } = await mailed();
    const { page, wrong, close } = await windowOf(browser, on, { look, name: "" });
    await page.goto(at);
    expect(await page.textContent(".leeway-card .exact")).toContain("git push origin topic-");
    if (look !== "plain") expect(await axe(page)).toEqual([]);
    await fits(page);
    await page.screenshot({ path: join(SCREENSHOTS, `mail-answer-${look}.png`), fullPage: true });
    await page.click("#approve button");
    await page.waitForSelector("#outcome");
    expect(await page.textContent("#outcome")).toBe("Approved by ana.");
    expect(await page.$$("form")).toEqual([]);
    const { body } = await on.ask("GET", `/v1/calls/${id}`, { token });
    expect(body.outcome).toBe("run");
    expect(wrong).toEqual([]);
    await close();
  }
});

test("if somebody else is signed in in the browser, the answer still counts as that of the person who got the mail", async () => {
  const { id, at } = await mailed();
  const { page, close } = await windowOf(browser, on, { name: "ben" });
  await page.goto(at);
  expect(await page.textContent("#as")).toContain("You answer as ana (ana@example.com).");
  expect(await page.textContent("body")).not.toContain("Sign out");
  await page.fill('#deny input[name="note"]', "not today");
  await page.press('#deny input[name="note"]', "Enter");
  await page.waitForSelector("#outcome");
  const { body } = await on.ask("GET", `/v1/calls/${id}`, { token });
  expect(body.reason).toBe("ana denied this call: not today");
  await close();
});

test("a mail that is shown in a browser loads nothing from other servers", async () => {
  const { html } = await mailed();
  const page = await browser.newPage(LOOKS.phone);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.setContent(html, { waitUntil: "networkidle" });
  await fits(page);
  expect(await axe(page)).toEqual([]);
  await page.screenshot({ path: join(SCREENSHOTS, "mail.png"), fullPage: true });
  expect(asked).toEqual([]);
  await page.close();
});
