// Makes the picture for docs/channels/feishu.md: a question as the channel sends it, and the same message after the answer.
// The cards come from a real server that uses the Feishu server of the tests; only their look is drawn here.
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

const COLOURS = {
  orange: ["#fff3e0", "#b45309"],
  green: ["#e6f6ec", "#15803d"],
  red: ["#fdecea", "#b91c1c"],
  blue: ["#e8f0fe", "#1d4ed8"],
  grey: ["#f2f3f5", "#4b5563"],
};

const STYLE = `
body { margin: 0; padding: 24px; background: #f5f6f7; display: flex; gap: 24px; align-items: flex-start;
  font: 14px/1.55 "Noto Sans", "DejaVu Sans", Arial, sans-serif; color: #1f2329; width: max-content; }
.card { width: 470px; background: #fff; border: 1px solid #dee0e3; border-radius: 8px; overflow: hidden; }
header { padding: 12px 16px; font-weight: 600; font-size: 16px; }
main { padding: 12px 16px 16px; display: flex; flex-direction: column; gap: 8px; }
p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
p.notation { font-size: 12px; color: #8f959e; margin-bottom: -6px; }
.box { background: #f2f3f5; border-radius: 6px; padding: 8px; }
hr { border: 0; border-top: 1px solid #dee0e3; width: 100%; margin: 4px 0; }
.row { display: flex; gap: 8px; flex-wrap: wrap; }
.button { border: 1px solid #d0d3d6; border-radius: 6px; padding: 5px 14px; background: #fff; width: max-content; }
.primary_filled { color: #fff; background: #1456f0; border-color: #1456f0; } .danger { color: #d83931; border-color: #d83931; }
.choice { min-height: 0; display: flex; justify-content: space-between; }
.panel { border: 1px solid #dee0e3; border-radius: 6px; padding: 8px 10px; display: flex; flex-direction: column; gap: 8px; }
.panel .input { min-height: 22px; }
form { display: flex; flex-direction: column; gap: 8px; margin: 0; }
.input { border: 1px solid #d0d3d6; border-radius: 6px; padding: 6px 10px; min-height: 44px; color: #8f959e; }
`;

const escaped = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

function drawn(node) {
  switch (node.tag) {
    case "div":
      return `<p class="${node.text.text_size ?? ""}">${escaped(node.text.content)}</p>`;
    case "hr":
      return "<hr>";
    case "column_set":
      return `<div class="${node.background_style === "grey" ? "box" : "row"}">${node.columns.map(drawn).join("")}</div>`;
    case "column":
      return `<div>${node.elements.map(drawn).join("")}</div>`;
    case "form":
      return `<form>${node.elements.map(drawn).join("")}</form>`;
    case "input":
      return `<div class="input">${escaped(node.placeholder.content)}</div>`;
    case "select_static":
      return `<div class="input choice">${escaped(node.placeholder.content)}<span>▾</span></div>`;
    case "collapsible_panel":
      return `<div class="panel"><b>▾ ${escaped(node.header.title.content)}</b>${node.elements.map(drawn).join("")}</div>`;
    case "button":
      return `<div class="button ${node.type}">${escaped(node.text.content)}</div>`;
    default:
      throw new Error(`this picture cannot show ${node.tag}`);
  }
}

function cardDrawn({ header, body }) {
  const [background, color] = COLOURS[header.template];
  const title = `<header style="background:${background};color:${color}">${escaped(header.title.content)}</header>`;
  return `<div class="card">${title}<main>${body.elements.map(drawn).join("")}</main></div>`;
}

async function until(look) {
  for (let tries = 0; tries < 400; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("nothing came within 20 s");
}

/** The card of a question, and the same card after a denial with a reason. */
async function cards(vite) {
  const { feishuStage, press } = await vite.ssrLoadModule("/test/channels/feishu-stage.ts");
  const { served } = await vite.ssrLoadModule("/test/http/served.ts");
  const { linkBrowser } = await vite.ssrLoadModule("/src/gate/people/contacts.ts");
  const stage = await feishuStage();
  const channels = JSON.stringify({ feishu: stage.settings });
  const on = await served({ policy: `${POLICY}channels: ${channels}\n`, env: stage.env });
  const token = await on.token({ agent: "coder" });
  await linkBrowser(on.deps, stage.contact("ana"), { by: "ana", assurance: "password" });
  await on.ask("POST", "/v1/calls", { token, body: CALL });
  const sent = () => [...stage.feishu.state.messages.values()].find(({ card }) => card.callbacks.length > 0);
  const asked = await until(sent);
  const { path, headers, body } = press(stage.feishu, asked, "deny", "ou_ana", "not on a Friday: publish it on Monday");
  const answer = await fetch(on.url + path, { method: "POST", headers, body });
  const { card } = await answer.json();
  await on.remove();
  await stage.close();
  return [asked.json, card.data];
}

const vite = await createServer({ root, logLevel: "error", appType: "custom", server: { middlewareMode: true } });
const html = (await cards(vite)).map(cardDrawn).join("");
await vite.close();
const browser = await chromium.launch({
  executablePath: process.env.LEEWAY_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
});
const page = await browser.newPage({ viewport: { width: 1040, height: 400 }, deviceScaleFactor: 1.5 });
await page.setContent(`<meta charset="utf-8"><style>${STYLE}</style>${html}`);
mkdirSync(folder, { recursive: true });
await page.screenshot({ path: join(folder, "feishu-card.png"), fullPage: true });
process.stdout.write("docs/images/feishu-card.png\n");
await browser.close();
