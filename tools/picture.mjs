// Makes the pictures of the README: the inbox of `leeway up --demo` in light and dark colours. Run after `npm run build`.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "docs", "images");
const QUESTIONS = 5;

function started() {
  const server = spawn(process.execPath, [join(root, "bin", "leeway.mjs"), "up", "--demo", "--port", "0", "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve) => {
    server.stdout.once("data", (text) => resolve({ server, ...JSON.parse(String(text)) }));
  });
}

const { server, link, url } = await started();
const browser = await chromium.launch({
  executablePath: process.env.LEEWAY_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
});
mkdirSync(folder, { recursive: true });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(link);
await page.click("form button");
await page.waitForSelector(`#waiting li:nth-child(${QUESTIONS})`);
const [grave] = await page.$$eval("#waiting a", (links) =>
  links.filter((one) => one.textContent.includes("fs.delete")).map((one) => one.getAttribute("href")),
);
await page.goto(new URL(grave, url).href);
for (const [name, colorScheme] of [
  ["inbox.png", "light"],
  ["inbox-dark.png", "dark"],
]) {
  await page.emulateMedia({ colorScheme });
  await page.screenshot({ path: join(folder, name) });
  process.stdout.write(`${join("docs", "images", name)}\n`);
}
await browser.close();
server.kill("SIGTERM");
