import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asAna, setUpAna } from "./person.ts";
import { asking, leeway, machine } from "./program.ts";

const on = machine();
beforeAll(() => setUpAna(on));
afterAll(() => on.remove());

const put = (name: string, text: string) => writeFileSync(join(on.project, name), text, { mode: 0o755 });
const now = (args: readonly string[], env: Record<string, string> = {}) =>
  leeway(on, ["run", "--wait", "1s", "--", ...args], { env });

/** Asked about, approved by ana in her terminal, and left for the next try. */
async function approved(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const asked = await leeway(on, ["run", "--wait", "1s", "--json", "--", ...args], { env });
  const { approvalId } = JSON.parse(asked.stdout);
  const { code, text } = await asAna(on, ["approve", approvalId]);
  expect(code).toBe(0);
  return text;
}

test("a variable that changes how programs run is part of the question, and the yes is for no other value", async () => {
  put("start.sh", "echo from the start file\n");
  const env = { BASH_ENV: "./start.sh", EDITOR: "vim", FRUIT: "plum" };
  const args = ["./say.sh"];
  put("say.sh", "#!/bin/sh\necho $BASH_ENV $FRUIT $EDITOR\n");
  const shown = await approved(args, env);
  expect(shown).toContain('env: {"BASH_ENV":"./start.sh"}');
  expect(shown).toContain("may run start.sh: 25 bytes, sha256:");
  expect(shown).not.toContain("vim");
  expect((await now(args)).code).toBe(3);
  expect((await now(args, { ...env, BASH_ENV: "./other.sh" })).code).toBe(3);
  expect(await now(args, env)).toMatchObject({ code: 0, stdout: "./start.sh plum vim\n" });
});

test("another PATH or HOME than the approved one is asked about again", async () => {
  for (const other of [{ PATH: `${on.home}/bin:${on.env["PATH"]}` }, { HOME: `${on.home}/project` }]) {
    put("go.sh", "#!/bin/sh\n");
    const args = ["./go.sh", Object.keys(other)[0] ?? ""];
    await approved(args);
    expect((await now(args, other)).code).toBe(3);
  }
});

test("the card names the script and what it is, and a script changed meanwhile does not start", async () => {
  put("deploy.sh", "#!/bin/sh\necho staging\n");
  const running = asking(on, ["run", "--", "./deploy.sh"]);
  const id = await running.asked;
  put("deploy.sh", "#!/bin/sh\necho somewhere else\n");
  const { text } = await asAna(on, ["approve", id]);
  expect(text).toMatch(
    /a yes holds only while these stay as they are:\s+runs deploy\.sh: 23 bytes, sha256:[0-9a-f]{64}/,
  );
  const ended = await running.ended;
  expect([ended.code, ended.stdout]).toEqual([5, ""]);
  expect(ended.stderr).toContain("deploy.sh is not what it was when it was approved");
});
