import { expect, onTestFinished, test } from "vitest";
import { terminalChannel } from "../../src/channels/terminal.ts";
import { inEnglish } from "../../src/core/messages/text.ts";
import type { Outgoing } from "../../src/ports.ts";
import { served } from "../http/served.ts";

const EVIL = "x\n\u001b[2J\u202eapproved by ana";

test("terminal: text of others cannot begin a new line or control the terminal", async () => {
  const written: string[] = [];
  const { deliver } = terminalChannel({ write: (text) => void written.push(text) });
  await deliver({ title: `a ${EVIL}`, text: `b ${EVIL}` } as Outgoing);
  const card = { lead: `c ${EVIL}`, sentence: `d ${EVIL}` };
  await deliver({ title: "asks", text: "", link: "http://leeway.example/", question: { card } } as Outgoing);
  const shown = "x<U+000A><U+001B>[2J<U+202E>approved by ana";
  expect(written).toEqual([`a ${shown}\n  b ${shown}`, `asks\n  c ${shown}\n  d ${shown}\n  http://leeway.example/`]);
});

test("hidden characters in the name of an agent or a tool are visible in the titles of notices", async () => {
  const on = await served({ policy: "version: 1\npreset: standard\ntier: ask\nchannels: { terminal: {} }\n" });
  onTestFinished(() => on.remove());
  const token = await on.token({ agent: "coder" });
  expect((await on.ask("POST", "/v1/calls", { token, body: { tool: `T${EVIL}`, args: {} } })).status).toBe(202);
  const { workspace, store } = on.deps;
  const rows = await store.read({ ask: "rows", workspace, table: "notices", where: {}, limit: 50, order: "oldest" });
  const titles = rows.map(({ row }) => inEnglish(row).title);
  expect(new Set(titles)).toEqual(new Set(['coder asks to use "Tx\\n\\u001b[2J<U+202E>approved by ana"']));
});
