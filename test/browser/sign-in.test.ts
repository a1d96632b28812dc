import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linkAccount } from "../../src/gate/people/credentials.ts";
import { type LoopbackIssuer, loopbackIssuer } from "../http/issuer.ts";
import { type Served, served } from "../http/served.ts";
import { axe, fits, launch, localhost, signIn, windowOf, withDevice } from "./browser.ts";

let on: Served;
let issuer: LoopbackIssuer;
let browser: Browser;
beforeAll(async () => {
  issuer = await loopbackIssuer("leeway");
  on = await served({ issuer: { issuer: issuer.url, clientId: "leeway", clientSecret: "secret" } });
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await on.remove();
  await issuer.close();
});

test("a person who is not signed in is sent to the sign-in page, and then back to the page they wanted", async () => {
  const { page, wrong, close } = await windowOf(browser, on, { name: "" });
  await page.goto("/approvals/apr_nothing?whole=1");
  expect(new URL(page.url()).pathname).toBe("/sign-in");
  expect(await axe(page)).toEqual([]);
  await page.fill('input[name="name"]', "ana");
  await page.fill('input[name="passphrase"]', "not the one");
  await page.click("form[action='/sign-in'] button");
  expect(await page.textContent('[role="alert"]')).toBe("The passphrase is wrong. Try again.");
  await page.fill('input[name="passphrase"]', "correct horse");
  await page.click("form[action='/sign-in'] button");
  expect(page.url()).toBe(`${localhost(on)}/approvals/apr_nothing?whole=1`);
  // Both pages have an error status, and browsers log that.
  expect(wrong.filter((text) => !/40[34]/.test(text))).toEqual([]);
  await close();
});

test("a signed-in person adds a passkey, and can then sign in with it alone", async () => {
  const { page, close } = await windowOf(browser, on, { name: "ana" });
  await withDevice(page);
  await page.goto("/settings");
  await page.click("#add-passkey");
  await page.waitForSelector("[data-passkey-id]");
  await page.click("form.me button");
  await page.click("#passkey");
  await page.waitForURL("**/");
  const cookie = (await page.context().cookies()).find(({ name }) => name.startsWith("leeway-"));
  const me = await on.ask("GET", "/v1/me", { cookie: `${cookie?.name}=${cookie?.value}` });
  expect(me.body.signIns[0]).toMatchObject({ person: "ana", assurance: "passkey" });
  await page.goto("/settings");
  await page.click("[data-passkey-id] button");
  await page.waitForURL("**/settings");
  await page.click("form.me button");
  await page.click("#passkey");
  await page.waitForSelector("#passkey-told:visible");
  expect(await page.textContent("#passkey-told")).toBe(
    "This passkey did not work. Try another passkey, or use your passphrase.",
  );
  await close();
});

test("an external account signs in the person it is linked to, and nobody else", async () => {
  const { page, close } = await windowOf(browser, on, { name: "" });
  await page.goto(`${on.url}/sign-in`);
  await page.click('a[href^="/sign-in/account"]');
  expect(await page.textContent('[role="alert"]')).toContain("Your company account is valid, but it is not linked");
  const account = { issuer: issuer.url, subject: "4711" };
  expect(await linkAccount(on.deps, "ben", account, { by: "ana", assurance: "tty" })).toMatchObject({ ok: true });
  await page.goto(`${on.url}/sign-in`);
  await page.click('a[href^="/sign-in/account"]');
  await page.waitForURL(`${on.url}/`);
  expect(await page.textContent("header .me")).toContain("ben");
  await close();
});

test.for([
  ["for another program", { audience: "another" }],
  ["with another nonce", { nonce: "another" }],
  ["about a sign-in long ago", { authTimeMs: Date.now() - 3_600_000 }],
] as const)("an issuer's statement %s is not believed", async ([, lie]) => {
  const { page, close } = await windowOf(browser, on, { name: "" });
  const says = { ...issuer.says };
  Object.assign(issuer.says, lie);
  await page.goto(`${on.url}/sign-in/account`);
  expect(await page.textContent("body")).toContain("The sign-in with the account failed");
  for (const key of Object.keys(issuer.says)) delete (issuer.says as Record<string, unknown>)[key];
  Object.assign(issuer.says, says);
  await close();
});

test("after signing out the old cookie does not work", async () => {
  const { page, close } = await windowOf(browser, on, { name: "ana", look: "phone" });
  await fits(page);
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name.startsWith("leeway-"));
  await page.click("header .me button");
  await page.waitForURL("**/sign-in");
  await page.context().addCookies([{ ...cookie, name: cookie?.name ?? "", value: cookie?.value ?? "" }] as never);
  await page.goto("/");
  expect(new URL(page.url()).pathname).toBe("/sign-in");
  await signIn(page, "ben");
  await close();
});
