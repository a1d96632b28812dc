import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { PASSPHRASE, type Served } from "../http/served.ts";

const CHROMIUM = process.env["LEEWAY_CHROMIUM"] ?? "/usr/bin/chromium";

export function launch(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`there is no Chromium at ${CHROMIUM}; install Debian's package chromium, or set LEEWAY_CHROMIUM`);
  }
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      "--disable-quic",
    ],
  });
}

/** The browsers of the tests: a desk in light colours, a desk in dark colours, a phone, and a browser without JavaScript. */
export const LOOKS = {
  desk: { viewport: { width: 1280, height: 860 } },
  dark: { viewport: { width: 1280, height: 860 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  plain: { viewport: { width: 1280, height: 860 }, javaScriptEnabled: false },
} satisfies Record<string, BrowserContextOptions>;

/** A browser window of a person, with everything that went wrong in it. */
export type Window = { page: Page; wrong: string[]; close(): Promise<void> };

export async function windowOf(
  browser: Browser,
  on: Served,
  given: { look?: keyof typeof LOOKS; name?: string; language?: string } = {},
): Promise<Window> {
  const { look = "desk", name = "ana", language = "en-GB" } = given;
  const context = await browser.newContext({ ...LOOKS[look], baseURL: localhost(on), locale: language });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (asked) => {
    if (new URL(asked.url()).host !== new URL(localhost(on)).host) wrong.push(`it asked for ${asked.url()}`);
  });
  if (name !== "") await signIn(page, name);
  return { page, wrong, close: () => context.close() };
}

/** Passkeys belong to a host name, so the pages are opened under one. */
export function localhost(on: Served): string {
  return `http://localhost:${on.port}`;
}

export async function signIn(page: Page, name: string): Promise<void> {
  await page.goto("/sign-in");
  await page.fill('input[name="name"]', name);
  await page.fill('input[name="passphrase"]', PASSPHRASE);
  await page.click("form[action='/sign-in'] button");
  await page.waitForURL("**/");
}

/** A device that makes passkeys and confirms every request. */
export async function withDevice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

type Found = { id: string; impact: string | null; nodes: readonly { target: readonly unknown[] }[] };

/** The problems that axe finds, in words. It runs through the debugger, which the page's content policy does not restrict. */
export async function axe(page: Page): Promise<readonly string[]> {
  const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(source);
  const found = (await page.evaluate("axe.run()")) as { violations: readonly Found[] };
  return found.violations.map(
    ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ target }) => target).join(", ")}`,
  );
}

/** Checks that nothing is wider than the page; otherwise a phone would scroll sideways. */
export async function fits(page: Page): Promise<void> {
  const [wide, room] = await page.evaluate<[number, number]>(
    "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
  );
  expect(wide).toBeLessThanOrEqual(room);
}
