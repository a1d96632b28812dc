import { afterAll, beforeAll, expect, test } from "vitest";
import { type Machine, machine } from "./program.ts";
import { screen } from "./screen.ts";
import { endAll, type Up, up } from "./servers.ts";

let on: Machine;
let server: Up;
let cookie: string;
beforeAll(async () => {
  on = machine();
  server = await up(on, ["--demo"]);
  cookie = await signIn();
});
afterAll(async () => {
  await server.stop();
  endAll();
  on.remove();
});

/** Uses only what the sign-in page shows: no link, no terminal. */
async function signIn(): Promise<string> {
  const page = await (await fetch(`${server.url}/sign-in`)).text();
  const [, name = "", passphrase = ""] = /You are (\S+); the passphrase is <code>([^<]+)<\/code>/.exec(page) ?? [];
  const answer = await press("/sign-in", { name, passphrase });
  return answer.headers.get("set-cookie")?.split(";")[0] ?? `${answer.status} for ${name}`;
}

function press(path: string, fields: Record<string, string>): Promise<Response> {
  const headers = { origin: server.url, ...(cookie === undefined ? {} : { cookie }) };
  return fetch(server.url + path, { method: "POST", body: new URLSearchParams(fields), headers, redirect: "manual" });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
async function read(path: string): Promise<any> {
  return (await fetch(server.url + path, { headers: { cookie } })).json();
}

type Question = { id: string; digest: string; tool: string; state: string };

async function question(tool: string): Promise<Question> {
  for (;;) {
    const { approvals } = await read("/v1/approvals?status=pending");
    const found = approvals.find((one: Question) => one.tool === tool);
    if (found !== undefined) return found;
    await pause();
  }
}

/** Waits until the record says how a call of this tool ended after its question. */
async function cameOfIt(tool: string, kind: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { entries } = await read(`/v1/ledger?kind=${kind}`);
    const found = entries.find(({ subject }: { subject: Record<string, string> }) => subject["tool"] === tool);
    if (found !== undefined) return found;
    await pause();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

test("the sign-in page of a demo shows the passphrase, which signs in and gives a fresh proof", async () => {
  expect(cookie).toMatch(/^leeway-\d+=/);
  expect((await press("/settings/pause", { because: "a look" })).status).toBe(303);
  const { pauses } = await read("/v1/pauses");
  expect((await press(`/settings/pauses/${pauses[0].id}/lift`, {})).headers.get("location")).toBe(
    "/settings?told=resumed",
  );
});

test.each(["git.push", "refund", "send_external_message"])(
  "after somebody approves %s in a demo, the agent comes back and the call runs",
  async (tool) => {
    const { id, digest } = await question(tool);
    const answer = await press(`/approvals/${id}/approve`, { digest });
    expect(answer.headers.get("location")).toMatch(/told=/);
    expect(await cameOfIt(tool, "execution.succeeded")).toMatchObject({ subject: { agent: "coder", tool } });
  },
);

test("a call that is approved in a demo with other arguments runs with those", async () => {
  const { id, digest } = await question("delete_file");
  const args = JSON.stringify({ path: "../../no-such-file" });
  const answer = await press(`/approvals/${id}/edit`, { digest, args });
  expect(answer.headers.get("location")).toMatch(/told=editedNow/);
  expect(await cameOfIt("delete_file", "execution.failed")).toMatchObject({
    body: { json: { error: expect.stringContaining("outside of the demo's folder") } },
  });
});

test("at a terminal the demo prints a link and a passphrase to sign in", async () => {
  const shown = screen(on, ["up", "--demo", "--port", "0"], { columns: 220 });
  const text = await shown.shows("press Ctrl-C to stop");
  expect(text).toMatch(
    /you are ana, the owner of the agent coder; sign in with this link \(works once\): http:\S+\/sign-in\/link\/lwy_\S+/,
  );
  expect(text).toMatch(/if a page asks you to sign in: the name is ana, the passphrase is \S{8,}/);
  shown.type("\x03");
  expect(await shown.ended).toBe(0);
});
