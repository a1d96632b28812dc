import { expect, test } from "vitest";
import { decisionForAgent } from "../../src/http/shown-to-agents.ts";
import { browserOf } from "./forms.ts";
import { served } from "./served.ts";

const TEXT = "tar has an unknown option: --brush";

test("notes about a call are English text in every API answer, and in the reader's language on a page", async () => {
  const on = await served();
  try {
    const token = await on.token({ agent: "coder" });
    const body = { tool: "shell", args: { command: "tar --brush -cf a.tar src" }, callId: "c" };
    const checked = await on.ask("POST", "/v1/calls/check", { token, body });
    const sent = await on.ask("POST", "/v1/calls", { token, body });
    const cookie = await on.signIn();
    const { id, approvalId } = sent.body;
    const paths = [`/v1/approvals/${approvalId}`, `/v1/calls/${id}/why`, `/v1/rows/${id}`, "/v1/ledger?limit=50"];
    const read = await Promise.all(paths.map((path) => on.ask("GET", path, { cookie })));
    for (const { status, text } of [checked, sent, ...read])
      expect([status < 300, text.includes(TEXT), text.includes("note.")]).toEqual([true, true, false]);
    expect([checked.body.effect.notes, read[0]?.body.effect.notes]).toEqual([[TEXT], [TEXT]]);
    const ana = await browserOf(on, "ana");
    const pages = [`/approvals/${approvalId}`, `/calls/${id}`];
    const inChinese = { "accept-language": "zh-CN" };
    for (const path of pages) {
      expect((await ana.look(path)).html).toContain(TEXT);
      expect((await ana.look(path, inChinese)).html).toContain("tar 有无法识别的选项：--brush");
    }
  } finally {
    await on.remove();
  }
});

test("an agent is not told that a file could not be examined, also for a call recorded when notes were text", () => {
  const hidden = "a file that the call would run could not be examined: it is missing, too large, or no file";
  const decision = {
    tier: "ask",
    outcome: "pending",
    because: [`the call is only partly understood: the path is empty; ${hidden}`],
    rules: [],
    policyVersion: "sha256:1",
    needsHuman: false,
  } as const;
  expect(decisionForAgent(decision).because).toEqual(["the call is only partly understood: the path is empty"]);
});
