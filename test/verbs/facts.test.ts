import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { callOf } from "../../src/cli/calls.ts";
import { keyedHashing } from "../../src/config/paths/file-facts.ts";
import { pathFacts } from "../../src/config/paths/path-facts.ts";
import { FILE_BYTES_MAX, UNEXAMINED } from "../../src/core/classify/facts.ts";
import { say } from "../../src/core/messages/message.ts";
import { inEnglish } from "../../src/core/messages/text.ts";
import { sayIn } from "../../src/core/say/languages.ts";
import { factLines } from "../../src/core/show/facts.ts";
import type { JsonObject } from "../../src/core/values/json.ts";
import { edit } from "../../src/gate/approvals/edit.ts";
import { claim } from "../../src/gate/calls/claim.ts";
import { check } from "../../src/gate/calls/judging.ts";
import { tick } from "../../src/gate/time/tick.ts";
import { openDeps } from "../../src/open.ts";
import { commandRunner } from "../../src/runners/command.ts";
import { type Office, office } from "./kit.ts";

const hashed = keyedHashing(new Uint8Array(32));

const ASKS = "version: 1\ntier: ask\ntiers: { process.exec: ask }\napprovals: { assurance: any }\n";

let project: string;
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), "leeway-facts-")));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

function put(name: string, text: string): void {
  mkdirSync(join(project, name, ".."), { recursive: true });
  writeFileSync(join(project, name), text);
  chmodSync(join(project, name), 0o755);
}

const SEARCH = process.env["PATH"] ?? "/usr/bin:/bin";

function desk(search = SEARCH): Promise<Office> {
  return office(ASKS, { paths: pathFacts(project, [], { PATH: search }, hashed) });
}

async function approved(o: Office, tool: string, args: JsonObject, callId = "c1") {
  const receipt = await o.submit(tool, args, { cwd: project, callId });
  const done = await o.approve(receipt.approvalId);
  if (!done.ok || done.value.state !== "approved") throw new Error("it was not approved");
  return { receipt, executionId: done.value.executionId };
}

type Swapped = { what: string; tool?: string; args: JsonObject; before: () => void; after: () => void };

const swaps: readonly Swapped[] = [
  ...[
    ["./deploy.sh"],
    ["bash", "deploy.sh"],
    ["bash", "-eu", "-o", "pipefail", "deploy.sh", "production"],
    ["env", "A=1", "bash", "deploy.sh"],
    ["timeout", "5", "./deploy.sh"],
    ["xargs", "-n", "1", "./deploy.sh"],
  ].map((argv) => ({
    what: argv.join(" "),
    args: { argv },
    before: () => put("deploy.sh", "#!/bin/sh\necho staging\n"),
    after: () => put("deploy.sh", "#!/bin/sh\necho evil\n"),
  })),
  ...[
    ["python3", "x.py"],
    ["python3", "-u", "-W", "ignore", "x.py"],
    ["python3", "-m", "x"],
  ].map((argv) => ({
    what: argv.join(" "),
    args: { argv },
    before: () => put("x.py", "print(1)\n"),
    after: () => put("x.py", "print(2)\n"),
  })),
  ...[
    ["node", "x.js"],
    ["node", "x"],
    ["node", "--require", "./x.js", "-e", "1"],
    ["node", "--require=./x.js", "-e", "1"],
  ].map((argv) => ({
    what: argv.join(" "),
    args: { argv },
    before: () => put("x.js", "1\n"),
    after: () => put("x.js", "2\n"),
  })),
  {
    what: "make",
    args: { argv: ["make"] },
    before: () => put("Makefile", "all:\n\ttrue\n"),
    after: () => put("Makefile", "all:\n\tfalse\n"),
  },
  {
    what: "make, with a new file that make prefers to the approved one",
    args: { argv: ["make", "all"] },
    before: () => put("Makefile", "all:\n\ttrue\n"),
    after: () => put("GNUmakefile", "all:\n\tfalse\n"),
  },
  {
    what: "make -C",
    args: { argv: ["make", "-C", "sub"] },
    before: () => put("sub/Makefile", "all:\n\ttrue\n"),
    after: () => put("sub/Makefile", "all:\n\tfalse\n"),
  },
  {
    what: "npm test",
    args: { argv: ["npm", "test"] },
    before: () => put("package.json", '{"scripts":{"test":"true"}}'),
    after: () => put("package.json", '{"scripts":{"test":"false"}}'),
  },
  {
    what: "a script in a shell's text",
    tool: "shell",
    args: { command: "echo hi && bash deploy.sh" },
    before: () => put("deploy.sh", "echo staging\n"),
    after: () => put("deploy.sh", "echo evil\n"),
  },
  {
    what: "a script that was not there when it was approved",
    args: { argv: ["bash", "deploy.sh"] },
    before: () => undefined,
    after: () => put("deploy.sh", "echo evil\n"),
  },
  {
    what: "the interpreter in the first line of a script",
    args: { argv: ["./deploy.sh"] },
    before: () => {
      put("own-shell", "#!/bin/sh\n");
      put("deploy.sh", `#!${project}/own-shell\n`);
    },
    after: () => put("own-shell", "#!/bin/false\n"),
  },
  {
    what: "a file that is edited",
    tool: "Edit",
    args: { file_path: "a.ts", old_string: "one", new_string: "two" },
    before: () => put("a.ts", "one\n"),
    after: () => put("a.ts", "one; steal()\n"),
  },
  {
    what: "a new file that exists by now",
    tool: "write_file",
    args: { path: "a.ts", text: "two" },
    before: () => undefined,
    after: () => put("a.ts", "one\n"),
  },
  {
    what: "a file that is deleted",
    tool: "delete_file",
    args: { path: "a.ts" },
    before: () => put("a.ts", "one\n"),
    after: () => put("a.ts", "two\n"),
  },
];

for (const { what, tool = "exec", args, before, after } of swaps) {
  test(`a change between the approval and the start voids the approval: ${what}`, async () => {
    for (const way of ["claim", "submit"]) {
      rmSync(project, { recursive: true });
      mkdirSync(project);
      before();
      const o = await desk();
      const { executionId, receipt } = await approved(o, tool, args);
      after();
      if (way === "claim") {
        expect(inEnglish(await claim(o.deps, executionId, "caller"))).toMatchObject({
          ok: false,
          code: "LEEWAY_VOID",
          reason: expect.stringMatching(/ is not what it was when it was approved$/),
        });
      } else {
        const again = await o.submit(tool, args, { cwd: project, callId: "c1" });
        expect([again.outcome, again.approvalId === receipt.approvalId]).toEqual(["pending", false]);
      }
      expect((await o.execution(executionId)).state).toBe("void");
    }
  });
  test(`an approved call runs if nothing relevant changed: ${what}`, async () => {
    before();
    const o = await desk();
    const { executionId } = await approved(o, tool, args);
    put("beside.txt", "somebody works here");
    expect((await claim(o.deps, executionId, "caller")).ok).toBe(true);
  });
}

test("data that a program only reads may change, so a log that grows voids nothing", async () => {
  put("x.py", "print(1)\n");
  put("server.log", "one\n");
  const o = await desk();
  const script = await approved(o, "exec", { argv: ["python3", "-u", "x.py", "server.log"] });
  put("server.log", "one\ntwo\n");
  expect((await claim(o.deps, script.executionId, "caller")).ok).toBe(true);
});

test("a program put before the approved one in PATH voids the approval, and so does another PATH", async () => {
  put("bin/tool", "#!/bin/sh\n");
  put("early/other", "");
  const search = `${project}/early:${project}/bin:${SEARCH}`;
  const o = await desk(search);
  const first = await approved(o, "exec", { argv: ["tool", "a"] });
  put("early/tool", "#!/bin/sh\necho evil\n");
  expect(await claim(o.deps, first.executionId, "caller")).toMatchObject({ code: "LEEWAY_VOID" });
  rmSync(join(project, "early/tool"));
  const o2 = await desk(search);
  const second = await approved(o2, "exec", { argv: ["tool", "b"] });
  const elsewhere = { ...o2.deps, paths: pathFacts(project, [], { PATH: `${project}/bin:${SEARCH}` }, hashed) };
  expect(inEnglish(await claim(elsewhere, second.executionId, "caller"))).toMatchObject({
    code: "LEEWAY_VOID",
    reason: "PATH is not what it was when it was approved",
  });
});

test("a program of the system is identified by its path, so an upgrade voids nothing", async () => {
  const o = await desk("/usr/bin:/bin");
  const { receipt } = await approved(o, "exec", { argv: ["ls"] });
  const { facts } = (await o.callRow(receipt.id)).effect;
  expect(facts).toMatchObject([
    { of: "folder", path: project },
    { of: "found", name: "ls", path: "/usr/bin/ls", loose: false },
    { of: "installed", path: expect.stringMatching(/^\/usr\/bin\/\w+$/) },
    { of: "variable" },
  ]);
});

test("a script that is too large to read is only partly understood, the card says so, and it still may not change", async () => {
  put("big.sh", "#".repeat(FILE_BYTES_MAX + 1));
  const o = await desk();
  const { receipt, executionId } = await approved(o, "exec", { argv: ["bash", "big.sh"] });
  const { effect } = await o.callRow(receipt.id);
  expect(effect.understood).toBe("partly");
  expect(effect.notes).toContainEqual(UNEXAMINED);
  put("big.sh", "!".repeat(FILE_BYTES_MAX + 1));
  expect(await claim(o.deps, executionId, "caller")).toMatchObject({ code: "LEEWAY_VOID" });
});

test("many large files do not delay a call: beyond 32 MiB for one call, files are identified by size and time", async () => {
  const half = "x".repeat(FILE_BYTES_MAX);
  const paths = Array.from({ length: 10 }, (_, n) => `big${n}`);
  for (const path of paths) put(path, half);
  const o = await desk();
  const { receipt, executionId } = await approved(o, "delete_files", { paths });
  const facts = (await o.callRow(receipt.id)).effect.facts ?? [];
  expect(facts.map(({ of }) => of)).toEqual(["folder", ...Array(8).fill("file"), "large", "large"]);
  put("big9", half.replace("x", "y"));
  expect(await claim(o.deps, executionId, "caller")).toMatchObject({ code: "LEEWAY_VOID" });
});

test("a script in the home folder is found as a shell and as a program would find it", async () => {
  put("deploy.sh", "echo staging\n");
  put("~/deploy.sh", "echo literally\n");
  const o = await office(ASKS, { paths: pathFacts(project, [], { PATH: SEARCH, HOME: project }) });
  for (const [n, name] of ["deploy.sh", "~/deploy.sh"].entries()) {
    const { executionId } = await approved(o, "exec", { argv: ["bash", "~/deploy.sh", String(n)] }, `home ${n}`);
    put(name, "echo evil\n");
    expect(await claim(o.deps, executionId, "caller")).toMatchObject({ code: "LEEWAY_VOID" });
  }
});

test("the card says if a script does not exist yet or is not a file", async () => {
  put("folder/x", "");
  symlinkSync("nowhere", join(project, "dangling.sh"));
  const o = await desk();
  const notes = async (argv: string[]) => {
    const { id } = await o.submit("exec", { argv }, { cwd: project });
    return (await o.callRow(id)).effect.notes;
  };
  expect(await notes(["bash", "gone.sh"])).toContainEqual(UNEXAMINED);
  expect(await notes(["./dangling.sh"])).toContainEqual(UNEXAMINED);
  expect(await notes(["python3", "folder"])).toContainEqual(UNEXAMINED);
});

test("an edit approves the script that the card showed, for the shell in which the agent runs", async () => {
  put("deploy.sh", "echo staging\n");
  const o = await desk();
  const asked = async (word: string) => {
    const receipt = await o.submit("exec", { argv: ["bash", "deploy.sh", word] }, { cwd: project });
    const answer = {
      by: "ana",
      verdict: "approve",
      digest: receipt.digest,
      note: "",
      assurance: "tty",
      bulk: false,
    } as const;
    return { id: receipt.approvalId ?? "", answer };
  };
  const atAnas = { ...o.deps, paths: pathFacts(project, [], { PATH: `${SEARCH}:/home/ana/bin` }, hashed) };
  const args = { argv: ["bash", "deploy.sh", "staging"] };
  const one = await asked("production");
  const done = await edit(atAnas, one.id, { ...one.answer, args });
  const id = done.ok && done.value.state === "approved" ? done.value.executionId : "";
  expect(await claim(o.deps, id, "caller")).toMatchObject({ ok: true, value: { args } });
  const two = await asked("everywhere");
  put("deploy.sh", "echo evil\n");
  expect(
    inEnglish(await edit(atAnas, two.id, { ...two.answer, args: { argv: ["bash", "deploy.sh", "here"] } })),
  ).toMatchObject({
    ok: false,
    code: "LEEWAY_VOID",
    reason: `${project}/deploy.sh is not what it was when it was asked about`,
  });
});

test("the gate's own runner checks again, with the PATH with which it runs programs", async () => {
  put("bin/tool", "#!/bin/sh\necho fine\n");
  const runners = new Map([
    ["exec", commandRunner("exec", { idempotent: false, env: { PATH: `${project}/bin:${SEARCH}` } })],
  ]);
  const o = await office(ASKS.replace("process.exec: ask", "process.exec: suggest"), {
    paths: pathFacts(project, [], { PATH: SEARCH }),
    runners,
  });
  const run = async (word: string, between: () => void) => {
    const receipt = await o.submit("exec", { argv: ["tool", word] }, { cwd: project });
    await o.approve(receipt.approvalId);
    between();
    await tick(o.deps);
    return (await o.rows("executions")).at(-1);
  };
  expect(await run("a", () => undefined)).toMatchObject({ state: "succeeded" });
  expect(await run("b", () => put("bin/tool", "#!/bin/sh\necho evil\n"))).toMatchObject({
    state: "void",
    why: `${project}/bin/tool is not what it was when it was approved`,
  });
});

test("the folder in which a call runs is part of the approval, and a link that leads elsewhere voids it", async () => {
  for (const folder of ["one", "two"]) mkdirSync(join(project, folder));
  const link = join(project, "here");
  symlinkSync("one", link);
  const o = await desk();
  const cases: readonly [tool: string, args: JsonObject][] = [
    ["exec", { argv: ["git", "commit", "-m", "x"] }],
    ["shell", { command: "git commit -m x" }],
    ["shell", { command: "touch a" }],
    ["write_file", { path: "a.txt", content: "x" }],
  ];
  for (const [n, [tool, args]] of cases.entries()) {
    const { approvalId, id } = await o.submit(tool, args, { cwd: link, callId: `f${n}` });
    const { facts } = (await o.callRow(id)).effect;
    expect(facts?.[0]).toEqual({ of: "folder", path: join(project, "one") });
    const done = await o.approve(approvalId);
    const executionId = done.ok && done.value.state === "approved" ? done.value.executionId : "";
    rmSync(link);
    symlinkSync("two", link);
    expect(await claim(o.deps, executionId, "caller")).toMatchObject({ ok: false, code: "LEEWAY_VOID" });
    rmSync(link);
    symlinkSync("one", link);
  }
});

test("the card says where a call really runs, and which files its names stand for", async () => {
  mkdirSync(join(project, "one"));
  symlinkSync("one", join(project, "here"));
  const o = await desk("/usr/bin:/bin");
  o.deps.runners.set("shell", commandRunner("shell", { idempotent: false, env: {} }));
  const { id } = await o.submit("shell", { command: "cd x && git push" }, { cwd: join(project, "here") });
  const { effect, agent, tool, cwd } = await o.callRow(id);
  const lines = factLines(effect.facts ?? [], project, sayIn("en"));
  expect({ agent, tool, cwd }).toMatchObject({ tool: "shell", cwd: join(project, "here") });
  expect(lines.slice(0, 2)).toEqual([
    `runs in ${join(project, "one")}`,
    `programs it starts: bash is ${realpathSync("/bin/bash")}, git is /usr/bin/git`,
  ]);
});

test("a program is in doubt if PATH is not known, or if PATH has the working folder before the program's folder", async () => {
  const understood = async (search: string | undefined, command = "ls") => {
    const o = await office(ASKS, { paths: pathFacts(project, [], search === undefined ? {} : { PATH: search }) });
    const { id } = await o.submit("shell", { command }, { cwd: project });
    const { effect } = await o.callRow(id);
    return [effect.understood, ...effect.notes];
  };
  const loose = ["partly", say("note.program_found_in_agent_folder", { program: "ls" })];
  expect(await understood("/usr/bin:/bin")).toEqual(["fully"]);
  expect(await understood("/usr/bin:/bin:.")).toEqual(["fully"]);
  expect(await understood(".:/usr/bin:/bin")).toEqual(loose);
  expect(await understood(":/usr/bin:/bin")).toEqual(loose);
  expect(await understood("bin:/usr/bin:/bin")).toEqual(loose);
  expect(await understood("")).toEqual([...loose, UNEXAMINED]);
  expect(await understood(undefined)).toEqual(loose);
  expect(await understood(undefined, "cd src; echo hi")).toEqual(["fully"]);
});

test("a program that a package of the project brought is in doubt, unless it counts as code that nobody can read", async () => {
  const understood = async (folder: string, command: string) => {
    const env = { PATH: `${project}/${folder}:/usr/bin:/bin`, HOME: "/nonexistent" };
    const policy = { version: 1, preset: "standard" } as const;
    const deps = await openDeps({ db: ":memory:", policy, cwd: project, env });
    const { effect } = await check(
      deps,
      callOf(deps, { agent: "coder", tool: "shell", args: { command }, cwd: project }),
    );
    await deps.close();
    return [effect.understood, ...effect.notes];
  };
  const doubted = (program: string) => ["partly", say("note.program_from_package", { program })];
  for (const folder of ["node_modules/.bin", ".venv/bin", "venv/bin"]) {
    for (const name of ["docker", "ss", "curl", "pytest", "git"]) {
      put(`${folder}/${name}`, "#!/bin/sh\n");
      chmodSync(join(project, folder, name), 0o755);
    }
    expect(await understood(folder, "docker ps")).toEqual(doubted("docker"));
    expect(await understood(folder, "ls; ss -ltn")).toEqual(doubted("ss"));
    expect(await understood(folder, "curl https://example.com/x")).toEqual(doubted("curl"));
    expect(await understood(folder, "pytest -q && git log")).toEqual(doubted("git"));
    expect(await understood(folder, "pytest -q")).toEqual(["fully"]);
    expect(await understood(folder, "ls")).toEqual(["fully"]);
  }
});

test("a text that was judged as bash text is run by bash, and does no more than was judged", async () => {
  put("src/a.ts", "kept\n");
  const suggests = ASKS.replace("process.exec: ask", "process.exec: suggest").replace("tier: ask", "tier: suggest");
  const runners = new Map([["shell", commandRunner("shell", { idempotent: false, env: {} })]]);
  const o = await office(suggests, { paths: pathFacts(project, [], { PATH: SEARCH }), runners });
  const command = "X='rm -rf src'; if [[ a || $X ]]; then ls; fi";
  const { approvalId, id } = await o.submit("shell", { command }, { cwd: project });
  expect((await o.callRow(id)).effect).toMatchObject({ understood: "fully" });
  await o.approve(approvalId);
  expect(await tick(o.deps)).toMatchObject({ succeeded: 1 });
  expect(existsSync(join(project, "src/a.ts"))).toBe(true);
});
