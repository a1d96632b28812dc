import { expect, test } from "vitest";
import { say } from "../../src/core/messages/message.ts";
import { bodyInEnglish } from "../../src/core/show/entry-body.ts";
import { canonical } from "../../src/core/values/canonical.ts";
import { listEntries, verifyLedger } from "../../src/gate/record/ledger.ts";
import { approvalView, callRow } from "../../src/service/approvals.ts";
import { rowView } from "../../src/service/views/rows.ts";
import { whyOf } from "../../src/service/views/why.ts";
import { policyOf, send, worldOf } from "./world.ts";

const COMMAND = "tar --brush -cf a.tar src";
const NOTE = say("note.option_unknown", { option: "--brush", program: "tar" });
const TEXT = "tar has an unknown option: --brush";

async function asked() {
  const { deps } = await worldOf(policyOf({ "fs.write": "auto", "fs.read": "auto" }));
  const receipt = await send(deps, "shell", { command: COMMAND });
  const [entry] = await listEntries(deps, { kinds: ["call.decided"] }, { limit: 1, order: "newest" });
  return { deps, receipt, body: entry?.body?.json ?? {} };
}

test("the ledger stores the id and the values of a note, and the stored text is still the canonical form", async () => {
  const { deps, body } = await asked();
  expect(body["effect"]).toMatchObject({ understood: "partly", notes: [NOTE] });
  expect(body["decision"]).toMatchObject({ causes: [{ by: "understanding", notes: [NOTE] }] });
  expect(canonical(JSON.parse(canonical(body)))).toBe(canonical(body));
  expect((await verifyLedger(deps)).ok).toBe(true);
});

test("programs get English text: in receipts, questions, explanations, rows and entries", async () => {
  const { deps, receipt, body } = await asked();
  const because = [`the call is only partly understood: ${TEXT}`];
  expect(receipt.decision.because).toEqual(because);
  const view = await approvalView(deps, receipt.approvalId ?? "");
  expect([view.effect.notes, view.because]).toEqual([[TEXT], because]);
  const told = { effect: { notes: [TEXT] }, decision: { causes: [{ by: "understanding", notes: [TEXT] }] } };
  const row = await callRow(deps, receipt.id);
  expect(await whyOf(deps, row, { withOutput: false })).toMatchObject({ ...told, because });
  expect(await rowView(deps, receipt.id, async () => true)).toMatchObject({ table: "calls", row: told });
  expect(bodyInEnglish(body)).toMatchObject(told);
});
