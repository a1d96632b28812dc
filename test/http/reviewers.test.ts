import { afterAll, beforeAll, expect, test } from "vitest";
import { inboxReader } from "../../src/service/views/inbox.ts";
import { statusOf } from "../../src/service/views/status.ts";
import { type Browser, browserOf } from "./forms.ts";
import { POLICY, type Served, served } from "./served.ts";

// A reviewer answers what names no reviewers. Everybody's list, badge, counts and notices have what they can answer themselves.

const NAMED = `${POLICY}rules:
  - { name: money, match: { tool: refund }, tier: ask, because: money, reviewers: [ana], firm: true }
`;

let on: Served;
let [ana, ben, cleo]: Browser[] = [];
let ids: Record<"push" | "refund", string>;

async function asked(tool: string, args: object): Promise<string> {
  const token = await on.token({ agent: "coder" });
  return (await on.ask("POST", "/v1/calls", { token, body: { tool, args, cwd: on.project } })).body.approvalId;
}

beforeAll(async () => {
  on = await served({ policy: NAMED });
  [ana, ben, cleo] = [await browserOf(on, "ana"), await browserOf(on, "ben"), await browserOf(on, "cleo")];
  ids = { push: await asked("shell", { command: "git push origin a" }), refund: await asked("refund", { amount: 1 }) };
});
afterAll(() => on.remove());

/** What a person is shown: the list, the badge, the count of a page that stays open, the API, the terminal, the notices. */
async function seenBy(name: string, browser: Browser | undefined) {
  const html = (await browser?.look("/"))?.html ?? "";
  const [cookie] = [browser?.cookie ?? ""];
  const { body: mine } = await on.ask("GET", "/v1/approvals?status=pending&mine=true", { cookie });
  const { body: notices } = await on.ask("GET", "/v1/notices", { cookie });
  const names = (all: readonly string[]) =>
    all.map((id) => Object.entries(ids).find(([, one]) => one === id)?.[0]).toSorted();
  return {
    list: names([...html.matchAll(/<li data-id="(apr_\w+)"/g)].map(([, id = ""]) => id)),
    badge: Number(/id="count">(\d*)</.exec(html)?.[1]),
    count: (await on.ask("GET", "/waiting/count", { cookie })).body.pending,
    others: /href="\/\?others=1">[^<]*<small>(\d+)/.exec(html)?.[1],
    mine: names(mine.approvals.map(({ id }: { id: string }) => id)),
    terminal: names((await inboxReader(on.deps, name)()).questions.map(({ id }) => id)),
    told: names(
      notices.notices.filter(({ kind }: { kind: string }) => kind === "pending").map(({ ref }: { ref: string }) => ref),
    ),
  };
}

test("everybody sees, counts and hears of what they can answer, and finds the rest behind a link", async () => {
  const all = ["push", "refund"];
  expect(await seenBy("ana", ana)).toEqual({
    list: all,
    badge: 2,
    count: 2,
    others: undefined,
    mine: all,
    terminal: all,
    told: all,
  });
  expect(await seenBy("ben", ben)).toEqual({
    list: ["push"],
    badge: 1,
    count: 1,
    others: "1",
    mine: ["push"],
    terminal: ["push"],
    told: ["push"],
  });
  // An auditor reads everything and answers nothing.
  expect(await seenBy("cleo", cleo)).toEqual({
    list: all,
    badge: 2,
    count: 2,
    others: undefined,
    mine: [],
    terminal: all,
    told: [],
  });
  const others = (await ben?.look("/?others=1"))?.html ?? "";
  expect([others.includes(`data-id="${ids.refund}"`), others.includes(`data-id="${ids.push}"`)]).toEqual([true, false]);
  const closed = (await ben?.look(`/approvals/${ids.refund}`))?.html ?? "";
  expect([closed.includes('id="answer"'), closed.includes("It is for ana")]).toEqual([false, true]);
});

test("counts follow every change at once: new questions, answers, and another role", async () => {
  const count = async () => (await on.ask("GET", "/waiting/count", { cookie: ben?.cookie ?? "" })).body.pending;
  expect(await count()).toBe(1);
  const second = await asked("shell", { command: "git push origin b" });
  await asked("refund", { amount: 2 });
  expect(await count()).toBe(2);
  const { digest } = (await on.ask("GET", `/v1/approvals/${second}`, { cookie: ben?.cookie ?? "" })).body;
  expect((await ben?.answer(second, { verdict: "approve", digest }))?.location).toContain("told=answered");
  expect(await count()).toBe(1);
  await ana?.press("/people/ben/change", { role: "admin", groups: "" });
  expect(await count()).toBe(1);
  await ana?.press("/people/ben/change", { role: "auditor", groups: "" });
  // What he approved as a reviewer, and has not run yet, is asked again.
  expect(await count()).toBe(4);
  await ana?.press("/people/ben/change", { role: "reviewer", groups: "" });
  expect(await count()).toBe(2);
  expect((await statusOf(on.deps, "ben")).pending).toBe(2);
});
