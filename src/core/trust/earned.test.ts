import { expect, test } from "vitest";
import type { Effect, EffectClass, Target } from "../effect.ts";
import { chain, EMPTY_HEAD, type EntryDraft, headAfter, withText } from "../ledger.ts";
import { inEnglish, textOf } from "../messages/text.ts";
import type { JsonObject } from "../values/json.ts";
import { suggestionsOf, WINDOW_MS } from "./earned.ts";
import { foldTrials, startTrials } from "./trial.ts";

type Kind = EntryDraft["kind"];
/** One call: its effect, and what the ledger then says about it. */
type Did = {
  class?: EffectClass;
  path?: string;
  targets?: readonly Target[];
  agent?: string;
  reversible?: boolean;
  understood?: Effect["understood"];
  human?: boolean;
  after: readonly (Kind | { kind: Kind; body: JsonObject })[];
};

const NOW = 100 * WINDOW_MS;
const APPROVED = ["approval.approved"] as const;

function suggested(did: readonly Did[], atMs = NOW - 1000) {
  const fold = startTrials();
  let head = EMPTY_HEAD;
  const tell = (draft: Pick<EntryDraft, "kind" | "subject" | "body">) => {
    const said = withText({ actor: "leeway", salt: "00".repeat(16), ...draft });
    const entry = chain(head, said, { workspace: "default", nowMs: atMs });
    head = headAfter(entry);
    foldTrials(fold, entry);
  };
  for (const [i, one] of did.entries()) {
    const of = one.class ?? "fs.write";
    const subject = { agent: one.agent ?? "coder", class: of, tool: "write_file", call: `call_${i}` };
    tell({ kind: "call.decided", subject, body: { effect: effectOf(one, of), requiresHuman: one.human ?? false } });
    for (const told of one.after)
      tell(typeof told === "string" ? { kind: told, subject, body: {} } : { ...told, subject });
  }
  return suggestionsOf([...fold.trials.values()], { project: "/project", nowMs: NOW });
}

function effectOf(one: Did, of: EffectClass): JsonObject {
  const path: Target = { kind: "path", path: one.path ?? "/project/src/a.ts", level: "write", recursive: false };
  const part = { class: of, capability: "x", level: "write", targets: one.targets ?? [path], reach: "project" };
  const effect = {
    parts: [{ ...part, reversible: one.reversible ?? true }],
    understood: one.understood ?? "fully",
    notes: [],
  };
  return effect as unknown as JsonObject;
}

const times = (count: number, did: Did): Did[] => Array.from({ length: count }, () => did);
const texts = (did: readonly Did[]) => suggested(did).map((one) => textOf(one.text, "en"));

test("a long record of approvals gives one sentence, with the grant that it suggests", () => {
  expect(inEnglish(suggested(times(142, { after: APPROVED })))).toEqual([
    {
      agent: "coder",
      class: "fs.write",
      covers: {
        class: "fs.write",
        targets: [{ kind: "path", path: "/project/src", recursive: true }],
        level: "write",
      },
      good: 142,
      of: 142,
      lowerBound: expect.closeTo(0.9737, 4),
      text: "people approved 142 of 142 `fs.write` calls of coder in `src/**` in 30 days (lower bound 97 %): grant them?",
    },
  ]);
});

test("35 approvals of 35 are enough, and 34 of 34 are not", () => {
  expect(texts(times(35, { after: APPROVED }))).toHaveLength(1);
  expect(texts(times(34, { after: APPROVED }))).toEqual([]);
});

test("10,000 approvals in one class never make a suggestion in another or in an irreversible class easier", () => {
  const easy = times(10_000, { after: APPROVED });
  const other = times(34, { class: "git.write", path: "/project/src/b.ts", after: APPROVED });
  const grave = (
    ["fs.delete", "payments.move", "secrets.read", "permissions.change", "deploy.write", "unknown"] as const
  ).flatMap((of) => times(50, { class: of, after: APPROVED }));
  const irreversible = times(50, { class: "git.write", reversible: false, after: APPROVED });
  expect(suggested([...easy, ...other, ...grave, ...irreversible]).map((one) => one.class)).toEqual(["fs.write"]);
});

test("approvals in one folder do not count for the folder beside it", () => {
  const did = [
    ...times(100, { path: "/project/docs/a.md", after: APPROVED }),
    { path: "/project/infra/x.tf", after: APPROVED },
  ];
  expect(suggested(did).map((one) => one.covers.targets)).toEqual([
    [{ kind: "path", path: "/project/docs", recursive: true }],
  ]);
});

test("several folders that have enough approvals only together are suggested as their parent folder", () => {
  const did = [..."abcdefgh"].flatMap((name) => times(5, { path: `/project/src/${name}/x.ts`, after: APPROVED }));
  expect(texts(did)).toEqual([
    "people approved 40 of 40 `fs.write` calls of coder in `src/**` in 30 days (lower bound 91 %): grant them?",
  ]);
});

test("the whole project, and folders outside it, are never suggested", () => {
  expect(texts(times(200, { path: "/project/a.ts", after: APPROVED }))).toEqual([]);
  expect(texts(times(200, { path: "/etc/app/a.conf", after: APPROVED }))).toEqual([]);
  expect(texts(times(200, { path: "/project-backup/src/a.ts", after: APPROVED }))).toEqual([]);
});

test("results that the agent reports itself do not count; results that a runner reports do", () => {
  const settled = (settledBy: string): Did => ({ after: [{ kind: "execution.succeeded", body: { settledBy } }] });
  expect(texts(times(500, settled("caller")))).toEqual([]);
  expect(texts(times(500, settled("runner")))).toHaveLength(1);
});

test("a denial and a failure count against a suggestion", () => {
  const good = times(100, { after: APPROVED });
  expect(suggested([...good, { after: ["approval.denied"] }])[0]).toMatchObject({ good: 100, of: 101 });
  expect(suggested([...good, { after: ["approval.approved", "execution.failed"] }])[0]).toMatchObject({
    good: 100,
    of: 101,
  });
  expect(texts([...good, ...times(10, { after: ["approval.denied"] })])).toEqual([]);
});

test("one unknown outcome, or one failure that cannot be undone, starts the count again", () => {
  const good = times(1000, { after: APPROVED });
  expect(texts([...good, { after: ["approval.approved", "execution.unknown"] }])).toEqual([]);
  expect(texts([...good, { reversible: false, after: ["approval.approved", "execution.failed"] }])).toEqual([]);
  expect(texts([...good, { class: "git.write", after: ["approval.approved", "execution.unknown"] }])).toHaveLength(1);
});

test("partly understood calls, commands and calls that need a human are never suggested", () => {
  const command: Target = { kind: "command", words: ["make"], env: [], level: "execute" };
  expect(texts(times(200, { understood: "partly", after: APPROVED }))).toEqual([]);
  expect(texts(times(200, { class: "process.exec", targets: [command], after: APPROVED }))).toEqual([]);
  expect(texts(times(200, { human: true, after: APPROVED }))).toEqual([]);
});

test("domains and tools are suggested exactly as they were approved", () => {
  const domain: Target = { kind: "domain", domain: "api.github.com", level: "write" };
  expect(texts(times(50, { class: "network.write", targets: [domain], after: APPROVED }))[0]).toContain(
    "50 of 50 `network.write` calls of coder at `api.github.com`",
  );
  expect(texts(times(50, { class: "db.write", targets: [], after: APPROVED }))[0]).toContain(
    "with the tool `write_file`",
  );
});

test("calls older than 30 days do not count", () => {
  expect(suggested(times(500, { after: APPROVED }), NOW - WINDOW_MS)).toEqual([]);
});

test("each agent has a record of its own", () => {
  const did = [...times(40, { after: APPROVED }), ...times(30, { agent: "builder", after: APPROVED })];
  expect(suggested(did).map((one) => one.agent)).toEqual(["coder"]);
});
