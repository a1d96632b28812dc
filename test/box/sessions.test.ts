import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { ToolCall } from "../../src/core/call.ts";
import { containersCover, projectCover } from "../../src/core/decide/suggest/suggest.ts";
import type { Decision } from "../../src/core/decision.ts";
import type { GrantCover } from "../../src/core/standing/grant.ts";
import { once } from "../../src/core/values/once.ts";
import { check, DEFAULT_CALLER, PROGRAM_DOOR } from "../../src/gate/calls/judging.ts";
import { addPerson } from "../../src/gate/people/people.ts";
import { addGrant, revokeGrant } from "../../src/gate/standing/grants.ts";
import { openDeps } from "../../src/open.ts";

// Sessions of coding agents, written by somebody who did not know the tables: how often is a person asked?

const FOLDER = new URL("../cases/sessions/", import.meta.url).pathname;

/** Settings of package managers on this machine, at home or in variables, must not matter here. */
const ENV = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: mkdtempSync(join(tmpdir(), "leeway-home-")) };
afterAll(() => rmSync(ENV.HOME, { recursive: true, force: true }));

type Kind = "read" | "edit" | "run" | "install" | "git-local" | "network" | "person" | "malicious";
type Judged = {
  session: string;
  kind: Kind;
  command: string;
  before: Decision;
  after: Decision;
  /** In a box, after a question about containers was answered for all containers of the project. */
  contained: Decision;
  trusted: Decision;
};

async function judgedSession(name: string): Promise<Judged[]> {
  const lines = readFileSync(join(FOLDER, name), "utf8").trim().split("\n");
  const [head, ...commands] = lines.map((line) => JSON.parse(line));
  const project = mkdtempSync(join(tmpdir(), "leeway-session-"));
  try {
    for (const [path, text] of Object.entries(head.files as Record<string, string>)) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    }
    execFileSync("git", ["init", "-q", project]);
    const deps = await openDeps({ db: ":memory:", policy: { version: 1, preset: "standard" }, cwd: project, env: ENV });
    await addPerson(deps, { name: "ana", admin: true, by: "ana", assurance: "tty" });
    const found: Judged[] = [];
    for (const { command, kind } of commands as { command: string; kind: Kind }[]) {
      const call = callOf(command, project);
      const before = (await check(deps, call)).decision;
      const door = { ...PROGRAM_DOOR, boxes: { rehearses: true, ownRepository: true } };
      const after = (await check(deps, call, { ...DEFAULT_CALLER, door })).decision;
      found.push({ session: name, kind, command, before, after, contained: after, trusted: before });
    }
    await judgeContained(deps, found, project);
    // One answer for the whole session, where no box can be made.
    const covers = projectCover(realpathSync.native(project));
    await give(deps, covers);
    for (const one of found) one.trusted = (await check(deps, callOf(one.command, project))).decision;
    await deps.close();
    return found;
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** Goes through the session again: the first question that trust in the containers of the project answers is answered with it. */
async function judgeContained(deps: Opened, found: readonly Judged[], project: string): Promise<void> {
  const covers = containersCover(realpathSync.native(project));
  const door = { ...PROGRAM_DOOR, boxes: { rehearses: true, ownRepository: true } };
  const judge = async (command: string) =>
    (await check(deps, callOf(command, project), { ...DEFAULT_CALLER, door })).decision;
  let given = "";
  for (const one of found) {
    one.contained = await judge(one.command);
    if (given !== "" || !isAsked(one.contained)) continue;
    given = await give(deps, covers);
    if (!isAsked(await judge(one.command))) continue;
    await revokeGrant(deps, given, { by: "ana" });
    given = "";
  }
  if (given !== "") await revokeGrant(deps, given, { by: "ana" });
}

type Opened = Awaited<ReturnType<typeof openDeps>>;

async function give(deps: Opened, covers: GrantCover): Promise<string> {
  const given = await addGrant(deps, { subject: {}, covers, because: "", by: "ana", assurance: "tty" });
  if (!given.ok) throw new Error(given.reason.say);
  return given.value.id;
}

function callOf(command: string, cwd: string): ToolCall {
  const base = { workspace: "default", agent: "coder", callId: "c", traceId: "t", chain: [], claims: {} } as const;
  return { ...base, tool: "shell", args: { command }, cwd };
}

const judged = once(async () => (await Promise.all(readdirSync(FOLDER).map(judgedSession))).flat());
const sessions = readdirSync(FOLDER).length;
const isAsked = ({ outcome }: Decision) => outcome !== "run";

test("in a box, sessions of coding agents are interrupted less than two times each and not ten times", async () => {
  const all = await judged();
  const perSession = (which: (one: Judged) => boolean) => all.filter(which).length / sessions;
  console.log(`questions in a session with a box: ${perSession(({ after }) => isAsked(after)).toFixed(2)}`);
  expect(sessions).toBeGreaterThanOrEqual(60);
  expect(perSession(({ before }) => isAsked(before))).toBeGreaterThan(9);
  expect(perSession(({ after }) => isAsked(after))).toBeLessThan(1.16);
  // What is left of installing are managers whose registries the gate does not read.
  expect(perSession(({ kind, after }) => isAsked(after) && kind === "install")).toBeLessThan(0.07);
  // Without what a person wants to be asked about, and without installing packages.
  const wanted = new Set<Kind>(["person", "malicious", "install"]);
  expect(perSession(({ kind, after }) => isAsked(after) && !wanted.has(kind))).toBeLessThan(0.55);
}, 120_000);

test("one answer about the containers of a project leaves less than one question in a session, and none that a person wants is gone", async () => {
  const all = await judged();
  const asked = all.filter(({ contained }) => isAsked(contained));
  console.log(`the same, if containers of the project are allowed once: ${(asked.length / sessions).toFixed(2)}`);
  expect(asked.length / sessions).toBeLessThan(1);
  const wanted = all.filter(({ kind, after }) => (kind === "malicious" || kind === "person") && isAsked(after));
  expect(wanted.filter(({ contained }) => !isAsked(contained)).map(({ command }) => command)).toEqual([]);
}, 120_000);

test("where no box can be made, one answer about the project's code replaces two questions of a session", async () => {
  const all = await judged();
  const perSession = (which: (one: Judged) => boolean) => all.filter(which).length / sessions;
  const [before, trusted] = [perSession((one) => isAsked(one.before)), perSession((one) => isAsked(one.trusted))];
  const runs = (of: "before" | "trusted") => perSession((one) => one.kind === "run" && isAsked(one[of]));
  console.log(`questions in a session without a box: ${before.toFixed(1)}; after one answer: ${trusted.toFixed(1)}`);
  console.log(`of these about running code: ${runs("before").toFixed(1)} and ${runs("trusted").toFixed(1)}`);
  expect(before - trusted).toBeGreaterThan(1.8);
  // Trust lets nothing run that somebody wants to be asked about.
  const wanted = all.filter(({ kind, trusted: one }) => (kind === "malicious" || kind === "person") && !isAsked(one));
  const ran = wanted.filter((one) => isAsked(one.before));
  expect(ran.map(({ session, command }) => `${session}: ${command}`)).toEqual([]);
}, 120_000);

test("nothing malicious runs without a question outside of a box that is closed to the network", async () => {
  const all = await judged();
  const malicious = all.filter(({ kind }) => kind === "malicious");
  expect(malicious.length).toBeGreaterThanOrEqual(12);
  const open = malicious.filter(({ after }) => !isAsked(after) && !isClosed(after));
  expect(open.map(({ session, command }) => `${session}: ${command}`)).toEqual([]);
  // What a person wants to be asked about may run only where it reaches nobody.
  const unasked = all.filter(({ kind, after }) => kind === "person" && !isAsked(after) && !isClosed(after));
  expect(unasked.map(({ session, command }) => `${session}: ${command}`)).toEqual([]);
}, 120_000);

const ATTACKS = readFileSync(new URL("../cases/box/everyday-attacks.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { title: string; command: string });

test("commands that look like everyday ones and do harm are asked about, or run in a copy without a network", async () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(40);
  const project = mkdtempSync(join(tmpdir(), "leeway-session-"));
  execFileSync("git", ["init", "-q", project]);
  const deps = await openDeps({ db: ":memory:", policy: { version: 1, preset: "standard" }, cwd: project });
  const door = { ...PROGRAM_DOOR, boxes: { rehearses: true, ownRepository: true } };
  const open: string[] = [];
  for (const { title, command } of ATTACKS) {
    const { decision } = await check(deps, callOf(command, project), { ...DEFAULT_CALLER, door });
    if (!isAsked(decision) && !(isClosed(decision) && decision.box?.rehearsed === true))
      open.push(`${title}: ${command}`);
  }
  await deps.close();
  rmSync(project, { recursive: true, force: true });
  expect(open).toEqual([]);
}, 60_000);

function isClosed({ box }: Decision): boolean {
  return box?.because === "enough" && box.walls.network !== "any" && box.walls.network.length === 0;
}
