import { afterAll, beforeAll, expect, test } from "vitest";
import { wait } from "../../src/gate/calls/wait.ts";
import { type Browser, browserOf } from "./forms.ts";
import { type Served, served } from "./served.ts";

// One deadline, the one that counts: how long the agent really waits, and what happens then; and the folder of the call.

let on: Served;
let ana: Browser;
beforeAll(async () => {
  on = await served();
  ana = await browserOf(on, "ana");
});
afterAll(() => on.remove());

const textIn = (html: string, pattern: RegExp) =>
  pattern
    .exec(html)?.[1]
    ?.replaceAll(/<[^>]+>/g, "")
    .replaceAll(/\s+/g, " ")
    // The default is a day, of which some milliseconds have passed.
    .replace(/in (1 d|23 h)/, "in a day")
    .trim();
const dueIn = (html: string) => textIn(html, /<span class="due">(.*?)<\/span>/s);
const followsIn = (html: string) => textIn(html, /<span class="then">(.*?) <span class="remembering">/s);
const rowIn = (html: string, id: string) =>
  textIn(html, new RegExp(`<li data-id="${id}">.*?<span class="facts">(.*?)</a>`, "s"));

async function asked(cwd: string): Promise<string> {
  const token = await on.token({ agent: "coder" });
  const body = { tool: "shell", args: { command: "git push origin main" }, cwd, callId: cwd };
  return (await on.ask("POST", "/v1/calls", { token, body })).body.approvalId;
}

test("a question shows when the agent stops waiting and what happens then; later, until when it can be answered", async () => {
  const id = await asked("/srv/shop");
  const page = async () => (await ana.look(`/approvals/${id}`)).html;
  const before = await page();
  expect([dueIn(before), followsIn(before), rowIn(before, id)]).toEqual([
    "question closes in a day",
    "The agent is no longer waiting. If you approve, the call runs once, when the agent retries it.",
    "coder shop git.write in a day",
  ]);
  const stop = new AbortController();
  const minutes = 9.5;
  const timeoutMs = minutes * 60_000;
  const givesUpMs = on.deps.clock.nowMs() + timeoutMs;
  const waiting = wait(on.deps, id, { timeoutMs, givesUpMs, signal: stop.signal });
  await expect.poll(async () => dueIn(await page())).toBe("the agent stops waiting in 9 min");
  const now = await page();
  expect([followsIn(now), rowIn(now, id)]).toEqual([
    "The agent is waiting. The call runs as soon as you approve it. If nobody answers in that time, the call is refused for now; an approval after that counts for its next try.",
    "coder shop git.write the agent stops waiting in 9 min",
  ]);
  // Another caller that does not know how long it waits changes nothing; one that waits longer does.
  const others = [
    wait(on.deps, id, { timeoutMs, signal: stop.signal }),
    wait(on.deps, id, { timeoutMs: 2 * timeoutMs, givesUpMs: givesUpMs + 8 * 60_000, signal: stop.signal }),
  ];
  await expect.poll(async () => dueIn(await page())).toBe("the agent stops waiting in 17 min");
  stop.abort();
  await Promise.all([waiting, ...others]);
});

test("a caller that waits without saying how long is said to wait, and the question's own end is shown", async () => {
  const id = await asked("/srv/other");
  const stop = new AbortController();
  const waiting = wait(on.deps, id, { timeoutMs: 60_000, signal: stop.signal });
  const due = async () => dueIn((await ana.look(`/approvals/${id}`)).html);
  await expect.poll(due).toBe("the agent is waiting · question closes in a day");
  stop.abort();
  await waiting;
});

test("two equal commands of one agent are told apart by their folders, in the list and on their cards", async () => {
  const [shop, blog] = [await asked("/srv/a/shop-1"), await asked("/srv/a/blog-1")];
  const html = (await ana.look(`/approvals/${blog}`)).html;
  expect([rowIn(html, shop), rowIn(html, blog)]).toEqual([
    "coder shop-1 git.write in a day",
    "coder blog-1 git.write in a day",
  ]);
  expect(textIn(html, /<p class="where">(.*?)<\/p>/s)).toBe("in /srv/a/blog-1");
});
