import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runnersOf } from "../../src/compose.ts";
import { parseServerSettings } from "../../src/config/server-settings.ts";
import { apiRoutes } from "../../src/http/api.ts";
import { type Served, served } from "./served.ts";

const page = readFileSync(new URL("../../docs/server.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text = ""]) => text);

let on: Served;
beforeAll(async () => {
  on = await served();
});
afterAll(() => on.remove());

test("every example in docs/server.md works as written, one after the other", async () => {
  const env: Record<string, string> = {
    URL: on.url,
    CODER: await on.token({ agent: "coder" }),
    ANA: await on.token({ person: "ana", can: "approve" }),
    PATH: process.env["PATH"] ?? "",
  };
  const states: unknown[] = [];
  for (const text of examples) {
    const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", text], { env });
    const answer = JSON.parse(stdout);
    expect([text, answer.error]).toEqual([text, undefined]);
    states.push(answer.outcome ?? answer.state ?? Object.keys(answer)[0]);
    env["CALL"] ??= answer.id;
    env["APPROVAL"] ??= answer.approvalId;
    env["DIGEST"] ??= answer.digest;
    if (answer.attempt !== undefined) env["ATTEMPT"] = answer.attempt;
  }
  expect(states).toEqual(
    ["pending", "pending", "pending", "pending", "approved", "executionId", "succeeded", "steps", "decision"].concat([
      "approvals",
      "limits",
      "entries",
      "set",
    ]),
  );
});

test("every route that the page names exists", () => {
  const known = apiRoutes("0").map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`));
  const named = [...page.matchAll(/\/(?:v1\/[\w/:$-]+|healthz|readyz|metrics|openapi\.json)/g)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !known.some((one) => one.test(path)))).toEqual([]);
});

test("every page that it links to exists", () => {
  const links = [...page.matchAll(/\]\(([\w.-]+\.md)\)/g)].map(([, name = ""]) => name);
  expect(links.filter((name) => !existsSync(new URL(`../../docs/${name}`, import.meta.url)))).toEqual([]);
});

test("the settings on the page are accepted by a server", () => {
  const [, text = ""] = /^```yaml\n([\s\S]*?)^```/m.exec(page) ?? [];
  const settings = parseServerSettings(text, "server.yaml");
  expect(runnersOf(settings).map(({ name, idempotent }) => [name, idempotent])).toEqual([
    ["shell", false],
    ["refund", true],
  ]);
});
