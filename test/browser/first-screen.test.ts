import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { STORY } from "../../src/cli/demo/story.ts";
import { type Served, served } from "../http/served.ts";
import { launch, windowOf } from "./browser.ts";

// A reviewer decides a typical question in seconds: everything needed for it is on the first screen.

let on: Served;
let browser: Browser;
const asked: { tool: string; id: string }[] = [];
beforeAll(async () => {
  on = await served();
  browser = await launch();
  const token = await on.token({ agent: "coder" });
  const story = STORY.map(({ tool, args, says }) => ({ tool, args, ...(says === undefined ? {} : { says }) }));
  const typical = [
    ...story,
    { tool: "shell", args: { command: "cd src && npm run build && rm -rf dist | tee out.txt; git push origin main" } },
    {
      tool: "edit_file",
      args: { path: "src/a.ts", old_string: lines(30, "30"), new_string: lines(30, "3000") },
    },
  ];
  for (const call of typical) {
    const { body } = await on.ask("POST", "/v1/calls", { token, body: { ...call, cwd: on.project } });
    if (body.approvalId !== undefined) asked.push({ tool: call.tool, id: body.approvalId });
  }
});
afterAll(async () => {
  await browser.close();
  await on.remove();
});

function lines(count: number, middle: string): string {
  return Array.from({ length: count }, (_, at) => (at === 14 ? `const waitMs = ${middle};` : `use(${at});`)).join("\n");
}

const SCREENS = {
  laptop: { width: 1280, height: 720 },
  phone: { width: 390, height: 844 },
} as const;

/** Who asks, what would happen, what each program does, the risky part, the exact bytes, why, and both buttons. */
const DECIDING = [
  ".leeway-card h2",
  ".leeway-card .sentence",
  ".leeway-card .facts",
  ".leeway-card .parts",
  ".leeway-card .exact",
  ".leeway-card .exact mark",
  ".leeway-card .exact .added",
  ".leeway-card .why",
  '#answer [data-key="a"]',
  '#answer [data-key="d"]',
];

test.for([
  ["laptop", "en-GB"],
  ["phone", "en-GB"],
  ["phone", "zh-CN"],
] as const)(
  "what is needed to decide a typical question is visible without scrolling (%s, %s)",
  async ([screen, language]) => {
    expect(new Set(asked.map(({ id }) => id)).size).toBeGreaterThanOrEqual(5);
    const { page, close } = await windowOf(browser, on, { look: screen === "phone" ? "phone" : "desk", language });
    await page.setViewportSize(SCREENS[screen]);
    const unseen: string[] = [];
    for (const { id, tool } of asked) {
      await page.goto(`/approvals/${id}`);
      const covered = (await page.locator(".foot").boundingBox())?.y ?? 0;
      for (const selector of DECIDING) {
        const box = await page
          .locator(selector)
          .first()
          .boundingBox({ timeout: 1 })
          .catch(() => null);
        if (box === null) continue;
        const end = selector.startsWith("#answer") ? SCREENS[screen].height : covered;
        if (box.y < 0 || box.y + box.height > end + 1)
          unseen.push(`${tool}: ${selector} ends at ${box.y + box.height} of ${end}`);
      }
      const there = await page.locator('.leeway-card .sentence, #answer [data-key="a"]').count();
      if (there !== 2) unseen.push(`${tool}: no sentence or no button`);
    }
    expect(unseen).toEqual([]);
    await close();
  },
);
