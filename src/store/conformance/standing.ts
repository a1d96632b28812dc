import { expect, test } from "vitest";
import { person, T0, W } from "../../../test/fixtures/rows.ts";
import { put } from "../../core/change.ts";
import { type Rows, tokenBucket } from "../../core/rows/rows.ts";
import { done, type Fresh } from "./reading.ts";

export function standingRead(fresh: Fresh): void {
  test("the epoch increases once per change, and the standing is read only if it increased", async () => {
    const store = await fresh();
    expect(await store.read({ ask: "standing", workspace: W })).toEqual({ epoch: 1, ...NOBODY });
    expect(await store.read({ ask: "standing", workspace: W, knownEpoch: 1 })).toBeUndefined();
    await done(store, put("people", person("ben")), put("people", person("ana")), { do: "turn" }, { do: "turn" });
    expect(await store.read({ ask: "standing", workspace: W, knownEpoch: 1 })).toEqual({
      epoch: 3,
      ...NOBODY,
      people: [person("ben"), person("ana")],
    });
    expect(await store.read({ ask: "standing", workspace: W, knownEpoch: 3 })).toBeUndefined();
  });

  test("only the rows in force are read, in the order of their creation, however many ended ones there are", async () => {
    const store = await fresh();
    const of = { workspace: W, because: "", by: "ana" };
    const pause = (id: string): Rows["pauses"] => ({
      ...of,
      id: `pau_${id}`,
      scope: { of: "everything" },
      setMs: T0,
      state: "set",
    });
    const lifted = (id: string): Rows["pauses"] => ({ ...pause(id), state: "lifted", atMs: T0 });
    const move = (id: string): Rows["promotions"] => ({
      ...of,
      id: `pro_${id}`,
      kind: "promote",
      agent: "a",
      tier: "auto",
      atMs: T0,
    });
    const policy = (id: string, state: "loaded" | "accepted"): Rows["policies"] => ({
      id,
      workspace: W,
      state,
      version: "sha256:1",
      path: id,
      text: "",
      atMs: T0,
    });
    const gone: Rows["people"] = { ...person("zoe"), state: "removed", atMs: T0 };
    const bucket: Rows["buckets"] = { id: "tokens/er", workspace: W, hash: "sha256:1" };
    await done(store, ...["1", "2", "3"].map((id) => put("pauses", pause(id))), put("pauses", lifted("2")));
    await done(
      store,
      put("promotions", move("2")),
      put("promotions", { ...move("1"), kind: "demote" }),
      put("promotions", move("3")),
    );
    await done(store, put("promotions", { ...move("2"), endedMs: T0 }), put("people", gone), put("buckets", bucket));
    await done(
      store,
      put("policies", policy("sha256:2", "loaded")),
      put("policies", policy("/leeway.yaml", "accepted")),
    );
    await done(store, put("pauses", pause("1")));
    expect(await store.read({ ask: "standing", workspace: W })).toEqual({
      epoch: 1,
      ...NOBODY,
      people: [gone],
      pauses: [pause("1"), pause("3")],
      promotions: [{ ...move("1"), kind: "demote" }, move("3")],
      policies: [policy("/leeway.yaml", "accepted")],
      buckets: [bucket],
    });
  });

  test("live tokens are found by the bucket of their holder", async () => {
    const store = await fresh();
    const token = (id: string, holder: Rows["tokens"]["holder"]): Rows["tokens"] => ({
      id: `tok_${id}`,
      workspace: W,
      lock: "sealed:x",
      holder,
      createdMs: T0,
      by: "ana",
      state: "live",
    });
    const [coder, fox, ana] = [
      token("1", { agent: "coder" }),
      token("2", { agent: "🦊" }),
      token("3", { person: "ana", can: "read" }),
    ];
    await done(store, put("tokens", coder), put("tokens", fox), put("tokens", ana));
    const found = async (holder: Rows["tokens"]["holder"]) => {
      const where = { collect: tokenBucket(holder) };
      const rows = await store.read({ ask: "rows", workspace: W, table: "tokens", where, limit: 9, order: "oldest" });
      return rows.map(({ row }) => row);
    };
    expect([await found(coder.holder), await found(fox.holder), await found(ana.holder)]).toEqual([
      [coder],
      [fox],
      [ana],
    ]);
    await done(store, put("tokens", { ...coder, state: "used", atMs: T0 }));
    expect(await found(coder.holder)).toEqual([]);
  });
}

const NOBODY = {
  mark: null,
  grants: [],
  people: [],
  pauses: [],
  promotions: [],
  declarations: [],
  policies: [],
  buckets: [],
};
