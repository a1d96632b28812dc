import { expect, test } from "vitest";
import { callOf } from "../../src/cli/calls.ts";
import { check, DEFAULT_CALLER, PROGRAM_DOOR } from "../../src/gate/calls/judging.ts";
import { openDeps } from "../../src/open.ts";

// An agent may be started in any folder, and without a repository and a policy that folder is its project.

const door = { ...PROGRAM_DOOR, boxes: { rehearses: false, ownRepository: false } };

/** What preset standard decides in a folder, with boxes that change files where they are. */
async function decidedIn(cwd: string, commands: readonly string[]): Promise<readonly string[]> {
  const policy = { version: 1, preset: "standard" } as const;
  const deps = await openDeps({ db: ":memory:", policy, cwd, env: { PATH: "/usr/bin:/bin", HOME: "/root" } });
  const found = [];
  for (const command of commands) {
    const call = callOf(deps, { agent: "coder", tool: "shell", args: { command }, cwd });
    const { outcome, box } = (await check(deps, call, { ...DEFAULT_CALLER, door })).decision;
    found.push(outcome === "run" ? `runs in a box that can change ${box?.walls.write.join(" ") || "nothing"}` : "asks");
  }
  await deps.close();
  return found;
}

test.each(["/usr/bin", "/usr/local/lib", "/etc", "/etc/ld.so.conf.d", "/boot", "/var", "/opt", "/srv", "/lib", "/"])(
  "a folder of the system is never a project: in %s code and writes ask",
  async (folder) => {
    const commands = ['python3 -c \'open("x", "w")\'', "echo x > x", "cp a b"];
    expect(await decidedIn(folder, commands)).toEqual(["asks", "asks", "asks"]);
  },
);

test("what only reads runs in a folder of the system too, where it can only read", async () => {
  expect(await decidedIn("/etc", ["ls", "cat hosts"])).toEqual(Array(2).fill("runs in a box that can change nothing"));
});

test.each([
  "/opt/app",
  "/srv/app",
  "/usr/src/app",
  "/usr/local/src/app",
  "/var/www/app",
  "/root/app",
  "/app",
  "/home/ana/app",
])("a folder of its own may be a project wherever it is: %s", async (folder) => {
  expect(await decidedIn(folder, ["echo x > x", "ls"])).toEqual([
    `runs in a box that can change ${folder}`,
    "runs in a box that can change nothing",
  ]);
});
