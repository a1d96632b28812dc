import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, served } from "../http/served.ts";
import { FORGERIES } from "../show/forgeries.ts";
import { launch, windowOf } from "./browser.ts";

let on: Served;
let browser: Browser;
let token: string;
beforeAll(async () => {
  on = await served();
  browser = await launch();
  token = await on.token({ agent: "coder" });
});
afterAll(async () => {
  await browser.close();
  await on.remove();
});

/** Each would leave a trace in the window, or fetch from elsewhere, if it were handled as more than text. */
const MARKUP: readonly string[] = [
  "<script>window.hit=1</script>",
  "<img src=x onerror=window.hit=1>",
  "<img src=http://elsewhere.example/x.png>",
  "<svg onload=window.hit=1>",
  "<svg><script>window.hit=1</script></svg>",
  "<iframe srcdoc='<script>parent.hit=1</script>'></iframe>",
  "<iframe src=//elsewhere.example></iframe>",
  "<link rel=stylesheet href=//elsewhere.example/x.css>",
  "<style>@import '//elsewhere.example/x.css'; body{display:none}</style>",
  "<base href=//elsewhere.example/>",
  "<meta http-equiv=refresh content='0;url=//elsewhere.example/'>",
  "<form action=//elsewhere.example><button>Approve</button></form>",
  "<a href=javascript:window.hit=1 autofocus onfocus=window.hit=1>Approve</a>",
  "<input autofocus onfocus=window.hit=1>",
  "<details open ontoggle=window.hit=1>",
  "<video><source onerror=window.hit=1></video>",
  "<body onload=window.hit=1>",
  "<math><mtext></mtext><mglyph><style><img src=x onerror=window.hit=1></style></mglyph></math>",
  "</code></li></ul></section></article><script>window.hit=1</script>",
  "</textarea><script>window.hit=1</script>",
  "</title><script>window.hit=1</script>",
  "--><script>window.hit=1</script><!--",
  "]]><script>window.hit=1</script>",
  "'\"><script>window.hit=1</script>",
  "' onmouseover=window.hit=1 x='",
  '" onmouseover="window.hit=1',
  "` onmouseover=window.hit=1 `",
  "&lt;script&gt;window.hit=1&lt;/script&gt;",
  "&#60;script&#62;window.hit=1&#60;/script&#62;",
  "$" + "{window.hit=1}",
  "{{constructor.constructor('window.hit=1')()}}",
  "javascript:window.hit=1",
  "data:text/html,<script>window.hit=1</script>",
  "\u202Egnp.x\u202C",
  "\u2066isolated\u2069",
  "zero\u200Bwidth\u200D\uFEFF",
  "\u{E0041}\u{E0042}tags",
  "\x1b[2J\x1b[1;1Happroved",
  "\x1b]8;;http://elsewhere.example\x07click\x1b]8;;\x07",
  "line one\r\nline two\rline three",
  "\n".repeat(5_000),
  `${"\n".repeat(200)}APPROVED BY ADMIN`,
  "a".repeat(20_000),
  "\u0000\u0001\u0002\u007f",
  "\u2028\u2029",
  "ａｐｐｒｏｖｅｄ",
  "аpproved",
  "x".repeat(100) + "\u0301".repeat(500),
];

const HOSTILE: readonly string[] = [...MARKUP, ...FORGERIES].slice(0, 300);
const PER_CALL = 30;

test("300 hostile strings in every field are shown as text only, and the real command stays visible", async () => {
  expect(HOSTILE.length).toBe(300);
  const { page, wrong, close } = await windowOf(browser, on);
  for (let at = 0; at < HOSTILE.length; at += PER_CALL) {
    const strings = HOSTILE.slice(at, at + PER_CALL);
    const call = {
      tool: `tool ${(strings[0] ?? "").slice(0, 200)}`,
      agent: `sub ${(strings[1] ?? "").slice(0, 200)}`,
      args: { command: `rm -rf the-true-target-${at}`, strings },
      says: strings.join(" ").slice(0, 2_000),
      session: (strings[2] ?? "").slice(0, 200) || "s",
      cwd: on.project,
    };
    const asked = await on.ask("POST", "/v1/calls", { token, body: call });
    expect(asked.status).toBe(202);
    for (const path of [`/approvals/${asked.body.approvalId}`, `/calls/${asked.body.id}`, "/activity", "/agents"]) {
      await page.goto(path);
      expect(await page.evaluate("window.hit")).toBeUndefined();
    }
    await page.goto(`/approvals/${asked.body.approvalId}`);
    expect(await page.textContent(".leeway-card .exact")).toContain(`the-true-target-${at}`);
    // Only our own button: one that an agent wrote would be a second one.
    const buttons = await page.$$eval("button, a", (all) => all.map((one) => one.textContent?.trim() ?? ""));
    expect(buttons.filter((text) => text === "Approve")).toHaveLength(1);
    expect(await page.$$eval("[onerror],[onload],[onfocus],iframe,base,article script", (found) => found.length)).toBe(
      0,
    );
  }
  expect(wrong).toEqual([]);
  await close();
});

test("a megabyte cannot be approved before all of it was on the screen", async () => {
  const args = { path: "big.txt", text: `${"x".repeat(79)}\n`.repeat(12_000) };
  const body = { tool: "refund", args, cwd: on.project };
  const asked = await on.ask("POST", "/v1/calls", { token, body });
  const { page, close } = await windowOf(browser, on);
  await page.goto(`/approvals/${asked.body.approvalId}`);
  expect(await page.isDisabled('#answer [data-key="a"]')).toBe(true);
  expect(await page.isEnabled('#answer [data-key="d"]')).toBe(true);
  await page.click('a[href$="?whole=1"]');
  await page.waitForURL("**/*?whole=1");
  await page.waitForSelector("#answer");
  expect(await page.isDisabled('#answer [data-key="a"]')).toBe(true);
  await page.$eval(".sheet", (sheet) => sheet.scrollTo(0, sheet.scrollHeight));
  await page.waitForSelector('#answer [data-key="a"]:enabled');
  await close();
});
