import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { callOf } from "../../src/cli/calls.ts";
import { openDeps } from "../../src/compose.ts";
import { DEFAULT_CALLER } from "../../src/gate/calls/judging.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import { asAna, PASSPHRASE, setUpAna } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";

// One machine, from before the set-up to a single person on it.

let on: Machine;
beforeEach(() => {
  on = machine();
});
afterEach(() => on.remove());

const json = async (...args: string[]) => JSON.parse((await leeway(on, [...args, "--json"])).stdout);
const notes = () => {
  const folder = join(on.home, "state", "leeway", "checkpoints", "default");
  return existsSync(folder) ? readdirSync(folder).length : 0;
};
/** Calls that are decided and then end: one entry each. */
async function decide(count: number): Promise<void> {
  const deps = await openDeps({ env: on.env, cwd: on.project });
  for (let at = 0; at < count; at++) {
    const call = callOf(deps, { agent: "coder", tool: "shell", args: { command: `rm -rf ${at}` }, cwd: on.project });
    expect((await submit(deps, call, DEFAULT_CALLER)).outcome).toBe("denied");
  }
  await deps.close();
}

test("if nobody is set up to answer, a command that needs an answer ends immediately and says what to do", async () => {
  writeFileSync(join(on.project, "Makefile"), "made.txt:\n\techo made > made.txt\n");
  const make = ["run", "--receipt", "receipt.json", "--", "make", "made.txt"];
  const ran = await leeway(on, make, { env: { LEEWAY_BOX: "off" } });
  expect(ran).toEqual({
    code: 5,
    stdout: "",
    stderr:
      "leeway: the command did not run: a person must approve this, but nobody is set up to answer: preset standard asks before process.exec by make (built in; no policy file has been accepted); it is to run without a box (LEEWAY_BOX is set) (LEEWAY_NO_REVIEWER)\n  hint: run `leeway init`\n",
  });
  expect(JSON.parse(readFileSync(join(on.project, "receipt.json"), "utf8"))).toMatchObject({
    outcome: "denied",
    code: "LEEWAY_NO_REVIEWER",
  });
  expect((await json("inbox")).questions).toEqual([]);
  expect(existsSync(join(on.project, "made.txt"))).toBe(false);
});

test("in a box, the same command runs before anybody is set up, and what it changed is applied", async () => {
  writeFileSync(join(on.project, "Makefile"), "made.txt:\n\techo made > made.txt\n\techo out > ../out.txt\n");
  const ran = await leeway(on, ["run", "--receipt", "receipt.json", "--", "make", "made.txt"]);
  const left = `${realpathSync(on.home)}/out.txt (what is written in the home folder is thrown away)`;
  const said = `leeway: Left out, because it cannot be applied: ${left}. All other changes count.
  hint: to ask a person to let it run without a box, put LEEWAY_BOX=off before the command\n`;
  expect(ran).toEqual({ code: 0, stdout: "echo made > made.txt\necho out > ../out.txt\n", stderr: said });
  expect(JSON.parse(readFileSync(join(on.project, "receipt.json"), "utf8"))).toMatchObject({
    outcome: "run",
    decision: {
      tier: "notify",
      box: { because: "enough", walls: { write: [on.project], network: [], reveal: [] }, rehearsed: true },
    },
  });
  expect([existsSync(join(on.project, "made.txt")), existsSync(join(on.home, "out.txt"))]).toEqual([true, false]);
});

test("a variable that may start code that nobody reads is harmless in a box: what that code changes is decided about", async () => {
  const checked = await json("check", "--command", "LD_PRELOAD=./some.so ls");
  expect(checked).toMatchObject({ tier: "notify", box: { because: "enough", rehearsed: true } });
});

test("a caller whose wait is over is told how to continue later, and can do so", async () => {
  await setUpAna(on);
  const ran = await leeway(on, ["run", "--wait", "1s", "--", "node", "-p", "'later'"]);
  const [{ id }] = (await json("inbox")).questions;
  expect(ran).toMatchObject({ code: 3, stdout: "" });
  expect(ran.stderr).toContain("the command has not run: nobody has answered yet");
  expect(ran.stderr).toContain(`hint: approve ${id.slice(0, 20)} in \`leeway inbox\`; then the same command runs once`);
  expect((await asAna(on, ["approve", id])).code).toBe(0);
  expect(await leeway(on, ["run", "--wait", "1s", "--", "node", "-p", "'later'"])).toMatchObject({
    code: 0,
    stdout: "later\n",
  });
  expect((await leeway(on, ["run", "--wait", "soon", "--", "make"])).code).toBe(2);
});

test("agents from before the set-up belong to the first admin, and an admin can give one to another owner", async () => {
  await leeway(on, ["run", "--agent", "early", "--", "echo", "one"]);
  writeFileSync(join(on.home, "pw"), `${PASSPHRASE}\n`);
  const args = ["init", "--yes", "--name", "ana", "--password-file", join(on.home, "pw")];
  expect((await leeway(on, args)).stdout).toContain("ana now owns the agents that already existed: early\n");
  expect(await json("agents", "list")).toMatchObject([{ name: "early", owner: "ana" }]);
  expect((await asAna(on, ["people", "add", "ben", "--password-file", join(on.home, "pw")])).code).toBe(0);
  const owned = await asAna(on, ["agents", "own", "early", "--owner", "ben"]);
  expect({ code: owned.code, says: owned.text.includes("early is ben's agent now") }).toEqual({ code: 0, says: true });
  expect(await json("agents", "list")).toMatchObject([{ name: "early", owner: "ben" }]);
  expect((await asAna(on, ["agents", "own", "early", "--owner", "nobody"])).text).toContain("LEEWAY_NOT_FOUND");
});

test("acts of a person are signed immediately, acts of agents after twenty entries, and reading signs nothing", async () => {
  expect((await leeway(on, ["status"])).code).toBe(0);
  expect(notes()).toBe(0);
  await setUpAna(on);
  const signed = notes();
  expect(signed).toBeGreaterThan(0);
  expect((await leeway(on, ["verify"])).stdout).toMatch(
    /all hashes correct, \d+ signed checkpoints? match(es)?, \d+ rows? match(es)?\n/,
  );
  for (const command of [["log"], ["verify"], ["doctor"], ["check", "--command", "ls"], ["inbox"]])
    await leeway(on, command);
  expect(notes()).toBe(signed);
  expect((await leeway(on, ["run", "--", "rm", "-rf", "one"])).code).toBe(5);
  expect(notes()).toBe(signed);
  await decide(20);
  expect((await leeway(on, ["run", "--", "rm", "-rf", "two"])).code).toBe(5);
  expect(notes()).toBe(signed + 1);
  expect((await leeway(on, ["verify"])).code).toBe(0);
});

test("a grant for a command lets that command run, and nothing beyond it", async () => {
  await setUpAna(on);
  const added = await asAna(on, [
    "grants",
    "add",
    "--agent",
    "coder",
    "--command",
    "node --check *",
    "--because",
    "it only looks",
  ]);
  expect(added.code).toBe(0);
  writeFileSync(join(on.project, "a.js"), "let a;\n");
  const tier = async (command: string) => (await json("check", "--agent", "coder", "--command", command)).tier;
  expect(await tier("node --check a.js")).toBe("auto");
  expect(await tier("node a.js")).toBe("ask");
  expect(await tier("node --check a.js && rm a.js")).toBe("ask");
  expect(await tier("NODE_OPTIONS=-r=./x node --check a.js")).toBe("ask");
});

test("if no policy file is in force, no reason names a line of a file", async () => {
  const { stdout } = await leeway(on, ["check", "--tool", "delete_file", "--args", '{"path":"a"}']);
  expect(stdout).toContain("preset standard asks before fs.delete (built in; no policy file has been accepted)");
  expect(stdout).not.toContain("preset standard:1");
  expect(stdout).toMatch(/\nnext +when the call is made \(for example with `leeway run -- …`\), a person/);
});

test("an error about an unknown id says where ids are listed", async () => {
  expect((await leeway(on, ["show", "apr_0192"])).stderr).toContain("hint: check the id; `leeway log` lists all ids");
});

test("verifying an export says that checkpoints were not checked", async () => {
  await setUpAna(on);
  writeFileSync(join(on.home, "record.jsonl"), (await leeway(on, ["export"])).stdout);
  expect((await leeway(on, ["verify", "--file", join(on.home, "record.jsonl")])).stdout).toContain(
    "all hashes correct, checkpoints were not checked\n",
  );
});
