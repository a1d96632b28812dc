import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linkBrowser } from "../../src/gate/people/contacts.ts";
import { type Hook, hook } from "../channels/hook.ts";
import { type MailServer, mailServer, PASSWORD, USER } from "../channels/mail-server.ts";
import { until } from "../channels/suite.ts";
import { type Served, served } from "../http/served.ts";
import { axe, fits, launch, windowOf } from "./browser.ts";

let on: Served;
let browser: Browser;
let endpoint: Hook;
let mail: MailServer;
const SECRET = "xoxb-1234567890-abcdefghijklmnopqrstuvwx";

beforeAll(async () => {
  endpoint = await hook();
  mail = await mailServer({ authOptional: true, disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  const channels = {
    slack: { botToken: "env:SLACK_BOT_TOKEN", signingSecret: "env:SLACK_SIGNING_SECRET" },
    email: {
      from: "leeway@example.com",
      smtp: `smtp://127.0.0.1:${mail.port}`,
      user: USER,
      password: "env:SMTP_PASSWORD",
    },
    webhook: endpoint.settings,
  };
  on = await served({
    env: { ...endpoint.env, SMTP_PASSWORD: PASSWORD },
    policy: `version: 1\npreset: standard\nchannels: ${JSON.stringify(channels)}\napprovals: { selfReview: true }\n`,
  });
  browser = await launch();
  const contact = { channel: "slack", account: "U1", label: "Ana Example" } as const;
  await linkBrowser(on.deps, contact, { by: "ana", assurance: "password" });
  endpoint.answers(410);
  const token = await on.token({ agent: "coder" });
  await on.ask("POST", "/v1/calls", { token, body: { tool: "publish", args: {} } });
  const dead = async () => (await on.ask("GET", "/v1/notices/dead", { cookie: await on.signIn() })).body.notices;
  await until(dead, (all) => all.some((one: { channel: string }) => one.channel === "webhook"));
  endpoint.answers(204);
});
afterAll(async () => {
  await browser.close();
  await on.remove();
  await endpoint.close();
  await mail.close();
});

test.for(["desk", "dark", "phone", "plain"] as const)(
  "the pages about channels fit, and axe objects to nothing (%s)",
  { timeout: 120_000 },
  async (look) => {
    const { page, close } = await windowOf(browser, on, { look });
    for (const path of ["/settings", "/channels?kind=slack", "/channels?kind=feishu"]) {
      await page.goto(path);
      await fits(page);
      if (look !== "plain") expect([path, await axe(page)]).toEqual([path, []]);
    }
    await close();
  },
);

test("an admin tests a channel and reads exactly what is wrong", { timeout: 60_000 }, async () => {
  const { page, wrong, close } = await windowOf(browser, on);
  await page.goto("/channels");
  await page.click("form[action='/channels/webhook/test'] button");
  await page.waitForSelector("main .told");
  expect(await page.textContent("main .told")).toContain("The channel works.");
  await page.click("form[action='/channels/slack/test'] button");
  await page.waitForSelector("main .warning.grave");
  expect(await page.textContent("main .warning.grave")).toContain("the variable SLACK_BOT_TOKEN is not set");
  expect(wrong).toEqual([]);
  await close();
});

test("a given-up notice is sent again from the page", { timeout: 60_000 }, async () => {
  const { page, close } = await windowOf(browser, on);
  await page.goto("/channels");
  const row = page.locator("tr", { hasText: "the receiver wants no more messages" });
  const count = endpoint.got.length;
  await row.locator("button").click();
  await page.waitForURL("**/channels?told=retried");
  await until(
    () => endpoint.got.length,
    (now) => now > count,
  );
  await close();
});

test("a secret typed into the form by mistake is refused and is not on the page that follows", {
  timeout: 60_000,
}, async () => {
  const { page, close } = await windowOf(browser, on);
  await page.goto("/channels?kind=slack");
  const form = "form[action='/channels/slack/set-up']";
  await page.fill(`${form} [name=botToken]`, SECRET);
  await page.fill(`${form} [name=chat]`, "C042");
  await page.click(`${form} button`);
  await page.waitForSelector("#refused");
  expect(await page.inputValue(`${form} [name=chat]`)).toBe("C042");
  expect(await page.inputValue(`${form} [name=botToken]`)).toBe("");
  expect([(await page.content()).includes(SECRET), await page.evaluate("sessionStorage.length")]).toEqual([false, 0]);
  await page.fill(`${form} [name=botToken]`, "env:SLACK_BOT_TOKEN");
  await page.click(`${form} button`);
  await page.waitForSelector("#lines");
  expect(await page.textContent("#lines")).toBe(
    "channels:\n  slack:\n    botToken: env:SLACK_BOT_TOKEN\n    chat: C042\n",
  );
  expect(await page.isVisible("button[data-copy=lines]")).toBe(true);
  await close();
});

test("a person links a mail address, gets a code for Slack, and chooses when to get notices", {
  timeout: 60_000,
}, async () => {
  const { page, wrong, close } = await windowOf(browser, on);
  await page.goto("/settings");
  await page.fill("#reach [name=address]", "ana@example.com");
  await page.click("form[action='/settings/contacts/email'] button");
  await page.waitForSelector("[name=code]");
  const code = /your code is (\w{8})\./.exec(mail.mails.at(-1)?.text ?? "")?.[1] ?? "";
  await page.fill("[name=code]", code);
  await page.click("form[action='/settings/contacts/email/confirm'] button");
  await page.waitForURL("**/settings?told=contactLinked");
  expect(await page.textContent(".accounts")).toContain("ana@example.com");
  await page.click("form[action='/settings/contacts/slack/code'] button");
  await page.waitForSelector("#code");
  expect(await page.textContent("#code")).toMatch(/^link [A-Z2-9]{8}$/);
  await page.goto("/settings");
  expect(await page.inputValue("[name=zone]")).not.toBe("");
  await page.fill("[name=from]", "22:00");
  await page.fill("[name=to]", "07:00");
  await page.uncheck("[name=on][value=slack]");
  await page.click("form[action='/settings/reach'] button");
  await page.waitForURL("**/settings?told=reachSaved");
  expect(await page.inputValue("[name=from]")).toBe("22:00");
  expect(await page.isChecked("[name=on][value=slack]")).toBe(false);
  await page.click(".accounts li:has-text('Ana Example') button");
  await page.waitForURL("**/settings?told=contactRemoved");
  expect(await page.textContent(".accounts")).not.toContain("Ana Example");
  expect(wrong).toEqual([]);
  await close();
});
