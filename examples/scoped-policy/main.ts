// A program makes the policy stricter for a while: while an agent explores, writes are only recorded.
import assert from "node:assert/strict";
import { isNotExecuted, openGate } from "leeway";

const gate = await openGate({
  db: ":memory:",
  policy: { tools: { note: { class: "store.write" } }, tiers: { "store.write": "auto" } },
});
const notes: string[] = [];
const note = gate.guard("note", async ({ text }: { text: string }) => notes.push(text));

await gate.as({ agent: "coder" }, async () => {
  await note({ text: "before" });
  await gate.withPolicy({ tiers: { "store.write": "shadow" } }, async () => {
    assert(isNotExecuted(await note({ text: "exploring" })));

    // An inner layer cannot make decisions looser than the outer one, and neither can a sub-agent.
    await gate.withPolicy({ tiers: { "store.write": "auto" } }, () =>
      gate.as({ agent: "helper" }, async () => {
        assert.deepEqual(gate.current(), { agent: "helper", chain: ["coder"] });
        assert(isNotExecuted(await note({ text: "sneaking" })));
      }),
    );
  });
  await note({ text: "after" });
});

assert.deepEqual(notes, ["before", "after"]);
await gate.close();
