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

/** Asked about, approved by ana in her terminal, and left for the next attempt. */
async function approved(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const asked = await leeway(on, ["run", "--wait", "1s", "--json", "--", ...args], { env });
  const { approvalId } = JSON.parse(asked.stdout);
  const { code, text } = await asAna(on, ["approve", approvalId]);
  expect(code).toBe(0);
  return text;
}

test("a variable that changes how programs run is part of the question, and the approval is for this value only", async () => {
  put("start.sh", "echo from the start file\n");
  const env = { BASH_ENV: "./start.sh", EDITOR: "vim", FRUIT: "plum" };
  const args = ["./say.sh"];
  put("say.sh", "#!/bin/sh\necho $BASH_ENV $FRUIT $EDITOR\n");
  const shown = await approved(args, env);
  expect(shown).toContain('env: {"BASH_ENV":"./start.sh"}');
  expect(shown).toContain("may run start.sh: 25 bytes, hmac-sha256:");
  expect(shown).not.toContain("vim");
  expect((await now(args)).code).toBe(3);
  expect((await now(args, { ...env, BASH_ENV: "./other.sh" })).code).toBe(3);
  expect(await now(args, env)).toMatchObject({ code: 0, stdout: "./start.sh plum vim\n" });
});

test("a PATH or HOME other than the approved one is asked about again", async () => {
  for (const other of [{ PATH: `${on.home}/bin:${on.env["PATH"]}` }, { HOME: `${on.home}/project` }]) {
    put("go.sh", "#!/bin/sh\n");
    const args = ["./go.sh", Object.keys(other)[0] ?? ""];
    await approved(args);
    expect((await now(args, other)).code).toBe(3);
  }
});

test("the card names the script and its state, and a script that changed afterwards does not start", async () => {
  put("deploy.sh", "#!/bin/sh\necho staging\n");
  const running = asking(on, ["run", "--", "./deploy.sh"]);
  const id = await running.asked;
  put("deploy.sh", "#!/bin/sh\necho somewhere else\n");
  const { text } = await asAna(on, ["approve", id]);
  expect(text).toMatch(
    /an approval is valid only while these stay unchanged:\s+runs in \S+\s+runs deploy\.sh: 23 bytes, hmac-sha256:[0-9a-f]{64}/,
  );
  const ended = await running.ended;
  expect([ended.code, ended.stdout]).toEqual([5, ""]);
  expect(ended.stderr).toContain("deploy.sh is not what it was when it was approved");
});

test("certificates, proxies, language and a virtualenv cause no question and are not listed in one", async () => {
  const ordinary = {
    GIT_SSL_CAINFO: "/etc/ssl/company.pem",
    SSL_CERT_FILE: "/etc/ssl/company.pem",
    REQUESTS_CA_BUNDLE: "/etc/ssl/company.pem",
    CURL_CA_BUNDLE: "/etc/ssl/company.pem",
    HTTPS_PROXY: "http://proxy.example:3128",
    LC_ALL: "C.UTF-8",
    GIT_AUTHOR_NAME: "Ana",
    VIRTUAL_ENV: join(on.project, ".venv"),
    PATH: `${join(on.project, ".venv", "bin")}:${on.env["PATH"]}`,
  };
  put("plain.txt", "plain\n");
  expect(await now(["cat", "plain.txt"], ordinary)).toMatchObject({ code: 0, stdout: "plain\n" });
  const asked = await leeway(on, ["run", "--wait", "1s", "--json", "--", "git", "commit", "-m", "x"], {
    env: ordinary,
  });
  const shown = await leeway(on, ["show", "--json", JSON.parse(asked.stdout).approvalId]);
  const { offers, notRemembered } = JSON.parse(shown.stdout);
  const covers = offers.map(({ text }: { text: string }) => text.replace(/;.*/, ""));
  expect([notRemembered, covers]).toEqual([
    undefined,
    [
      "exactly `git commit -m x`, in this folder (git.write)",
      "`git commit`, any arguments, in this folder (git.write)",
      "exactly `git commit -m x`, in this folder (git.write), only in a box",
    ],
  ]);
});

test.each([
  ["without a box it gets the other variables", "box: { for: [], enforce: false }\n", "FRUIT=plum\nNODE_ENV=test\n"],
  ["in a box it gets only ordinary variables", "", "NODE_ENV=test\n"],
])("a started program does not get the gate's key; %s", async (_what, box, expected) => {
  const other = machine();
  const policy = join(other.home, "all.yaml");
  writeFileSync(policy, `version: 1\ntier: auto\n${box}`);
  const env = { LEEWAY_KEY: "ab".repeat(32), FRUIT: "plum", NODE_ENV: "test" };
  const ran = await leeway(other, ["run", "--policy", policy, "--", "env"], { env });
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
  const mine = ran.stdout.split(/(?<=\n)/).filter((line) => /^(LEEWAY_KEY|FRUIT|NODE_ENV)=/.test(line));
  expect(mine.sort().join("")).toBe(expected);
  other.remove();
});
