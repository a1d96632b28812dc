import type { Approval } from "../../src/core/approval.ts";
import { digestOf, type ToolCall } from "../../src/core/call.ts";
import type { Execution } from "../../src/core/execution.ts";
import type { Notice } from "../../src/core/notice.ts";
import type { Receipt } from "../../src/core/receipt.ts";
import type { CallRow, Rows, Table } from "../../src/core/rows/rows.ts";
import type { GivenReview } from "../../src/core/steps/reviewing.ts";
import type { JsonObject } from "../../src/core/values/json.ts";
import { review } from "../../src/gate/approvals/review.ts";
import { type CallerOptions, DEFAULT_CALLER, type Door, PROGRAM_DOOR } from "../../src/gate/calls/judging.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { addPerson } from "../../src/gate/people/people.ts";
import { policyFrom, type TestClock, type TestParts, testClock, testDeps } from "../../src/testing.ts";

// A small office: ana is the admin, ben and cleo lead, dan has no role.

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Asks about refunds and deletions, lets lookups run, notifies about writes. */
export const POLICY = `
version: 1
tier: ask
tiers: { db.read: auto, store.write: notify, message.send: suggest, deploy.write: deny, agent.spawn: shadow }
tools:
  lookup: { class: db.read }
  refund: { class: db.write }
  save: { class: store.write }
  mail: { class: message.send }
  ship: { class: deploy.write }
  spawn: { class: agent.spawn }
  keep: { class: db.write, idempotent: true }
human: { tools: [wire] }
approvals: { expires: 1h, permit: 30m, assurance: any }
`;

export type Office = {
  deps: Deps;
  clock: TestClock;
  call(tool: string, args?: JsonObject, over?: Partial<ToolCall>): ToolCall;
  submit(
    tool: string,
    args?: JsonObject,
    over?: Partial<ToolCall>,
    caller?: Partial<Door> & Pick<CallerOptions, "runBy">,
  ): Promise<Receipt>;
  approve(approvalId: string | undefined, by?: string, over?: Partial<GivenReview>): ReturnType<typeof review>;
  deny(approvalId: string | undefined, by?: string, note?: string): ReturnType<typeof review>;
  approval(id: string | undefined): Promise<Approval>;
  execution(id: string | undefined): Promise<Execution>;
  callRow(id: string): Promise<CallRow>;
  notices(kind?: Notice["kind"]): Promise<readonly Notice[]>;
  rows<T extends Table>(table: T): Promise<readonly Rows[T][]>;
  kinds(): Promise<readonly string[]>;
};

export async function office(text = POLICY, over: TestParts & { people?: boolean } = {}): Promise<Office> {
  const clock = testClock();
  const { people = true, ...rest } = over;
  const deps = testDeps({ policy: policyFrom(text), clock, ...rest });
  if (people) await hire(deps);
  return officeOf(deps, clock);
}

export function officeOf(deps: Deps, clock: TestClock): Office {
  const { workspace, store } = deps;
  const call: Office["call"] = (tool, args = {}, more = {}) => ({
    workspace,
    agent: "coder",
    tool,
    args,
    callId: deps.mint.next("call"),
    traceId: "trace_1",
    chain: [],
    claims: {},
    ...more,
  });
  const row = async <T extends Table>(table: T, id: string | undefined): Promise<Rows[T]> => {
    const found = await store.read({ ask: "row", workspace, table: table as "calls", id: id ?? "none" });
    if (found === undefined) throw new Error(`there is no ${table} row ${id}`);
    return found.row as Rows[T];
  };
  const rows = async <T extends Table>(table: T): Promise<readonly Rows[T][]> => {
    const found = await store.read({
      ask: "rows",
      workspace,
      table: table as "calls",
      where: {},
      limit: 10_000,
      order: "oldest",
    });
    return found.map((one) => one.row as unknown as Rows[T]);
  };
  const answer = async (
    id: string | undefined,
    by: string,
    verdict: "approve" | "deny",
    more: Partial<GivenReview>,
  ) => {
    const { digest } = await row("approvals", id);
    return review(deps, id ?? "", { by, verdict, digest, note: "", assurance: "tty", bulk: false, ...more });
  };
  return {
    deps,
    clock,
    call,
    submit: (tool, args, more, { runBy, ...door } = {}) =>
      submit(deps, call(tool, args, more), {
        ...DEFAULT_CALLER,
        door: { ...PROGRAM_DOOR, ...door },
        ...(runBy === undefined ? {} : { runBy }),
      }),
    approve: (id, by = "ana", more = {}) => answer(id, by, "approve", more),
    deny: (id, by = "ana", note = "") => answer(id, by, "deny", { note }),
    approval: (id) => row("approvals", id),
    execution: (id) => row("executions", id),
    callRow: (id) => row("calls", id),
    notices: async (kind) => (await rows("notices")).filter((one) => kind === undefined || one.kind === kind),
    rows,
    kinds: async () => {
      const entries = await store.read({ ask: "entries", workspace, where: {}, limit: 10_000, order: "oldest" });
      return entries.map((entry) => entry.kind);
    },
  };
}

async function hire(deps: Deps): Promise<void> {
  const hired = [
    await addPerson(deps, { name: "ana", by: "ana", assurance: "tty" }),
    await addPerson(deps, { name: "ben", groups: ["leads"], by: "ana", assurance: "tty" }),
    await addPerson(deps, { name: "cleo", groups: ["leads"], by: "ana", assurance: "tty" }),
    await addPerson(deps, { name: "dan", by: "ana", assurance: "tty" }),
    await addPerson(deps, { name: "audrey", auditor: true, by: "ana", assurance: "tty" }),
  ];
  for (const one of hired) if (!one.ok) throw new Error(one.reason.say);
}

export { digestOf };
