import { ECDH } from "node:crypto";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pushChannel } from "../../src/channels/push.ts";
import { pushKeys } from "../../src/channels/push-keys.ts";
import type { Contact, PushSettings } from "../../src/core/channel.ts";
import { linkBrowser } from "../../src/gate/people/contacts.ts";
import { addDevice } from "../../src/gate/people/devices.ts";
import { ChannelFailure, type Outgoing } from "../../src/ports.ts";
import { served } from "../http/served.ts";
import { hook } from "./hook.ts";
import { type PushService, pushService } from "./push-service.ts";
import { channelSuite, type Playing, playing, type Stage, until } from "./suite.ts";

type PushStage = Stage & { service: PushService };

async function pushStage(): Promise<PushStage> {
  const service = await pushService();
  const contact = (person: string) => {
    const { endpoint, keys } = service.subscribe(person);
    return { channel: "push" as const, account: endpoint, label: "Chrome/140, Linux", keys };
  };
  return {
    service,
    settings: { subject: "mailto:ops@example.com", nearby: true },
    env: {},
    contact,
    seen: () =>
      service.pushed.map(({ browser, topic, message }) => ({
        id: topic,
        to: browser,
        text: JSON.stringify(message),
        buttons: [],
      })),
    breaks: (how) => service.breaks(how === undefined ? undefined : how === "down" ? 503 : 429),
    close: async () => {
      expect(service.faults).toEqual([]);
      await service.close();
    },
  };
}

channelSuite({ kind: "push", start: pushStage, updates: false, reachesPeople: true, hasButtons: false });

async function pushing(): Promise<Playing & { stage: PushStage }> {
  const stages: PushStage[] = [];
  const play = await playing("push", async () => {
    const stage = await pushStage();
    stages.push(stage);
    return stage;
  });
  const [stage] = stages;
  if (stage === undefined) throw new Error("no stage");
  return { ...play, stage };
}

const contactsOf = async ({ deps }: Playing["on"]) =>
  (await deps.standing.current()).rows.people.find(({ name }) => name === "ana")?.contacts ?? [];

test("a notification says who asks for what and where, is encrypted and short, and contains no arguments", async () => {
  const { on, stage, ask } = await pushing();
  const id = await ask();
  const [sent] = await until(
    () => stage.service.pushed,
    (all) => all.length > 0,
  );
  expect(sent?.message).toEqual({
    tag: id,
    title: "coder asks to use publish",
    text: "changes metadata",
    link: `${on.url}/approvals/${id}`,
    language: "en",
  });
  expect(sent).toMatchObject({ urgency: "high", subject: "mailto:ops@example.com" });
  const cookie = await on.signIn();
  expect(sent?.serverKey).toBe((await on.ask("GET", "/v1/push", { cookie })).body.publicKey);
  const { answerByMs } = (await on.ask("GET", `/v1/approvals/${id}`, { cookie })).body;
  const leftS = (answerByMs - Date.now()) / 1000;
  expect(Math.abs((sent?.ttl ?? 0) - leftS)).toBeLessThan(60);
});

test("the outcome of a question replaces the question, on the device and in the push service", async () => {
  const { on, stage, clock, ask } = await pushing();
  const id = await ask();
  await until(
    () => stage.service.pushed,
    (all) => all.length > 0,
  );
  clock.advance(25 * 60 * 60_000);
  const about = await until(
    () => stage.service.pushed.filter(({ message }) => message.tag === id),
    (all) => all.some(({ message }) => message.title.includes("is answered")),
  );
  expect(new Set(about.map(({ topic }) => topic)).size).toBe(1);
  expect(about.at(-1)).toMatchObject({ urgency: "normal", message: { link: `${on.url}/approvals/${id}` } });
});

const BROWSER = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36" };

test("a person adds browsers, gets notifications in each of them, and removes them again", async () => {
  const { on, stage, ask } = await pushing();
  const cookie = await on.signIn();
  const phone = stage.service.subscribe("phone");
  const added = await on.ask("POST", "/v1/push/devices", { cookie, body: phone, headers: BROWSER });
  expect([added.status, added.body]).toEqual([
    201,
    { id: expect.stringMatching(/^dev_/), label: "Chrome/140, Linux", linkedMs: expect.any(Number) },
  ]);
  expect(added.text).not.toContain(phone.endpoint);
  const id = await ask();
  const told = () => stage.service.pushed.filter(({ message }) => message.tag === id).map(({ browser }) => browser);
  expect((await until(told, (all) => all.length === 2)).toSorted()).toEqual(["ana", "phone"]);
  const { devices } = (await on.ask("GET", "/v1/push", { cookie })).body;
  expect(devices).toHaveLength(2);
  const page = await on.ask("GET", "/settings", { cookie });
  expect(page.text).toContain(`/settings/devices/${added.body.id}/remove`);
  const removed = await on.ask("POST", `/settings/devices/${added.body.id}/remove`, { cookie });
  expect([removed.status, removed.headers.get("location")]).toEqual([303, "/settings?told=deviceRemoved"]);
  const gone = await on.ask("DELETE", `/v1/push/devices/${added.body.id}`, { cookie });
  expect([gone.status, gone.body.error.code]).toEqual([404, "LEEWAY_NOT_FOUND"]);
  expect(await contactsOf(on)).toHaveLength(1);
});

test("a browser is added only from a page of this server, by somebody signed in, with keys that can be used", async () => {
  const { on, stage } = await pushing();
  const cookie = await on.signIn();
  const good = stage.service.subscribe("phone");
  const from = (origin: string) => on.ask("POST", "/v1/push/devices", { cookie, body: good, headers: { origin } });
  expect((await from("https://evil.example")).body.error.code).toBe("LEEWAY_CROSS_SITE");
  expect((await on.ask("POST", "/v1/push/devices", { body: good })).status).toBe(401);
  for (const bad of [
    { ...good, endpoint: "ftp://127.0.0.1/x" },
    { ...good, endpoint: "nothing" },
    { ...good, endpoint: `https://push.example/${"x".repeat(2_000)}` },
    { ...good, keys: { ...good.keys, auth: "c2hvcnQ" } },
    { ...good, keys: { ...good.keys, p256dh: `B${"A".repeat(86)}` } },
  ]) {
    const reply = await on.ask("POST", "/v1/push/devices", { cookie, body: bad });
    expect([reply.status, reply.body.error.code]).toEqual([400, "LEEWAY_BAD_INPUT"]);
  }
  expect(await contactsOf(on)).toHaveLength(1);
});

test("nobody sees the browsers and addresses of somebody else", async () => {
  const { on } = await pushing();
  const seen = await on.ask("GET", "/v1/people", { cookie: await on.signIn("ben") });
  expect([seen.status, seen.text.includes("/push/"), seen.text.includes("p256dh")]).toEqual([200, false, false]);
});

test("a browser that unsubscribed is forgotten, and the others get the notification", async () => {
  for (const status of [404, 410]) {
    const { on, stage, ask } = await pushing();
    const cookie = await on.signIn();
    await on.ask("POST", "/v1/push/devices", { cookie, body: stage.service.subscribe("phone"), headers: BROWSER });
    stage.service.breaks(status, "ana");
    const id = await ask();
    const left = await until(
      () => contactsOf(on),
      (contacts) => contacts.length === 1,
    );
    expect(left[0]?.account).toContain("/push/phone");
    const told = () => stage.service.pushed.filter(({ message }) => message.tag === id).map(({ browser }) => browser);
    expect(await until(told, (all) => all.length > 0)).toEqual(["phone"]);
  }
});

test("the last browser that unsubscribed is forgotten too, and the notice is given up", async () => {
  const { on, stage, ask } = await pushing();
  stage.service.breaks(410);
  await ask();
  await until(
    () => contactsOf(on),
    (contacts) => contacts.length === 0,
  );
});

const DEVICE_NOTICE: Omit<Extract<Outgoing, { state: "waiting" }>, "address"> = {
  id: "ntc_1",
  workspace: "default",
  kind: "paused",
  to: "ana",
  title: "everything is paused",
  text: "t".repeat(5_000),
  ref: "pau_1",
  channel: "push",
  createdMs: 0,
  attempts: 0,
  dueMs: 0,
  state: "waiting",
  language: "en",
  link: "https://leeway.example.com/",
};

function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "leeway-push-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function devices(...names: readonly string[]): Promise<{ service: PushService; contacts: readonly Contact[] }> {
  const service = await pushService();
  onTestFinished(() => service.close());
  const contacts = names.map((name): Contact => {
    const { endpoint, keys } = service.subscribe(name);
    return { channel: "push", account: endpoint, label: name, linkedMs: 0, keys };
  });
  return { service, contacts };
}

const SETTINGS = { subject: "mailto:ops@example.com", nearby: true };

async function sent(contacts: readonly Contact[], settings: PushSettings = SETTINGS): Promise<unknown> {
  const channel = pushChannel(settings, { nowMs: Date.now, stateFolder: stateFolder() });
  const outgoing: Outgoing = { ...DEVICE_NOTICE, address: { to: "person", contacts } };
  try {
    return await channel.deliver(outgoing);
  } catch (error) {
    if (!(error instanceof ChannelFailure)) throw error;
    const { kind, message, gone, retryAfterMs } = error;
    return { kind, message, gone, retryAfterMs };
  }
}

test("long texts are cut so that every push service accepts them, and are cut further if a service accepts less", async () => {
  const { service, contacts } = await devices("desk");
  expect(await sent(contacts)).toEqual({ gone: [] });
  expect(service.pushed[0]?.message.text).toHaveLength(400);
  service.takes(300);
  expect(await sent(contacts)).toEqual({ gone: [] });
  expect(service.pushed[1]?.message).toMatchObject({ title: "everything is paused", text: "" });
  service.takes(10);
  expect(await sent(contacts)).toMatchObject({ kind: "refused", message: expect.stringContaining("413") });
});

test("the answer of a push service decides whether a message is tried again, is given up, or the browser is forgotten", async () => {
  const { service, contacts } = await devices("desk", "phone");
  const [desk] = contacts.map(({ account }) => account);
  service.breaks(429, "desk");
  expect(await sent(contacts)).toMatchObject({ kind: "busy", retryAfterMs: 1000, gone: [] });
  service.breaks(410, "desk");
  expect(await sent(contacts)).toEqual({ gone: [desk] });
  service.breaks(503, "phone");
  expect(await sent(contacts)).toMatchObject({ kind: "down", gone: [desk] });
  service.breaks(403, "phone");
  expect(await sent(contacts)).toMatchObject({
    kind: "refused",
    gone: [desk],
    message: expect.stringContaining("remove it under Settings and add it again"),
  });
  service.breaks(410, "phone");
  expect(await sent(contacts)).toMatchObject({ kind: "gone" });
});

/** The address of a push service that takes the connection and never answers. */
async function silentService(): Promise<string> {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void silent.close());
  return `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
}

test("if several push services never answer, all of them together take only one time limit, and are tried again", async () => {
  const { contacts } = await devices("desk", "phone", "tablet");
  const origin = await silentService();
  const startMs = performance.now();
  expect(await sent(contacts.map((one, at) => ({ ...one, account: `${origin}/push/${at}` })))).toMatchObject({
    kind: "down",
    message: "the service did not answer in 10 s",
  });
  expect(performance.now() - startMs).toBeLessThan(15_000);
}, 40_000);

const compressed = (p256dh: string) =>
  String(ECDH.convertKey(p256dh, "prime256v1", "base64url", "base64url", "compressed"));

test("a browser whose key cannot be used for encryption is forgotten, and the others get the notification", async () => {
  const { service, contacts } = await devices("desk", "phone");
  const [desk, phone] = contacts;
  if (desk?.keys === undefined || phone === undefined) throw new Error("no browsers");
  const bad = { ...desk, keys: { ...desk.keys, p256dh: compressed(desk.keys.p256dh) } };
  expect(await sent([bad, phone])).toEqual({ gone: [desk.account] });
  expect(service.pushed.map(({ browser }) => browser)).toEqual(["phone"]);
});

test("a browser whose push service fails delays nothing for other people", async () => {
  const { on, stage, ask } = await pushing();
  const acting = { by: "ben", assurance: "passkey" } as const;
  const { keys, ...ben } = stage.service.subscribe("ben");
  const weak = { ...ben, keys: { ...keys, p256dh: compressed(keys.p256dh) } };
  expect(await addDevice(on.deps, weak, { label: "x", acting })).toMatchObject({ ok: false, code: "LEEWAY_BAD_INPUT" });
  stage.service.breaks(503, "ben");
  // The first browser gets a notice about the second.
  for (const endpoint of [ben.endpoint, `${ben.endpoint}2`])
    expect(await addDevice(on.deps, { endpoint, keys }, { label: "x", acting })).toMatchObject({ ok: true });
  const { store, workspace } = on.deps;
  const tries = async () => {
    const rows = await store.read({ ask: "rows", workspace, table: "notices", where: {}, limit: 100, order: "oldest" });
    return rows.flatMap(({ row }) => (row.channel === "push" && row.to === "ben" ? [row.attempts] : []));
  };
  await until(tries, (all) => all.includes(1));
  const id = await ask();
  await until(
    () => stage.service.pushed,
    (all) => all.some(({ browser, message }) => browser === "ana" && message.tag === id),
    4_000,
  );
});

test("a channel that hangs does not delay another channel", async () => {
  const endpoint = await hook();
  onTestFinished(() => endpoint.close());
  const origin = await silentService();
  const channels = JSON.stringify({ webhook: endpoint.settings, push: SETTINGS });
  const policy = `version: 1\npreset: standard\ntools: { publish: { class: metadata.write } }\ntiers: { publish: ask }\nchannels: ${channels}\n`;
  const on = await served({ policy, env: endpoint.env });
  onTestFinished(() => on.remove());
  const { contacts } = await devices(...Array.from({ length: 18 }, (_, n) => String(n)));
  // All browsers get a notice about each new one, so that more notices wait than there are slots.
  const acting = { by: "ben", assurance: "passkey" } as const;
  for (const { linkedMs: _, ...contact } of contacts) {
    const account = contact.account.replace(/^http:\/\/[^/]+/, origin);
    expect(await linkBrowser(on.deps, { ...contact, account }, acting)).toMatchObject({ ok: true });
  }
  const token = await on.token({ agent: "coder" });
  await on.ask("POST", "/v1/calls", { token, body: { tool: "publish", args: {} } });
  await until(
    () => endpoint.got.map(({ type }) => type),
    (types) => types.includes("leeway.pending"),
    4_000,
  );
}, 60_000);

test("an address in the network of the server is refused unless the policy allows it", async () => {
  const { service, contacts } = await devices("desk");
  const { nearby: _, ...far } = SETTINGS;
  expect(await sent(contacts, far)).toMatchObject({
    kind: "refused",
    message: expect.stringContaining("on this machine or in its network"),
  });
  expect(service.pushed).toEqual([]);
});

test("the keys are made once, only the owner of the folder can read them, and they stay the same", () => {
  const folder = stateFolder();
  const keys = pushKeys(folder);
  expect(pushKeys(folder)).toEqual(keys);
  expect(statSync(join(folder, "push.json")).mode & 0o777).toBe(0o600);
  writeFileSync(join(folder, "push.json"), "{}");
  expect(() => pushKeys(folder)).toThrow("does not hold the keys of web push");
});

test("a server restarted on the same folder has the same key, so browsers stay subscribed", async () => {
  const policy = `version: 1\nchannels: { push: { subject: "mailto:ops@example.com" } }\n`;
  const on = await served({ policy });
  const key = async (server: typeof on) =>
    (await server.ask("GET", "/v1/push", { cookie: await server.signIn() })).body.publicKey;
  const before = await key(on);
  const again = await on.again();
  onTestFinished(() => again.remove());
  expect([before, await key(again)]).toEqual([expect.stringMatching(/^B[A-Za-z0-9_-]{86}$/), before]);
});
