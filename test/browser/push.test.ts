import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PushService, pushService } from "../channels/push-service.ts";
import { until } from "../channels/suite.ts";
import { POLICY, type Served, served } from "../http/served.ts";
import { axe, fits, launch, localhost, windowOf } from "./browser.ts";

let on: Served;
let browser: Browser;
let service: PushService;
let token: string;
beforeAll(async () => {
  service = await pushService();
  on = await served({ policy: `${POLICY}channels: { push: { subject: "mailto:ops@example.com", nearby: true } }\n` });
  browser = await launch();
  token = await on.token({ agent: "coder" });
});
afterAll(async () => {
  await browser.close();
  await on.remove();
  await service.close();
});

/** The test's browser cannot reach the push service of its maker, so it gets a subscription of our own service instead. */
async function subscribedBy(page: Page): Promise<void> {
  const subscription = service.subscribe("chromium");
  await page.addInitScript((given) => {
    PushManager.prototype.getSubscription = async () => null;
    PushManager.prototype.subscribe = async (options) => {
      const key = new Uint8Array(options?.applicationServerKey as ArrayBuffer);
      if (options?.userVisibleOnly !== true || key.length !== 65) throw new Error("this is no key of a server");
      return { toJSON: () => given, unsubscribe: async () => true } as unknown as PushSubscription;
    };
  }, subscription);
}

type Registration = { registrationId: string; scopeURL: string };

/** The ids under which the debugger knows the service workers. */
async function registrationOf(session: CDPSession): Promise<Registration> {
  const found: Registration[] = [];
  session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => found.push(...registrations));
  await session.send("ServiceWorker.enable");
  const [registration] = await until(
    () => found,
    (all) => all.length > 0,
  );
  if (registration === undefined) throw new Error("no service worker");
  return registration;
}

test("one press subscribes the browser, a question becomes a notification, and a tap opens its card", async () => {
  const { page, wrong, close } = await windowOf(browser, on);
  const context = page.context();
  await context.grantPermissions(["notifications"], { origin: localhost(on) });
  await subscribedBy(page);
  await page.goto("/settings");
  const worker = context.waitForEvent("serviceworker");
  await page.click("#tell-here");
  await page.waitForSelector("#devices [data-device-id]");
  expect(await page.textContent("#devices [data-device-id]")).toMatch(/Chrome\/\d+, Linux/);
  expect(await axe(page)).toEqual([]);
  await fits(page);
  const serviceWorker = await worker;
  const session = await context.newCDPSession(page);
  const { registrationId, scopeURL } = await registrationOf(session);
  expect(scopeURL).toBe(`${localhost(on)}/`);

  const args = { command: "git push origin topic" };
  const { body } = await on.ask("POST", "/v1/calls", { token, body: { tool: "shell", args, cwd: on.project } });
  const pushed = () => service.pushed.find(({ message }) => message.tag === body.approvalId);
  const message = (await until(pushed, (found) => found !== undefined))?.message;
  // The page is open under another name of the same server here.
  const data = JSON.stringify({ ...message, link: `/approvals/${body.approvalId}` });
  await session.send("ServiceWorker.deliverPushMessage", { origin: localhost(on), registrationId, data });
  const shown = () =>
    serviceWorker.evaluate(async () => {
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
      return (await registration.getNotifications()).map(({ title, body: text, tag }) => ({ title, text, tag }));
    });
  const [notification] = await until(shown, (all) => all.length > 0);
  expect(notification).toEqual({ title: message?.title, text: message?.text, tag: body.approvalId });
  expect(notification?.title).toContain("coder asks to use shell");

  const opened = await tapped(serviceWorker);
  expect(opened).toBe(`${localhost(on)}/approvals/${body.approvalId}`);
  await page.goto(opened);
  expect(await page.textContent(".leeway-card .exact")).toContain("git push origin topic");
  expect(await shown()).toEqual([]);
  expect(wrong).toEqual([]);
  await close();
});

/** A browser opens a window only after a real tap, which a test cannot make. So the test records what would be opened. */
async function tapped(worker: Awaited<ReturnType<typeof workerOf>>): Promise<string> {
  return worker.evaluate(async () => {
    const self = globalThis as unknown as {
      registration: ServiceWorkerRegistration;
      clients: { openWindow(url: string): Promise<null> };
      NotificationEvent: new (type: string, init: { notification: Notification }) => Event;
    };
    const [notification] = await self.registration.getNotifications();
    if (notification === undefined) throw new Error("no notification");
    return new Promise<string>((resolve) => {
      self.clients.openWindow = async (url) => {
        resolve(url);
        return null;
      };
      dispatchEvent(new self.NotificationEvent("notificationclick", { notification }));
    });
  });
}

type PushWorker = Awaited<ReturnType<typeof workerOf>>;

function shownBy(worker: PushWorker): Promise<number> {
  return worker.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    return (await registration.getNotifications()).length;
  });
}

function closeAll(worker: PushWorker): Promise<void> {
  return worker.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    for (const one of await registration.getNotifications()) one.close();
  });
}

function workerOf(page: Page) {
  return page.context().waitForEvent("serviceworker");
}

test("a message that leads elsewhere, or that cannot be read, opens the inbox and nothing else", async () => {
  const { page, close } = await windowOf(browser, on);
  await page.context().grantPermissions(["notifications"], { origin: localhost(on) });
  await subscribedBy(page);
  await page.goto("/settings");
  const worker = workerOf(page);
  await page.click("#tell-here");
  const serviceWorker = await worker;
  const session = await page.context().newCDPSession(page);
  const { registrationId } = await registrationOf(session);
  for (const data of [JSON.stringify({ title: "look", link: "https://evil.example/" }), "no json"]) {
    // The browser drops a message to a worker that it is just starting, so it is sent until it arrives.
    await until(
      async () => {
        await session.send("ServiceWorker.deliverPushMessage", { origin: localhost(on), registrationId, data });
        await new Promise((resolve) => setTimeout(resolve, 300));
        return shownBy(serviceWorker);
      },
      (count) => count > 0,
    );
    expect(await tapped(serviceWorker)).toBe(`${localhost(on)}/`);
    await closeAll(serviceWorker);
  }
  await close();
});

test("a person who does not allow notifications is told where to allow them, and nothing is subscribed", async () => {
  const { page, wrong, close } = await windowOf(browser, on, { name: "cleo" });
  await page.context().clearPermissions();
  await subscribedBy(page);
  await page.addInitScript(() => {
    Notification.requestPermission = async () => "denied";
  });
  await page.goto("/settings");
  await page.click("#tell-here");
  await page.waitForSelector("#tell-here-told:not([hidden])");
  expect(await page.textContent("#tell-here-told")).toContain("does not allow notifications");
  expect(await page.$$("#devices [data-device-id]")).toEqual([]);
  expect(wrong).toEqual([]);
  await close();
});
