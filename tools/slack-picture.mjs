// Makes the picture for docs/channels/slack.md: a question as the channel sends it, the form for the reason of a denial, and the
// same message after the answer. The messages come from a real server that uses the Slack server of the tests; only their
// look is drawn here.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { createServer } from "vite";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "docs", "images");

const POLICY = `version: 1
preset: standard
agents: { coder: { owner: ana, reviewers: [ana, ben] } }
approvals: { selfReview: true }
`;

const CALL = {
  tool: "shell",
  args: { command: "git push origin main && npm publish --access public" },
  says: "The release notes are merged, so I publish version 2.4.0.",
};

const STYLE = `
body { margin: 0; padding: 24px 24px 48px; background: #f8f8f8; display: flex; gap: 24px; align-items: flex-start; width: max-content;
  font: 15px/1.46 Lato, "Noto Sans", "DejaVu Sans", Arial, sans-serif; color: #1d1c1d; }
.column { display: flex; flex-direction: column; gap: 24px; }
.message { width: 540px; background: #fff; border: 1px solid #ddd; border-radius: 8px; padding: 14px 16px; box-sizing: border-box; }
.sender { display: flex; gap: 8px; align-items: baseline; font-weight: 700; margin-bottom: 4px; }
.sender small { background: #e8e8e8; border-radius: 3px; padding: 0 4px; font-size: 10px; color: #616061; }
h2 { font-size: 18px; margin: 4px 0 8px; }
p { margin: 0 0 4px; white-space: pre-wrap; overflow-wrap: anywhere; }
pre { margin: 4px 0 8px; padding: 8px; background: #f8f8f8; border: 1px solid #ddd; border-radius: 4px; white-space: pre-wrap;
  font: 12px/1.5 "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
blockquote { margin: 4px 0; padding-left: 12px; border-left: 4px solid #ddd; white-space: pre-wrap; }
.row { display: flex; gap: 8px; flex-wrap: wrap; margin-top: 10px; }
.button { border: 1px solid #bbb; border-radius: 4px; padding: 4px 12px; font-weight: 700; font-size: 13px; background: #fff; }
.primary { color: #fff; background: #007a5a; border-color: #007a5a; } .danger { color: #fff; background: #e01e5a; border-color: #e01e5a; }
.modal { box-shadow: 0 8px 24px #0003; } .modal h2 { border-bottom: 1px solid #ddd; padding-bottom: 10px; }
.input { border: 1px solid #868686; border-radius: 4px; padding: 6px 10px; min-height: 56px; margin-top: 4px; }
.modal .row { justify-content: flex-end; }
`;

const REASON = "not on a Friday: publish it on Monday";

const escaped = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
const inline = ({ text, style }) => (style?.bold === true ? `<b>${escaped(text)}</b>` : escaped(text));
const button = (text, style = "") => `<span class="button ${style}">${escaped(text)}</span>`;

function drawn(block) {
  const all = () => (block.elements ?? []).map(drawn).join("");
  switch (block.type) {
    case "header":
      return `<h2>${escaped(block.text.text)}</h2>`;
    case "rich_text":
      return all();
    case "rich_text_section":
      return `<p>${block.elements.map(inline).join("")}</p>`;
    case "rich_text_preformatted":
      return `<pre>${block.elements.map(inline).join("")}</pre>`;
    case "rich_text_quote":
      return `<blockquote>${block.elements.map(inline).join("")}</blockquote>`;
    case "actions":
      return `<div class="row">${all()}</div>`;
    case "button":
      return button(block.text.text, block.style);
    case "input":
      return `<p><b>${escaped(block.label.text)}</b></p><div class="input">${escaped(REASON)}</div>`;
    default:
      throw new Error(`this picture cannot show ${block.type}`);
  }
}

function messageDrawn(blocks) {
  return `<div class="message"><div class="sender">Leeway <small>APP</small></div>${blocks.map(drawn).join("")}</div>`;
}

function formDrawn({ title, blocks, submit, close }) {
  const buttons = `<div class="row">${button(close.text)}${button(submit.text, "primary")}</div>`;
  return `<div class="message modal"><h2>${escaped(title.text)}</h2>${blocks.map(drawn).join("")}${buttons}</div>`;
}

async function until(look) {
  for (let tries = 0; tries < 400; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("nothing came within 20 s");
}

/** The message of a question, the form for the reason of a denial, and the message after the denial. */
async function shown(vite) {
  const { slackService } = await vite.ssrLoadModule("/test/channels/slack-service.ts");
  const { served } = await vite.ssrLoadModule("/test/http/served.ts");
  const { linkBrowser } = await vite.ssrLoadModule("/src/gate/people/contacts.ts");
  const slack = await slackService();
  const on = await served({
    policy: `${POLICY}channels: ${JSON.stringify({ slack: slack.settings })}\n`,
    env: slack.env,
  });
  const token = await on.token({ agent: "coder" });
  await linkBrowser(on.deps, slack.contact("ana"), { by: "ana", assurance: "password" });
  await on.ask("POST", "/v1/calls", { token, body: CALL });
  const isCard = ({ buttons }) => buttons.length > 0;
  const card = await until(() => slack.seen().find(isCard));
  const posted = slack.posted.find(({ ts }) => ts === card.id);
  const asked = posted.blocks;
  const send = ({ path, headers, body }) => fetch(on.url + path, { method: "POST", headers, body });
  const form = await slack.press(card, "deny", "U0ANA", { note: REASON, send });
  await send(form);
  const answered = await until(() => (slack.seen().some(isCard) ? undefined : posted.blocks));
  await on.remove();
  await slack.close();
  return { asked, form: slack.opened[0].view, answered };
}

const vite = await createServer({ root, logLevel: "error", appType: "custom", server: { middlewareMode: true } });
const { asked, form, answered } = await shown(vite);
await vite.close();
const browser = await chromium.launch({
  executablePath: process.env.LEEWAY_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
});
const page = await browser.newPage({ viewport: { width: 1176, height: 400 }, deviceScaleFactor: 1.5 });
const column = (...parts) => `<div class="column">${parts.join("")}</div>`;
const html = column(messageDrawn(asked), formDrawn(form)) + column(messageDrawn(answered));
await page.setContent(`<meta charset="utf-8"><style>${STYLE}</style>${html}`);
mkdirSync(folder, { recursive: true });
await page.screenshot({ path: join(folder, "slack-message.png"), fullPage: true });
process.stdout.write("docs/images/slack-message.png\n");
await browser.close();
