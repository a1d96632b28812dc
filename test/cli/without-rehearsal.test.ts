import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { setUpAna } from "./person.ts";
import { leeway, machine } from "./program.ts";

// `rehearse: never` lets code change the files of the project directly. Nobody looks at what is gone then.

const POLICY = "version: 1\npreset: standard\n";
const NEVER = `${POLICY}box: { rehearse: never }\n`;

async function projectWith(policy: string) {
  const on = machine();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: on.project, env: on.env });
  git("init", "-q", "-b", "main");
  writeFileSync(join(on.project, "a.txt"), "1\n");
  writeFileSync(join(on.project, "run.sh"), "echo made > made.txt\n");
  await setUpAna(on, policy);
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "first");
  writeFileSync(join(on.project, "work.txt"), "nobody has it\n");
  const decided = async (line: string) => {
    const { tier, box } = JSON.parse((await leeway(on, ["check", "--json", "--command", line])).stdout);
    return [tier, box?.rehearsed];
  };
  return { on, decided, [Symbol.dispose]: on.remove };
}

const REMOVING = ["rm work.txt", "rm -rf a.txt", "git checkout -- a.txt", "find . -name '*.txt' -delete"];

test("without rehearsals code runs in a box, and what removes files or throws work away asks", async () => {
  using here = await projectWith(NEVER);
  expect(await here.decided("sh run.sh")).toEqual(["notify", false]);
  for (const line of REMOVING) expect([line, (await here.decided(line))[0]]).toEqual([line, "ask"]);
  const run = (line: string) => leeway(here.on, ["run", "--wait", "1s", "--", "sh", "-c", line]);
  expect([(await run("sh run.sh")).code, existsSync(join(here.on.project, "made.txt"))]).toEqual([0, true]);
  expect([(await run("rm work.txt")).code, existsSync(join(here.on.project, "work.txt"))]).toEqual([3, true]);
}, 60_000);

test("a file that nobody accepted cannot take the rehearsals away", async () => {
  using here = await projectWith(POLICY);
  writeFileSync(join(here.on.project, "leeway.yaml"), NEVER);
  for (const line of [...REMOVING, "sh run.sh"])
    expect([line, ...(await here.decided(line))]).toEqual([line, "notify", true]);
}, 60_000);
