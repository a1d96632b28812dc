import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browserOf } from "./forms.ts";
import { POLICY, type Served, served } from "./served.ts";

let on: Served;
beforeAll(async () => {
  on = await served({ accepts: true });
});
afterAll(() => on.remove());

const rules = Array.from({ length: 12 }, (_, at) => `  tool_${at}: { class: metadata.write }\n`).join("");
const text = (preset: string) => POLICY.replace("standard", preset).replace("tools:\n", `tools:\n${rules}`);

/** The lines that are shown before the button, as text. */
function shownIn(html: string): readonly string[] {
  const list = /<ul class="exact">(.*?)<\/ul>/s.exec(html)?.[1] ?? "";
  return [...list.matchAll(/<li class="(\w+)"><code>(.*?)<\/code>/gs)].map(([, is, line]) => `${is} ${line}`);
}

test("before a policy is accepted on its page, the page shows what would change, or all of a new file", async () => {
  const path = join(on.project, "leeway.yaml");
  const ana = await browserOf(on, "ana");
  const page = async () => (await ana.look("/policy")).html;
  writeFileSync(path, text("standard"));
  await expect.poll(page, { timeout: 5_000 }).toContain("tool_11");
  const first = await page();
  expect(first).toContain("Nobody has accepted this file yet. All of it would apply:");
  expect(shownIn(first)).toHaveLength(text("standard").trimEnd().split("\n").length);
  const [, version = ""] = /name="version" value="([^"]+)"/.exec(first) ?? [];
  expect((await ana.press("/policy/accept", { path, version })).location).toBe("/policy?told=accepted");
  expect(await page()).not.toContain('action="/policy/accept"');
  writeFileSync(path, text("autonomous"));
  await expect.poll(page, { timeout: 5_000 }).toContain('action="/policy/accept"');
  const next = await page();
  expect(next).toContain("What changes since it was accepted last:");
  expect(shownIn(next)).toEqual([
    "same   version: 1",
    "removed - preset: standard",
    "added + preset: autonomous",
    "same   tools:",
    "same     tool_0: { class: metadata.write }",
    "same     tool_1: { class: metadata.write }",
    "same …",
  ]);
});
