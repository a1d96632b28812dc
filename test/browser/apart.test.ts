import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSPHRASE, type Served, served } from "../http/served.ts";
import { launch, withDevice } from "./browser.ts";

let on: Served;
let browser: Browser;
beforeAll(async () => {
  on = await served({ apart: true });
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await on.remove();
});

/** A server that an agent runs on another port: it redirects from name to name, and keeps what the browser sends. */
async function leadingOn(names: readonly string[]) {
  const heard: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    heard.push(headers.cookie);
    const next = names[heard.length];
    if (next === undefined) return void response.end("my nice app");
    const { port } = server.address() as AddressInfo;
    response.writeHead(302, { location: `http://${next}:${port}/` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { heard, url: `http://${names[0]}:${port}/`, close: () => server.close() };
}

test("a server on another port of this machine gets no cookie, whatever host names it sends the browser to", async () => {
  const context = await browser.newContext({ baseURL: on.pages });
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.fill('input[name="name"]', "ana");
  await page.fill('input[name="passphrase"]', PASSPHRASE);
  await page.click("form[action='/sign-in'] button");
  await page.waitForURL(`${on.pages}/`);
  expect((await context.cookies()).map(({ name }) => name)).toContain(`leeway-${on.port}`);
  const evil = await leadingOn(["127.0.0.1", "localhost", "leeway.localhost", "x.localhost"]);
  await page.goto(evil.url);
  expect(await page.textContent("body")).toBe("my nice app");
  // Browsers request an icon too.
  expect([evil.heard.length >= 4, evil.heard.filter((cookie) => cookie !== undefined)]).toEqual([true, []]);
  evil.close();
  await page.goto("/");
  expect(page.url()).toBe(`${on.pages}/`);
  await context.close();
});

test("a passkey works under the host name of the pages", async () => {
  const context = await browser.newContext({ baseURL: on.pages });
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.fill('input[name="name"]', "ana");
  await page.fill('input[name="passphrase"]', PASSPHRASE);
  await page.click("form[action='/sign-in'] button");
  await page.waitForURL(`${on.pages}/`);
  await withDevice(page);
  await page.goto("/settings");
  await page.click("#add-passkey");
  await page.waitForSelector("[data-passkey-id]");
  await context.clearCookies();
  await page.goto("/sign-in");
  await page.click("#passkey");
  await page.waitForURL(`${on.pages}/`);
  expect((await context.cookies()).map(({ name }) => name)).toContain(`leeway-${on.port}`);
  await context.close();
});

test("a person who opens the server under another name is told where to look, but not the name of the pages", async () => {
  const page = await browser.newPage();
  const answer = await page.goto(`http://localhost:${on.port}/`);
  expect(answer?.status()).toBe(404);
  expect(await page.textContent("main")).toContain("Open the address that `leeway up` printed");
  expect(await page.content()).not.toContain(new URL(on.pages).hostname);
  await page.close();
});
