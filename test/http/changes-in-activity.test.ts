import { afterAll, beforeAll, expect, test } from "vitest";
import { applyCall } from "../../src/core/steps/applying.ts";
import { callAt } from "../../src/gate/calls/call-at.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import { browserOf } from "./forms.ts";
import { type Served, served } from "./served.ts";

// A command and the call that applies what it changed are two calls in the record, and one for people.

let on: Served;
beforeAll(async () => {
  on = await served();
});
afterAll(() => on.remove());

/** A command, and the call of the gate that applies what it changed in a copy. */
async function changed(command: string, file: string): Promise<{ command: string; applying: string }> {
  const token = await on.token({ agent: "coder" });
  const body = { tool: "shell", args: { command }, cwd: on.project };
  const row = await callAt(on.deps, (await on.ask("POST", "/v1/calls", { token, body })).body.id);
  if (row === undefined) throw new Error("the call was not recorded");
  const now = { kind: "file", mode: 0o644, bytes: 2, hash: "sha256:0" } as const;
  const changes = [{ path: `${on.project}/${file}`, was: null, now }];
  const risk = { uncommitted: [], changesHistory: false, taken: [], installs: [], brought: [], byWords: true };
  const call = applyCall(row, { name: "r1", project: on.project, changes }, risk);
  const door = { waits: true, hands: false, delegates: false, edits: false, boxes: { rehearses: false } };
  const { id } = await submit(on.deps, call, { scopes: [], runBy: "leeway", door });
  return { command: row.id, applying: id };
}

const rowsIn = (html: string) => html.match(/<li class="call">/g)?.length ?? 0;

test("the activity page shows a command and its changes as one row, with the history of both", async () => {
  const made = await changed("ls src", "notes.md");
  const browser = await browserOf(on, "ana");
  const { html } = await browser.look("/activity");
  expect(rowsIn(html)).toBe(1);
  expect(html).toContain("<code>ls src</code>");
  // The row leads to the changes too, and the record has both calls.
  expect([html.includes(`/calls/${made.command}`), html.includes(`/calls/${made.applying}`)]).toEqual([true, true]);
  const apart = await browser.look(`/activity?id=${made.applying}`);
  expect([rowsIn(apart.html), apart.html.includes("<code>ls src</code>")]).toEqual([1, false]);
});

test("changes that a person is asked about stay in the row of their command, which says that they wait", async () => {
  const made = await changed("ls test", ".github/workflows/ci.yml");
  const approval = (await callAt(on.deps, made.applying))?.approvalId;
  const { html } = await (await browserOf(on, "ana")).look("/activity");
  const row = html.split('<li class="call">').find((one) => one.includes("<code>ls test</code>")) ?? "";
  expect(row).toContain(`/approvals/${approval}`);
  expect(row.split("</summary>")[0]).toContain("<small>its changes: waiting for an answer</small>");
});

test("a server leaves what a command changed to the process of the command, unless that has not applied it after half a minute", async () => {
  const { executionId } = (await callAt(on.deps, (await changed("ls docs", "left.md")).applying)) ?? {};
  const { store, workspace, clock } = on.deps;
  const takenAfter = async (ms: number) => {
    const of = { workspace, max: 50, leaseMs: 1, owner: "a server", nowMs: clock.nowMs() + ms };
    return (await store.take("executions", of)).map(({ row }) => "id" in row && row.id);
  };
  expect(await takenAfter(20_000)).not.toContain(executionId);
  expect(await takenAfter(31_000)).toContain(executionId);
});
