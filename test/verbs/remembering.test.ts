import { expect, test } from "vitest";
import { inEnglish, textOf } from "../../src/core/messages/text.ts";
import { review } from "../../src/gate/approvals/review.ts";
import { suggestGrants } from "../../src/gate/standing/grants.ts";
import { type Office, office } from "./kit.ts";

const ASKING = "version: 1\ntier: ask\napprovals: { assurance: any }\n";

function shell(at: Office, command: string, cwd = "/project") {
  return at.submit("Bash", { command }, { cwd });
}

/** Asks, takes the offer with this text, and approves with it. */
async function remembered(at: Office, command: string, literally: string): Promise<void> {
  const { approvalId = "", digest, outcome } = await shell(at, command);
  expect(outcome).toBe("pending");
  const offers = await suggestGrants(at.deps, approvalId);
  if (!offers.ok) throw new Error(offers.reason.say);
  const offer = offers.value.offers.find(({ label }) => label.startsWith(literally));
  if (offer === undefined) throw new Error(offers.value.offers.map(({ label }) => label).join("\n"));
  const answer = { by: "ana", verdict: "approve", digest, note: "", assurance: "tty", bulk: false } as const;
  expect(await review(at.deps, approvalId, { ...answer, remember: { covers: offer.covers } })).toMatchObject({
    ok: true,
  });
}

test("a remembered subcommand lets the same subcommand run in the same folder, and nothing else", async () => {
  const at = await office(ASKING);
  await remembered(at, "git commit -m one", "`git commit`, any arguments, in this folder");
  const passed = await shell(at, "git commit -m two");
  expect([passed.outcome, passed.decision.tier]).toEqual(["run", "auto"]);
  const others = [
    "git commit -m two && rm x",
    "git commit -m two; git push",
    "git commit -m two > log.txt",
    "git commit -m $(cat .env)",
    "git push",
    "git -C /srv commit -m two",
    "GIT_DIR=/srv git commit -m two",
    "cd /srv && git commit -m two",
    "git -c core.hooksPath=/tmp/x commit -m two",
    "env git commit -m two",
    "./git commit -m two",
  ];
  const ran: string[] = [];
  for (const command of others) if ((await shell(at, command)).outcome !== "pending") ran.push(command);
  if ((await shell(at, "git commit -m two", "/srv")).outcome !== "pending") ran.push("in another folder");
  expect(ran).toEqual([]);
});

test("a remembered package script covers that script with any arguments passed to it", async () => {
  const at = await office(ASKING);
  await remembered(at, "npm run build", "`npm run build`, any arguments after `--`");
  const outcomes = [];
  for (const command of ["npm run build", "npm run build -- --fast", "npm run deploy", "npm run build --prefix /srv"])
    outcomes.push([command, (await shell(at, command)).outcome]);
  expect(outcomes).toEqual([
    ["npm run build", "run"],
    ["npm run build -- --fast", "run"],
    ["npm run deploy", "pending"],
    ["npm run build --prefix /srv", "pending"],
  ]);
});

test("a command whose last word is a star is not remembered, because the star would mean any arguments", async () => {
  const at = await office(ASKING);
  const { approvalId = "" } = await shell(at, "npm test '*'");
  expect(await suggestGrants(at.deps, approvalId)).toMatchObject({
    ok: true,
    value: { offers: [], none: { is: "last-star" } },
  });
});

test("offered grants say how many of the agent's last calls they would have covered", async () => {
  const at = await office(ASKING);
  for (const command of ["git commit -m one", "git commit -m two", "git tag v1", "npm test"]) await shell(at, command);
  const { approvalId = "" } = await shell(at, "git commit -m three");
  const offers = await suggestGrants(at.deps, approvalId);
  expect(offers.ok && offers.value.offers.map(({ coveredBefore, outOf }) => [coveredBefore, outOf])).toEqual([
    [1, 5],
    [3, 5],
  ]);
});

test("the owner of an agent may not remember for a sub-agent with the same name, and no grant covers calls of a sub-agent", async () => {
  const at = await office(`${ASKING}
tools: { note: { class: metadata.write } }
agents: { coder: { owner: ben }, helper: { owner: dan } }
rules: [{ name: named, match: { tool: note }, tier: ask, reviewers: [ben, dan], because: they know it }]
`);
  const { approvalId = "", digest } = await at.submit("note", {}, { agent: "helper", chain: ["coder"] });
  const answer = { verdict: "approve", digest, note: "", assurance: "tty", bulk: false } as const;
  const covers = { tool: { name: "note" }, targets: [], level: "admin" } as const;
  const said = async (by: string) => {
    const done = await review(at.deps, approvalId, { ...answer, by, remember: { covers } });
    return done.ok ? done.value.state : textOf(done.reason, "en");
  };
  expect(await said("dan")).toBe("dan may remember only what the question offers");
  // A grant is for one agent: nobody can remember calls of a sub-agent.
  expect(await said("ben")).toBe("the grant would not cover this call");
});

test("an offered grant lists the agent's other waiting calls that it covers, and one answer approves those that the person selects", async () => {
  const at = await office(ASKING);
  const asked = await shell(at, "git commit -m one");
  const covered = await shell(at, "git commit -m two");
  const other = await shell(at, "git push");
  const offers = await suggestGrants(at.deps, asked.approvalId ?? "");
  if (!offers.ok) throw new Error(offers.reason.say);
  const [exact, any] = offers.value.offers;
  expect([exact?.waiting, any?.waiting]).toEqual([[], [{ id: covered.approvalId, digest: covered.digest }]]);
  const answer = {
    by: "ana",
    verdict: "approve",
    digest: asked.digest,
    note: "",
    assurance: "tty",
    bulk: false,
  } as const;
  const remember = { ...(any && { covers: any.covers, also: any.waiting }) };
  expect(await review(at.deps, asked.approvalId ?? "", { ...answer, remember })).toMatchObject({ ok: true });
  const states = [];
  for (const { approvalId = "" } of [asked, covered, other]) {
    const { workspace, store } = at.deps;
    states.push((await store.read({ ask: "row", workspace, table: "approvals", id: approvalId }))?.row.state);
  }
  expect(states).toEqual(["approved", "approved", "pending"]);
});

test("if a call cannot be remembered, the reason is given", async () => {
  const at = await office(`${ASKING}human: { classes: [secrets.read] }\n`);
  const why = async (command: string) => {
    const { approvalId = "" } = await shell(at, command);
    const offers = await suggestGrants(at.deps, approvalId);
    return offers.ok ? offers.value.none : offers.reason;
  };
  expect([await why("env ls"), await why("cat .env"), await why("git commit -m $X"), await why("git commit")]).toEqual([
    { is: "launcher", program: "env" },
    { is: "needs-human" },
    { is: "not-understood" },
    undefined,
  ]);
  const { approvalId = "", digest } = await shell(at, "npx vitest run");
  const answer = { by: "ana", verdict: "approve", digest, note: "", assurance: "tty", bulk: false } as const;
  expect(inEnglish(await review(at.deps, approvalId, { ...answer, remember: {} }))).toMatchObject({
    ok: false,
    code: "LEEWAY_BAD_INPUT",
    reason: "this call cannot be remembered: `npx` can start any other program, so remembering it would allow anything",
  });
});

test("no grant is offered if it would not change the decision: under a firm rule, and for proposals", async () => {
  const firm = `rules:\n  - { name: commits, match: { command: "git commit *" }, tier: ask, because: we look, firm: true }\n`;
  const at = await office(`${ASKING}tiers: { network.write: suggest }\n${firm}`);
  const why = async (command: string) => {
    const { approvalId = "" } = await shell(at, command);
    const offers = await suggestGrants(at.deps, approvalId);
    return offers.ok ? (offers.value.none?.is ?? offers.value.offers.length) : offers.reason;
  };
  expect([
    await why("git commit -m x"),
    await why("curl -X POST https://a.example/x -d 1"),
    await why("git stash"),
  ]).toEqual(["no-lift", "no-lift", 2]);
});

const STANDARD = "version: 1\npreset: standard\napprovals: { assurance: any }\n";

test("parts that run without a question are left out of an offered grant, such as programs that shorten the output of a test", async () => {
  const at = await office(STANDARD);
  const { approvalId = "" } = await shell(at, "npm test 2>&1 | tail -20");
  await shell(at, "cd /project && npm test; echo done");
  await shell(at, "npm run deploy | tail -20");
  const offers = await suggestGrants(at.deps, approvalId);
  if (!offers.ok) throw new Error(offers.reason.say);
  expect(
    offers.value.offers.map(({ label, coveredBefore, outOf, waiting }) => [
      label,
      coveredBefore,
      outOf,
      waiting.length,
    ]),
  ).toEqual([
    ["exactly `npm test`, in this folder (process.exec)", 2, 3, 1],
    ["`npm test`, any arguments after `--`, in this folder (process.exec)", 2, 3, 1],
  ]);
});

test("a remembered command may write its output to a file of the project, and then runs under notify", async () => {
  const at = await office(STANDARD);
  await remembered(at, "npm test", "`npm test`, any arguments after `--`, in this folder");
  const tiers = [];
  for (const command of [
    "npm test | grep -v ok",
    "npm test > out.log 2>&1",
    "npm test | tee out.log",
    "npm test > /srv/x",
  ])
    tiers.push([command, (await shell(at, command)).decision.tier]);
  expect(tiers).toEqual([
    ["npm test | grep -v ok", "auto"],
    ["npm test > out.log 2>&1", "notify"],
    ["npm test | tee out.log", "notify"],
    ["npm test > /srv/x", "ask"],
  ]);
});

test("a remembered test runner covers other tests and common options, but no other program, plugin, settings or folder", async () => {
  const at = await office(ASKING);
  await remembered(at, "pytest -q", "`pytest`, any tests and common options, in this folder");
  await remembered(at, "go test ./...", "`go test`, any tests and common options, in this folder");
  const runs = [
    "pytest",
    "pytest tests/test_a.py::test_b -x -k 'a and b'",
    "pytest --maxfail=1",
    "go test -run TestA ./a",
  ];
  const asks = [
    "pytest -p evil",
    "pytest -pevil",
    "pytest -c x.ini",
    "pytest -cx.ini",
    "pytest --rootdir=/srv",
    "pytest --rootdir /srv",
    "pytest /srv/tests",
    "pytest ../other",
    "pytest tests/../../other",
    "pytest ~/x",
    "pytest @args",
    "pytest -o addopts=-pevil",
    "pytest -k x -p evil",
    "PYTEST_ADDOPTS=-pevil pytest",
    "go test -exec ./evil ./...",
    "go test --exec=./evil ./...",
    "go test -toolexec ./evil",
    "go test -C /srv",
    "go test -o /srv/x",
    "go run ./cmd",
  ];
  const outcomes = new Map<string, string>();
  for (const command of [...runs, ...asks]) outcomes.set(command, (await shell(at, command)).outcome);
  expect(outcomes).toEqual(
    new Map([...runs.map((one) => [one, "run"] as const), ...asks.map((one) => [one, "pending"] as const)]),
  );
});
