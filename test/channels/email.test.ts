import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { emailChannel } from "../../src/channels/email.ts";
import { channelMaker } from "../../src/channels/index.ts";
import { optionalPackage } from "../../src/channels/optional-package.ts";
import { channelTools } from "../../src/channels/tools.ts";
import type { EmailSettings } from "../../src/core/channel.ts";
import { sendMailCode } from "../../src/gate/notices/mail-code.ts";
import type { Sending } from "../../src/gate/notices/sending.ts";
import { linkMail, mailCode, setReach, unlinkContact } from "../../src/gate/people/contacts.ts";
import { ChannelFailure, type Outgoing } from "../../src/ports.ts";
import { sendingBy } from "../../src/serve.ts";
import { answerLink, type MailServer, mailServer, PASSWORD, USER } from "./mail-server.ts";
import { contact, type MailStage, mailStage, pageText, pressed } from "./mail-stage.ts";
import { type Callback, channelSuite, type Playing, playing, until } from "./suite.ts";

channelSuite({
  kind: "email",
  start: mailStage,
  updates: false,
  reachesPeople: true,
  hasButtons: true,
  answersBy: "page",
});

async function mailed(tool = "publish"): Promise<Playing & { stage: MailStage; id: string; link: URL; text: string }> {
  const stages: MailStage[] = [];
  const play = await playing("email", async () => {
    const stage = await mailStage();
    stages.push(stage);
    return stage;
  });
  const [stage] = stages;
  if (stage === undefined) throw new Error("no stage");
  const id = await play.ask(1, tool);
  const [mail] = await until(
    () => stage.server.mails,
    (all) => all.length > 0,
  );
  const text = mail?.text ?? "";
  return { ...play, stage, id, text, link: answerLink(text) ?? new URL("http://nowhere") };
}

const stateOf = async ({ on, id }: { on: Playing["on"]; id: string }) => {
  const cookie = await on.signIn();
  return (await on.ask("GET", `/v1/approvals/${id}`, { cookie })).body;
};

const post = (on: Playing["on"], { path, headers, body }: Callback) =>
  fetch(on.url + path, { method: "POST", headers, body });

test("a mail shows what would run in text and in HTML, loads nothing, and has the headers of an automatic mail", async () => {
  const { stage, id, on } = await mailed();
  const [mail] = stage.server.mails;
  const { headers, text, html } = mail ?? { headers: {} as Record<string, string>, text: "", html: "" };
  expect(mail).toMatchObject({ from: "leeway@example.com", to: ["ana@example.com"] });
  expect(headers).toMatchObject({
    subject: "coder asks to use publish",
    from: "Leeway <leeway@example.com>",
    to: "ana@example.com",
    "auto-submitted": "auto-generated",
    "list-id": "Leeway <leeway.example.com>",
    "list-unsubscribe": `<${on.url}/settings>`,
  });
  expect(headers["message-id"]).toMatch(/^<[0-9a-f]{32}@example\.com>$/);
  for (const part of [text, html]) {
    expect(part).toContain("page 1");
    expect(part).toContain(`${on.url}/approvals/${id}`);
    expect(part).toContain(`${on.url}/channels/email/`);
    expect(part).not.toContain("ghp_");
  }
  expect(html).not.toMatch(/<(img|script|link|iframe|object|form)\b|@import|url\(/i);
  const addresses = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, at = ""]) => new URL(at).origin);
  expect(new Set(addresses)).toEqual(new Set([on.url]));
});

test("text of an agent cannot become markup or a header of the mail", async () => {
  const { on, stage, agent } = await mailed();
  const tool = "publish";
  const args = { note: '</pre><img src="http://evil.example/x">\r\nBcc: all@example.com' };
  const body = { tool, args, says: "approved already\n<a href='http://evil.example'>ok</a>\r\nSubject: hi" };
  expect((await on.ask("POST", "/v1/calls", { token: agent, body })).status).toBe(202);
  const [, mail] = await until(
    () => stage.server.mails,
    (all) => all.length > 1,
  );
  expect(mail?.html).not.toMatch(/<img|<a href='/);
  expect(mail?.headers["subject"]).toBe("coder asks to use publish");
  expect(mail?.headers["bcc"]).toBeUndefined();
  expect(mail?.to).toEqual(["ana@example.com"]);
  // Each line of the agent's words is quoted, so that none looks like a line of the mail itself.
  expect(mail?.text).toMatch(/^> .*approved already/m);
});

test("the mails about one question are in one conversation, each with an id of its own", async () => {
  const { on, stage, clock, id } = await mailed();
  const { answerByMs } = await stateOf({ on, id });
  const half = Math.ceil((answerByMs - clock.nowMs()) / 2) + 1_000;
  // The clock jumps ahead, so a mail may be sent a second time before the first is recorded; mail programs drop it by its id.
  const mailsAbout = () => {
    const about = stage.server.mails.filter(({ text }) => text.includes(`/approvals/${id}`));
    return [...new Map(about.map((mail) => [mail.headers["message-id"], mail])).values()];
  };
  clock.advance(half);
  await until(mailsAbout, (all) => all.length === 2);
  clock.advance(half);
  const about = await until(mailsAbout, (all) => all.length === 3);
  expect(about.map(({ headers }) => headers["subject"])).toEqual([
    "coder asks to use publish",
    "coder still waits to use publish",
    "the question of coder about publish is answered",
  ]);
  const thread = about[0]?.headers["references"];
  expect(thread).toMatch(/^<[0-9a-f]{32}@example\.com>$/);
  for (const { headers } of about) expect(headers).toMatchObject({ references: thread, "in-reply-to": thread });
});

test("opening the link answers nothing, however often and by whichever program", async () => {
  const play = await mailed();
  const { on, link, id } = play;
  for (const method of ["GET", "HEAD", "GET"]) {
    const answer = await fetch(link, { method, headers: { "user-agent": "a scanner of links" } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const page = await answer.text();
    if (method === "HEAD") expect(page).toBe("");
    else {
      expect(pageText(page)).toContain("you answer as ana (ana@example.com)");
      expect(page).toContain("page 1");
      expect(page).not.toContain("ghp_");
    }
  }
  for (const verdict of ["approve", "deny"]) {
    link.searchParams.set("verdict", verdict);
    await fetch(link);
  }
  expect((await stateOf({ on, id })).reviews).toEqual([]);
});

test("a denial by mail gives its reason to the agent, and the link then says what happened", async () => {
  const play = await mailed();
  const { on, link, text } = play;
  const answer = await post(on, pressed(text, "deny", "not on a Friday"));
  expect([answer.status, answer.redirected]).toEqual([200, true]);
  expect(pageText(await answer.text())).toContain("denied by ana: not on a friday");
  expect(await stateOf(play)).toMatchObject({ state: "denied", note: "not on a Friday" });
  const later = await (await fetch(link)).text();
  expect(pageText(later)).toContain("denied by ana: not on a friday");
  expect(later).not.toContain("<form");
  const again = await post(on, pressed(text, "approve"));
  expect(again.status).toBe(409);
  expect(pageText(await again.text())).toContain("denied by ana");
});

test("the link of an expired question says so and accepts no answer", async () => {
  const { on, clock, link, text, id } = await mailed();
  clock.advance(8 * 24 * 60 * 60_000);
  const page = await (await fetch(link)).text();
  expect(pageText(page)).toContain("expired");
  expect(page).not.toContain("<form");
  expect((await post(on, pressed(text, "approve"))).status).toBe(409);
  expect((await stateOf({ on, id })).reviews).toEqual([]);
});

test("a link with another secret, of another mail, or of no mail at all shows and answers nothing", async () => {
  const play = await mailed();
  const { on, ask, stage, link, text, id } = play;
  await ask(2);
  const mails = await until(
    () => stage.server.mails,
    (all) => all.length > 1,
  );
  const other = answerLink(mails[1]?.text ?? "") as URL;
  for (const [path, secret] of [
    [link.pathname, other.searchParams.get("secret")],
    [other.pathname, link.searchParams.get("secret")],
    [link.pathname, ""],
    ["/channels/email/ntc_none", "anything"],
  ]) {
    const at = new URL(`${path}?secret=${secret}`, on.url);
    const seen = await fetch(at);
    expect([seen.status, (await seen.text()).includes("page 1")]).toEqual([403, false]);
    const sent = await post(on, {
      ...pressed(text, "approve"),
      path: path ?? "",
      body: `secret=${secret}&verdict=approve`,
    });
    expect(sent.status).toBe(403);
  }
  expect((await fetch(new URL(`/channels/push/x?secret=y`, on.url))).status).toBe(404);
  expect((await stateOf({ on, id })).reviews).toEqual([]);
});

test("an answer that comes from a page of another site is refused", async () => {
  const play = await mailed();
  const { headers, ...callback } = pressed(play.text, "approve");
  for (const origin of ["https://evil.example", undefined]) {
    const { origin: _, ...rest } = headers as Record<string, string>;
    const sent = await post(play.on, { ...callback, headers: origin === undefined ? rest : { ...rest, origin } });
    expect(sent.status).toBe(403);
  }
  expect((await stateOf(play)).reviews).toEqual([]);
});

test("once the address is unlinked, the links of its mails show and answer nothing, and the attempt is recorded", async () => {
  const play = await mailed();
  const { on, text, link } = play;
  await unlinkContact(on.deps, "ana", { channel: "email", account: "ana@example.com" }, { by: "ana" });
  for (const answer of [await fetch(link), await post(on, pressed(text, "approve"))]) {
    const page = await answer.text();
    expect([answer.status, page.includes("page 1"), page.includes("<form")]).toEqual([403, false, false]);
  }
  expect((await stateOf(play)).state).toBe("pending");
  const { body } = await on.ask("GET", "/v1/ledger?kinds=review.refused", { cookie: await on.signIn() });
  expect(JSON.stringify(body)).toContain("email:ana@example.com");
});

test("a question that needs a fresh sign-in links only to the inbox", async () => {
  const { text, on, id } = await mailed("refund");
  expect(answerLink(text)).toBeUndefined();
  expect(text).toContain(`${on.url}/approvals/${id}`);
  expect(text).toContain("only somebody who has just signed in can approve this");
});

test("a person who chose Chinese gets mail and page in Chinese", async () => {
  const { on, ask, stage } = await mailed();
  await setReach(on.deps, "ana", { language: "zh" });
  await ask(2);
  const mails = await until(
    () => stage.server.mails,
    (all) => all.length > 1,
  );
  const { text = "", headers } = mails[1] ?? {};
  expect(text).toContain("答复：批准或拒绝");
  expect(headers?.["subject"]).toMatch(/^=\?UTF-8\?/i);
  const page = await (await fetch(answerLink(text) as URL)).text();
  expect(page).toContain('<html lang="zh-CN">');
  expect(page).toContain("您将以 ana（ana@example.com）的身份答复");
});

function sendingOf(on: Playing["on"], { env }: MailStage): Sending {
  const tools = channelTools(env, { stateFolder: on.state, write: () => undefined, nowMs: Date.now });
  return sendingBy(channelMaker(tools), { origin: on.url, url: on.url });
}

test("an address is linked only with the code that was mailed to it", async () => {
  const { on, stage } = await mailed();
  const acting = { by: "ana", assurance: "password" } as const;
  const sending = sendingOf(on, stage);
  expect(await sendMailCode(on.deps, sending, "ana@new.example", acting)).toEqual({
    ok: true,
    value: { address: "ana@new.example" },
  });
  const mail = stage.server.mails.at(-1);
  const code = /your code is (\w{8})\./.exec(mail?.text ?? "")?.[1] ?? "";
  expect(mail?.to).toEqual(["ana@new.example"]);
  expect(mail?.headers["subject"]).not.toContain(code);
  expect(await linkMail(on.deps, "ana@new.example", "WRONG234", acting)).toMatchObject({ ok: false });
  expect(await linkMail(on.deps, "other@example.com", code, acting)).toMatchObject({ ok: false });
  expect(await linkMail(on.deps, "ana@new.example", code, { ...acting, by: "ben" })).toMatchObject({ ok: false });
  expect(await linkMail(on.deps, "ana@new.example", code, acting)).toMatchObject({
    ok: true,
    value: { contacts: [{ channel: "email", account: "ana@new.example" }] },
  });
});

test("wrong codes that one person types for an address do not keep another person from linking it", async () => {
  const { on } = await mailed();
  const [ana, ben] = [{ by: "ana", assurance: "password" } as const, { by: "ben", assurance: "passkey" } as const];
  const codes = [await mailCode(on.deps, "new@example.com", ana), await mailCode(on.deps, "new@example.com", ben)];
  const [ofAna = "", ofBen = ""] = codes.map((code) => (code.ok ? code.value : ""));
  for (let n = 0; n < 10; n++) await linkMail(on.deps, "new@example.com", "WRONG234", ben);
  expect(await linkMail(on.deps, "new@example.com", ofBen, ben)).toMatchObject({ ok: false, code: "LEEWAY_FORBIDDEN" });
  expect(await linkMail(on.deps, "new@example.com", ofAna, ana)).toMatchObject({ ok: true });
});

test("where a command runs is in the mail, so that two questions with the same command can be told apart", async () => {
  const { on, stage, agent } = await mailed();
  for (const cwd of ["/srv/production", "/srv/staging"])
    await on.ask("POST", "/v1/calls", { token: agent, body: { tool: "Bash", args: { command: "make deploy" }, cwd } });
  const mails = await until(
    () => stage.server.mails,
    (all) => all.length > 2,
  );
  const told = mails.slice(1).map(({ text, html }) => [text, html].map((part) => /\/srv\/(\w+)/.exec(part)?.[1]));
  expect(told.sort()).toEqual([
    ["production", "production"],
    ["staging", "staging"],
  ]);
});

test("a code is sent to one address and only a few times, and an error of the mail server is reported", async () => {
  const { on, stage } = await mailed();
  const acting = { by: "ana", assurance: "password" } as const;
  const sending = sendingOf(on, stage);
  for (const address of [
    "ben",
    "a@b, c@d",
    "Ben <ben@example.com>",
    "ben@example.com\r\nBcc: x@y",
    `${"x".repeat(250)}@example.com`,
  ])
    expect(await sendMailCode(on.deps, sending, address, acting)).toMatchObject({
      ok: false,
      code: "LEEWAY_BAD_INPUT",
    });
  stage.server.answers.rcpt = "550 5.1.1 no such user";
  expect(await sendMailCode(on.deps, sending, "ana@new.example", acting)).toMatchObject({
    ok: false,
    code: "LEEWAY_BAD_INPUT",
    reason: { say: "refusal.mail_not_sent" },
  });
  delete stage.server.answers.rcpt;
  for (let n = 0; n < 4; n++) await sendMailCode(on.deps, sending, "ana@new.example", acting);
  expect(await sendMailCode(on.deps, sending, "ana@new.example", acting)).toMatchObject({
    ok: false,
    code: "LEEWAY_LOCKED",
  });
});

test("a mailbox that is gone is forgotten, and the notice is given up", async () => {
  const { on, stage, ask } = await mailed();
  stage.server.answers.rcpt = "550 5.1.1 no such user";
  await ask(2);
  await until(
    async () => (await on.deps.standing.current()).rows.people.find(({ name }) => name === "ana")?.contacts ?? [],
    (contacts) => contacts.length === 0,
  );
});

const SETTINGS: EmailSettings = {
  from: "leeway@example.com",
  smtp: "smtp://127.0.0.1:1",
  user: USER,
  password: { from: "env", name: "MAIL_PASSWORD" },
};

const NOTICE: Outgoing = {
  id: "ntc_1",
  workspace: "default",
  kind: "paused",
  to: "ana",
  title: "everything is paused",
  text: "by ben",
  ref: "pau_1",
  channel: "email",
  createdMs: 0,
  attempts: 0,
  dueMs: 0,
  state: "waiting",
  address: { to: "person", contacts: [{ ...contact("ana"), linkedMs: 0 }] },
  language: "en",
  link: "https://leeway.example.com/",
};

/** The failure of the channel when it sends a notice with these settings. */
async function failure(settings: Partial<EmailSettings>, password = PASSWORD): Promise<ChannelFailure> {
  const channel = emailChannel({ ...SETTINGS, ...settings }, { secret: () => password });
  const error = await Promise.resolve(channel.deliver(NOTICE)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ChannelFailure)) throw new Error(`it did not fail as a channel: ${error}`);
  return error;
}

async function startServer(options: Parameters<typeof mailServer>[0] = {}): Promise<MailServer & { smtp: string }> {
  const server = await mailServer(options);
  onTestFinished(() => server.close());
  return { ...server, smtp: `smtp://127.0.0.1:${server.port}` };
}

test("wrong settings are reported with what to do and without the password, and no notice is lost", async () => {
  const { smtp, port } = await startServer();
  const auth = await failure({ smtp }, "wrong");
  expect([auth.kind, auth.message]).toEqual(["down", expect.stringContaining("check `user` and `password`")]);
  expect(auth.message).not.toContain("wrong");
  const elsewhere = `smtp://[::ffff:127.0.0.1]:${port}`;
  const untrusted = await failure({ smtp: elsewhere });
  expect([untrusted.kind, untrusted.message]).toEqual(["down", expect.stringContaining("certificate")]);
  const { port: plain } = await startServer({ disabledCommands: ["STARTTLS"] });
  const open = await failure({ smtp: `smtp://[::ffff:127.0.0.1]:${plain}` });
  expect([open.kind, open.message]).toEqual(["down", expect.stringContaining("offers no encryption")]);
  const nobody = await failure({});
  expect([nobody.kind, nobody.message]).toEqual(["down", expect.stringContaining("could not be reached")]);
  expect(() => emailChannel({ ...SETTINGS, from: "Leeway" }, { secret: () => "" })).toThrow(
    "`from` is not a mail address",
  );
});

test("if the server repeats the password in its answer, the error does not show it", async () => {
  const { smtp } = await startServer({
    onAuth: ({ password }, _, done) => done(Object.assign(new Error(`no: ${password}`), { responseCode: 535 })),
  });
  expect((await failure({ smtp })).message).not.toContain(PASSWORD);
});

test("the answer of a server that refuses name and password is not shown, because it may repeat them", async () => {
  const refusing = createServer((socket) => {
    socket.write("220 here\r\n");
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      const line = bytes.toString().trim();
      socket.write(line.startsWith("EHLO") ? "250-here\r\n250 AUTH PLAIN\r\n" : `535 not understood: ${line}\r\n`);
    });
  });
  await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void refusing.close());
  const place = `127.0.0.1:${(refusing.address() as AddressInfo).port}`;
  expect((await failure({ smtp: `smtp://${place}` })).message).toBe(
    `the mail server ${place} does not accept the name and password: check \`user\` and \`password\` of the channel email`,
  );
});

test("the answer of the mail server decides whether a mail is tried again, is given up, or the address is forgotten", async () => {
  const server = await startServer();
  const kinds: Record<string, string> = {
    "450 4.2.0 greylisted": "busy",
    "452 4.2.2 mailbox full": "busy",
    "421 4.7.0 too many connections": "down",
    "550 5.1.1 no such user": "gone",
    "550 no such user": "gone",
    "550 5.2.1 mailbox switched off": "gone",
    "552 5.2.2 mailbox full": "busy",
    "550 5.7.1 relaying denied": "refused",
    "554 5.7.1 your address is on a list": "refused",
  };
  const found: Record<string, string> = {};
  for (const answer of Object.keys(kinds)) {
    server.answers.rcpt = answer as `${number} ${string}`;
    found[answer] = (await failure({ smtp: server.smtp })).kind;
  }
  delete server.answers.rcpt;
  expect(found).toEqual(kinds);
  server.answers.data = "554 5.6.0 this looks like spam";
  expect((await failure({ smtp: server.smtp })).kind).toBe("refused");
  server.answers.data = "451 4.3.0 later";
  expect((await failure({ smtp: server.smtp })).kind).toBe("busy");
});

/** A mail server that stops talking at a certain step. */
async function oddServer(talk: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a connection that is cut, silent or slow at any step ends within its time limit, and the mail is tried again", async () => {
  const cut = await oddServer((socket) => {
    socket.write("220 here\r\n");
    socket.once("data", () => socket.destroy());
  });
  expect((await failure({ smtp: cut })).kind).toBe("down");
  const silent = await oddServer(() => undefined);
  const slow = await oddServer((socket) => {
    const replies = ["250-here\r\n250 AUTH PLAIN\r\n", "235 ok\r\n", "250 ok\r\n", "250 ok\r\n", "354 go\r\n"];
    setTimeout(() => socket.write("220 here\r\n"), 6_000);
    socket.on("data", () => setTimeout(() => socket.write(replies.shift() ?? "250 ok\r\n"), 6_000));
  });
  const startMs = performance.now();
  const kinds = await Promise.all([failure({ smtp: silent }), failure({ smtp: slow })]);
  expect(kinds.map(({ kind }) => kind)).toEqual(["down", "down"]);
  expect(performance.now() - startMs).toBeLessThan(25_000);
}, 40_000);

test("settings are tested without sending a mail", async () => {
  const server = await startServer();
  const channel = emailChannel({ ...SETTINGS, smtp: server.smtp }, { secret: () => PASSWORD });
  await channel.try?.();
  await expect(emailChannel({ ...SETTINGS, smtp: server.smtp }, { secret: () => "wrong" }).try?.()).rejects.toThrow(
    "check `user` and `password`",
  );
  expect([server.mails, server.connections()]).toEqual([[], 2]);
});

test("if the package nodemailer is not installed, the error names the command that installs it", async () => {
  const name = "nodemailer-that-nobody-installed";
  await expect(optionalPackage("nodemailer", () => import(name))).rejects.toThrow("npm install nodemailer");
});
