import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LeewayRefusal, type LocalGate, openGate } from "../../src/index.ts";

let home: string;
let project: string;
let gate: LocalGate;

beforeAll(async () => {
  home = realpathSync.native(mkdtempSync(join(tmpdir(), "leeway-library-box-")));
  project = join(home, "project");
  mkdirSync(join(project, "out"), { recursive: true });
  writeFileSync(join(project, "kept.txt"), "as it was");
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state"), PATH: process.env["PATH"] };
  gate = await openGate({ db: ":memory:", policy: { tier: "deny" }, cwd: project, env });
});
afterAll(async () => {
  await gate.close();
  rmSync(home, { recursive: true, force: true });
});

test("a command of the program changes only what its walls open, and its output comes back", async () => {
  const command = "echo made > out/file; echo lost > kept.txt; echo said; exit 3";
  const ran = await gate.box.run({ command, cwd: project, walls: { write: ["out"] } });
  expect(ran).toEqual({
    code: 3,
    stdout: "said\n",
    stderr: expect.stringContaining("kept.txt: Read-only file system"),
    refused: [{ of: "write", path: join(project, "kept.txt") }],
  });
  expect(readFileSync(join(project, "out", "file"), "utf8")).toBe("made\n");
  expect(readFileSync(join(project, "kept.txt"), "utf8")).toBe("as it was");
});

test("a list of words is not read by a shell, and without walls nothing can be changed", async () => {
  const ran = await gate.box.run({ command: ["touch", "$(echo new)"], cwd: project });
  expect([ran.code === 0, existsSync(join(project, "$(echo new)"))]).toEqual([false, false]);
});

test("what cannot be started is a refusal, and so is a key that nobody knows", async () => {
  const refused = async (input: object) =>
    gate.box.run(input as Parameters<typeof gate.box.run>[0]).then(
      () => "it ran",
      (error: unknown) => (error instanceof LeewayRefusal ? error.code : String(error)),
    );
  expect(await refused({ command: ["no-such-program"], cwd: project })).toBe("LEEWAY_NO_BOX");
  expect(await refused({ command: "true", cwd: join(project, "missing") })).toBe("LEEWAY_NO_BOX");
  expect(await refused({ command: "true", cwd: project, walls: { write: ["missing"] } })).toBe("LEEWAY_NO_BOX");
  expect(await refused({ command: "true", cwd: project, wals: {} })).toBe("LEEWAY_BAD_INPUT");
});
