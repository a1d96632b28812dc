import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, served } from "./served.ts";

// examples/python: a tool of another language behind the gate, with nothing but its standard library.

const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) console.warn("python3 is not installed, so examples/python is not tried");

const program = fileURLToPath(new URL("../../examples/python/main.py", import.meta.url));
const POLICY = "version: 1\ntools: { refund: { class: db.write } }\ntiers: { refund: ask }\n";

let on: Served;
let env: Record<string, string>;
beforeAll(async () => {
  on = await served({ policy: POLICY });
  env = { PATH: process.env["PATH"] ?? "", LEEWAY_URL: on.url, LEEWAY_TOKEN: await on.token({ agent: "shop" }) };
});
afterAll(() => on.remove());

async function refund(amount: number): Promise<string> {
  const { stdout } = await promisify(execFile)("python3", [program, String(amount)], { env });
  return stdout.trim();
}

async function answer(amount: number, given: object): Promise<void> {
  const token = await on.token({ person: "ana", can: "approve" });
  const open = async () => {
    const { body } = await on.ask("GET", "/v1/approvals?status=pending", { token });
    const views = body.approvals.map(({ id }: { id: string }) => on.ask("GET", `/v1/approvals/${id}`, { token }));
    const found: { body: { id: string; digest: string; args: object } }[] = await Promise.all(views);
    return found.find((one) => JSON.stringify(one.body.args) === JSON.stringify({ amount }))?.body;
  };
  await expect.poll(open).toBeDefined();
  const question = await open();
  const body = { digest: question?.digest, ...given };
  expect(await on.ask("POST", `/v1/approvals/${question?.id}/reviews`, { token, body })).toMatchObject({ status: 200 });
}

test.skipIf(!hasPython)(
  "a Python program waits for the answer, runs the approved call once, and gets its result again",
  async () => {
    const running = refund(5);
    await answer(5, { verdict: "approve" });
    expect(await running).toBe("refunded 5");
    expect(await refund(5)).toBe("refunded 5");
  },
);

test.skipIf(!hasPython)("a Python program runs a call with the arguments that a reviewer wrote", async () => {
  const running = refund(600);
  await answer(600, { verdict: "approve", edits: { amount: 6 } });
  expect(await running).toBe("refunded 6");
});

test.skipIf(!hasPython)("a Python program is told why a call did not run", async () => {
  const running = refund(7);
  await answer(7, { verdict: "deny", note: "too much" });
  expect(await running).toBe("not run: ana denied this call: too much. Do not retry this call.");
});

test("the Python example has at most thirty lines of code", async () => {
  const { readFileSync } = await import("node:fs");
  const lines = readFileSync(program, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s*("""|#)/.test(line));
  expect(lines.length).toBeLessThanOrEqual(30);
});
