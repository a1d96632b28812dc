// What an organisation costs: 10,000 agents and 1,000 reviewers through the real verbs on a real SQLite file. Time is
// simulated from a seed, so that hours take minutes: agents call, reviewers answer one question after the other, as in
// a queue. Printed: CPU time of a decision and of an answer, bytes of an entry, how long questions wait, and the same with
// fewer reviewers, more questions and more agents, to see what bends first.
// node bench/scale.mjs [--json]        LEEWAY_BENCH_AGENTS, LEEWAY_BENCH_MINUTES for another size
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, print } from "./store-kit.mjs";

const { openDeps } = await load("compose.js");
const { addPerson } = await load("gate/people/people.js");
const { submit } = await load("gate/calls/submit.js");
const { settle } = await load("gate/calls/claim.js");
const { review } = await load("gate/approvals/review.js");
const { headOf } = await load("gate/record/ledger.js");

const AGENTS = Number(process.env.LEEWAY_BENCH_AGENTS ?? 10_000);
const MINUTES = Number(process.env.LEEWAY_BENCH_MINUTES ?? 15);
const REVIEWERS = AGENTS / 10;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** An agent makes a call about every five minutes, all day and night; a person reads and answers in about 40 seconds. */
const CALL_EVERY_MS = 5 * MINUTE_MS;
const ANSWER_MS = 40 * SECOND_MS;
/** The store groups what waits at the same time; so many agents are answered together. */
const AT_ONCE = 32;

/** In memory where that is possible: only CPU time and bytes are measured, so nobody has to wait for the disk. */
const MEMORY = "/dev/shm";
const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "leeway-bench-scale-"));

/** Numbers from a seed (mulberry32). */
function dice(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Times between events that happen independently of each other. */
const gapMs = (random, meanMs) => -Math.log(1 - random()) * meanMs;

/** What happens next, by time: a binary heap. */
function agenda() {
  const heap = [];
  const swap = (a, b) => {
    [heap[a], heap[b]] = [heap[b], heap[a]];
  };
  return {
    add(atMs, what) {
      heap.push({ atMs, what });
      for (let i = heap.length - 1; i > 0; ) {
        const up = (i - 1) >> 1;
        if (heap[up].atMs <= heap[i].atMs) break;
        swap(i, up);
        i = up;
      }
    },
    next() {
      const first = heap[0];
      const last = heap.pop();
      if (heap.length === 0) return first;
      heap[0] = last;
      for (let i = 0; ; ) {
        let least = i;
        for (const child of [2 * i + 1, 2 * i + 2])
          if (child < heap.length && heap[child].atMs < heap[least].atMs) least = child;
        if (least === i) return first;
        swap(i, least);
        i = least;
      }
    },
    soonestMs: () => heap[0]?.atMs ?? Number.POSITIVE_INFINITY,
  };
}

/** Each team has its own agents and its own reviewers. */
const policyFor = (teams) => `version: 1
tools:
  lookup: { class: db.read }
  refund: { class: payments.move }
tiers: { db.read: auto, payments.move: ask }
rules:
${Array.from({ length: teams }, (_, i) => `  - { name: team-${i}, match: { agent: "t${i}-*", tool: refund }, tier: ask, because: money, reviewers: ["group:team-${i}"] }`).join("\n")}
approvals: { expires: 8h, selfReview: true }
`;

async function opened(name, clock, { reviewers, teams }) {
  const place = join(folder, name);
  const project = join(place, "project");
  mkdirSync(project, { recursive: true });
  const policy = join(project, "leeway.yaml");
  writeFileSync(policy, policyFor(teams));
  const env = { HOME: place, XDG_STATE_HOME: join(place, "state") };
  const deps = await openDeps({ env, cwd: project, policy, clock });
  const by = { by: "admin", assurance: "tty" };
  await addPerson(deps, { name: "admin", admin: true, ...by });
  for (let i = 0; i < reviewers; i++) await addPerson(deps, { name: `p${i}`, groups: [`team-${i % teams}`], ...by });
  return { deps, file: join(place, "state", "leeway", "leeway.db") };
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** One organisation for some simulated minutes. */
async function simulate({ name, agents, reviewers, teams, asking }) {
  const random = dice(42);
  const clock = { ms: Date.now(), nowMs: () => clock.ms, sleep: async () => {} };
  const { deps, file } = await opened(name, clock, { reviewers, teams });
  const events = agenda();
  const startMs = clock.ms;
  const endMs = startMs + MINUTES * MINUTE_MS;
  for (let i = 0; i < agents; i++) events.add(startMs + random() * CALL_EVERY_MS, { agent: i });
  const told = {
    calls: 0,
    asked: 0,
    refused: 0,
    answers: 0,
    waitsMs: [],
    cpuDeciding: 0,
    cpuAnswering: 0,
  };
  const questions = Array.from({ length: teams }, () => []);
  const idle = Array.from({ length: teams }, () => []);
  for (let i = 0; i < reviewers; i++) idle[i % teams].push(`p${i}`);
  const { index: entriesBefore } = await headOf(deps);
  const bytesBefore = sizeOf(file);

  const ask = async (agent, n) => {
    const isAsking = random() < asking;
    const call = {
      workspace: deps.workspace,
      agent: `t${agent % teams}-${agent}`,
      tool: isAsking ? "refund" : "lookup",
      args: { order: n, amount: n % 400, note: "as the customer asked" },
      callId: `c${n}`,
      session: "s1",
      traceId: deps.mint.next("trace"),
      chain: [],
      claims: {},
    };
    const receipt = await submit(deps, call);
    if (receipt.outcome === "run")
      await settle(deps, receipt.executionId, {
        attempt: receipt.attempt,
        by: "caller",
        ending: { ok: true, result: "done" },
      });
    else if (receipt.approvalId !== undefined)
      questions[agent % teams].push({ id: receipt.approvalId, digest: receipt.digest, atMs: clock.ms });
    else told.refused += 1;
    if (receipt.outcome !== "run") told.asked += 1;
  };

  const give = () => {
    for (let team = 0; team < teams; team++) {
      while (idle[team].length > 0 && questions[team].length > 0) {
        const what = { team, person: idle[team].pop(), question: questions[team].shift() };
        events.add(clock.ms + gapMs(random, ANSWER_MS), what);
      }
    }
  };

  while (events.soonestMs() < endMs) {
    const batch = [];
    while (batch.length < AT_ONCE && events.soonestMs() < endMs) batch.push(events.next());
    clock.ms = Math.max(clock.ms, Math.floor(batch[batch.length - 1].atMs));
    const callers = batch.filter(({ what }) => "agent" in what);
    const answers = batch.filter(({ what }) => "person" in what);
    let before = cpuMs();
    await Promise.all(callers.map(({ what }) => ask(what.agent, told.calls++)));
    told.cpuDeciding += cpuMs() - before;
    before = cpuMs();
    await Promise.all(
      answers.map(async ({ what: { team, person, question } }) => {
        const given = {
          by: person,
          verdict: "approve",
          digest: question.digest,
          note: "",
          assurance: "tty",
          bulk: false,
        };
        const done = await review(deps, question.id, given);
        if (!done.ok) throw new Error(`${done.code}: ${JSON.stringify(done.reason)}`);
        told.answers += 1;
        told.waitsMs.push(clock.ms - question.atMs);
        idle[team].push(person);
      }),
    );
    told.cpuAnswering += cpuMs() - before;
    for (const { what } of callers) events.add(clock.ms + gapMs(random, CALL_EVERY_MS), { agent: what.agent });
    give();
  }
  const entries = (await headOf(deps)).index - entriesBefore;
  const { rss } = process.memoryUsage();
  await deps.close();
  // What was in the write-ahead log is in the file now.
  const bytes = sizeOf(file) - bytesBefore;
  return rowOf({ name, agents, reviewers, teams, asking }, told, {
    entries,
    bytes,
    rss,
    waiting: questions.reduce((sum, { length }) => sum + length, 0),
  });
}

function sizeOf(file) {
  const size = (path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size(file) + size(`${file}-wal`);
}

function rowOf({ name, agents, reviewers, teams, asking }, told, { entries, bytes, rss, waiting }) {
  const waits = told.waitsMs.sort((a, b) => a - b);
  const quantile = (q) => (waits[Math.floor((waits.length - 1) * q)] ?? 0) / SECOND_MS;
  const cpuTotal = told.cpuDeciding + told.cpuAnswering;
  return {
    test: name,
    agents,
    reviewers,
    teams,
    asks: `${asking * 100} %`,
    calls: told.calls,
    answers: told.answers,
    decideUs: (told.cpuDeciding / told.calls) * 1_000,
    answerUs: told.answers === 0 ? 0 : (told.cpuAnswering / told.answers) * 1_000,
    bytesPerEntry: bytes / entries,
    entriesPerCall: entries / told.calls,
    waitP50S: quantile(0.5),
    waitP99S: quantile(0.99),
    waitingAtEnd: waiting,
    notAsked: told.refused,
    coreShare: cpuTotal / (MINUTES * MINUTE_MS),
    rssMb: rss / 2 ** 20,
  };
}

const CASES = [
  { name: "teams of ten reviewers", agents: AGENTS, reviewers: REVIEWERS, teams: REVIEWERS / 10, asking: 0.02 },
  { name: "five times the questions", agents: AGENTS, reviewers: REVIEWERS, teams: REVIEWERS / 10, asking: 0.1 },
  { name: "one reviewer in a team", agents: AGENTS, reviewers: REVIEWERS / 10, teams: REVIEWERS / 10, asking: 0.02 },
  { name: "a fifth of that, two teams", agents: AGENTS, reviewers: REVIEWERS / 50, teams: 2, asking: 0.02 },
  { name: "one team with everybody", agents: AGENTS, reviewers: REVIEWERS, teams: 1, asking: 0.02 },
];
const rows = [];
for (const one of CASES) {
  rows.push(await simulate(one));
  process.stderr.write(`${one.name}: ${JSON.stringify(rows.at(-1))}\n`);
}
rmSync(folder, { recursive: true, force: true });
print(rows.map((row) => ({ bench: "scale", ...row })));
