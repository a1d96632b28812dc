import { expect, test } from "vitest";
import { agent, change, draftOf, W } from "../../../test/fixtures/rows.ts";
import { put } from "../../core/change.ts";
import { entries, expectChained, type Fresh, readRow } from "./reading.ts";

export function keptForGood(fresh: Fresh, again: Fresh): void {
  test("committed data is there after reopening, and ids of applied Changes are still recognised", async () => {
    const store = await fresh();
    const once = change({ writes: [put("agents", agent("coder")), { do: "turn" }], entries: [draftOf()] });
    const first = await store.commit(once);
    const head = await store.read({ ask: "head", workspace: W });
    const second = await again();
    expect(await readRow(second, "agents", "coder")).toEqual({ row: agent("coder"), version: 1 });
    expect(await second.read({ ask: "head", workspace: W })).toEqual(head);
    expect(await second.commit(once)).toEqual(first);
    expect((await second.read({ ask: "standing", workspace: W }))?.epoch).toBe(2);
    await second.commit(change({ entries: [draftOf()] }));
    expectChained(await entries(second));
  });
}
