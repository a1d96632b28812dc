// Makes the pictures for docs/channels/email.md and push.md: a question as a real server sends it to the mail server and the
// push service of the tests. The mail and the page that it links to are real; only the look of the phone is drawn here.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { createServer } from "vite";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "docs", "images");

const POLICY = `version: 1
preset: standard
agents: { coder: { owner: ana } }
approvals: { selfReview: true }
`;

const CALL = {
  tool: "shell",
  args: { command: "git push origin main && npm publish --access public" },
  says: "The release notes are merged, so I publish version 2.4.0.",
};

async function until(look) {
  for (let tries = 0; tries < 400; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("nothing came within 20 s");
}

/** A server with both channels, ana linked to both, and one question. */
async function asked(vite) {
  const { mailServer, answerLink, PASSWORD, USER } = await vite.ssrLoadModule("/test/channels/mail-server.ts");
  const { pushService } = await vite.ssrLoadModule("/test/channels/push-service.ts");
  const { served } = await vite.ssrLoadModule("/test/http/served.ts");
  const { linkBrowser } = await vite.ssrLoadModule("/src/gate/people/contacts.ts");
  const [mails, pushes] = [await mailServer(), await pushService()];
  const smtp = `smtp://127.0.0.1:${mails.port}`;
  const email = { from: "Leeway <leeway@example.com>", smtp, user: USER, password: "env:MAIL_PASSWORD" };
  const channels = JSON.stringify({ email, push: { subject: "mailto:ops@example.com", nearby: true } });
  const on = await served({ policy: `${POLICY}channels: ${channels}\n`, env: { MAIL_PASSWORD: PASSWORD } });
  const acting = { by: "ana", assurance: "password" };
  const { endpoint, keys } = pushes.subscribe("phone");
  const contacts = [
    { channel: "email", account: "ana@example.com", label: "ana@example.com" },
    { channel: "push", account: endpoint, label: "Chrome/140, Android", keys },
  ];
  for (const contact of contacts) await linkBrowser(on.deps, contact, acting);
  const token = await on.token({ agent: "coder" });
  await on.ask("POST", "/v1/calls", { token, body: CALL });
  const mail = await until(() => mails.mails.find(({ text }) => answerLink(text) !== undefined));
  const push = await until(() => pushes.pushed.find(({ message }) => message.tag.startsWith("apr_")));
  const close = async () => {
    await on.remove();
    await mails.close();
    await pushes.close();
  };
  return { mail, link: answerLink(mail.text).href, message: push.message, close };
}

const STYLE = `
body { margin: 0; padding: 20px; background: #30343f; width: 420px;
  font: 14px/1.45 "Noto Sans", "DejaVu Sans", Arial, sans-serif; color: #1f2329; }
.notification { background: #f4f5f7; border-radius: 20px; padding: 14px 18px; }
.from { color: #5b616e; font-size: 12px; margin-bottom: 4px; } b { display: block; } p { margin: 2px 0 0; }
`;

const escaped = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

const vite = await createServer({ root, logLevel: "error", appType: "custom", server: { middlewareMode: true } });
const { mail, link, message, close } = await asked(vite);
const browser = await chromium.launch({
  executablePath: process.env.LEEWAY_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
});
mkdirSync(folder, { recursive: true });
const taken = async (name, width, look) => {
  const page = await browser.newPage({ viewport: { width, height: 100 }, deviceScaleFactor: 1.5 });
  await look(page);
  await page.screenshot({ path: join(folder, name), fullPage: true });
  process.stdout.write(`docs/images/${name}\n`);
};
await taken("mail.png", 720, (page) => page.setContent(mail.html));
await taken("mail-answer.png", 800, (page) => page.goto(link));
const { title, text } = message;
const notification = `<meta charset="utf-8"><style>${STYLE}</style><div class="notification">
<div class="from">Leeway · now</div><b>${escaped(title)}</b><p>${escaped(text)}</p></div>`;
await taken("push.png", 460, (page) => page.setContent(notification));
await browser.close();
await close();
await vite.close();
