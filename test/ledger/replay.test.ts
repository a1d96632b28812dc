import { expect, test } from "vitest";
import type { ToolCall } from "../../src/core/call.ts";
import { decide } from "../../src/core/decide/decide.ts";
import type { Standing } from "../../src/core/decide/standing.ts";
import type { Decision } from "../../src/core/decision.ts";
import type { Effect } from "../../src/core/effect.ts";
import { chain, EMPTY_HEAD, type Entry, withText } from "../../src/core/ledger.ts";
import { inEnglish } from "../../src/core/messages/text.ts";
import { inputsOf, replayDecision } from "../../src/core/record/replay.ts";
import type { CallRow } from "../../src/core/rows/rows.ts";
import { secretOf } from "../../src/core/secret.ts";
import { canonical } from "../../src/core/values/canonical.ts";
import type { Json, JsonObject } from "../../src/core/values/json.ts";
import { openArgs } from "../../src/gate/calls/args.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { openGuesses } from "../../src/gate/record/guesses.ts";
import { listEntries } from "../../src/gate/record/ledger.ts";
import { promote } from "../../src/gate/standing/agents.ts";
import { setPause } from "../../src/gate/standing/pause.ts";
import { anyCall, anyEffect, anyLayers, anyStanding, compiledLayers, NOW_MS } from "../model/calls.ts";
import { random } from "../model/random.ts";
import { answer, at, carryOut, policyOf, send, worldOf } from "./world.ts";

const CASES = process.env["LEEWAY_PROVE"] === undefined ? 500 : 100_000;

/** The entry as it would be read from a disk. */
function entryOf(effect: Effect, decision: Decision, inputs: JsonObject): Entry {
  const body = { effect, decision, inputs } as unknown as Json;
  const draft = { kind: "call.decided", actor: "leeway", subject: {}, salt: "00".repeat(16) } as const;
  const stored = JSON.parse(canonical(body)) as JsonObject;
  return chain(EMPTY_HEAD, withText({ ...draft, body: stored }), { workspace: "default", nowMs: NOW_MS });
}

function rowOf(call: ToolCall): CallRow {
  return { ...call, id: "call_1", args: secretOf("{}") } as unknown as CallRow;
}

test(`${CASES} random decisions are repeated from their entries with exactly the same bytes`, () => {
  let scoped = 0;
  for (let seed = 0; seed < CASES / 20; seed++) {
    const r = random(seed);
    const layers = compiledLayers(anyLayers(r));
    for (let i = 0; i < 20; i++) {
      const call = anyCall(r);
      const effect = anyEffect(r, call);
      const standing: Standing = anyStanding(r, layers);
      const decision = decide(call, effect, standing, NOW_MS);
      const entry = entryOf(effect, decision, inputsOf(call, standing, decision, NOW_MS));
      const stored = entry.body?.json["effect"] as unknown as Effect;
      const replayed = replayDecision({ entry, row: rowOf(call), args: call.args, effect: stored }, standing);
      if (!replayed.ok) scoped += 1;
      else expect(canonical(replayed.decision as unknown as Json)).toBe(canonical(decision as unknown as Json));
    }
  }
  // Only a decision by a `when` function of a program cannot be repeated without that program, and this is reported.
  expect(scoped).toBeLessThan(CASES / 2);
}, 900_000);

async function recorded(deps: Deps, entry: Entry) {
  const { call: id = "" } = entry.subject;
  const row = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id });
  if (row === undefined) throw new Error(`${id} is gone`);
  const opened = openArgs(row.row);
  if (!opened.ok) throw new Error(opened.why.say);
  const guessed = openGuesses(deps, entry.body?.json["effect"] as unknown as Effect, row.row.digest);
  if (!guessed.ok) throw new Error(guessed.why.say);
  return { entry, row: row.row, args: opened.args, effect: guessed.effect };
}

test("decisions recorded over a day, with limits, promotions, pauses and permits, give the same result when repeated", async () => {
  const limit = {
    name: "writes",
    match: { class: ["fs.write" as const] },
    max: 3,
    perMs: 3600_000,
    by: "agent" as const,
    // biome-ignore lint/suspicious/noThenProperty: a limit's own word
    then: "ask" as const,
    at,
  };
  const { deps, clock } = await worldOf(
    policyOf({ "fs.write": "auto", "db.read": "ask", "fs.delete": "deny" }, { limits: [limit] }),
  );
  for (let i = 0; i < 5; i++) await send(deps, "write_file", { path: "src/a.ts", text: `${i}` });
  const asked = await send(deps, "lookup", { id: 1 }, { callId: "once" });
  await answer(deps, asked, "approve");
  await carryOut(deps, await send(deps, "lookup", { id: 1 }, { callId: "once" }));
  await send(deps, "delete_file", { path: "src/a.ts" });
  clock.advance(1000);
  await promote(deps, { agent: "coder", tier: "auto", class: "db.read", because: "x", by: "ana", assurance: "tty" });
  await send(deps, "lookup", { id: 2 });
  await setPause(deps, { scope: { of: "agent", name: "coder" }, because: "it loops", by: "ana" });
  await send(deps, "lookup", { id: 3 });
  const { layers } = await deps.standing.current();
  const entries = await listEntries(deps, { kinds: ["call.decided"] }, { limit: 100, order: "oldest" });
  const tiers = [];
  for (const entry of entries) {
    const replayed = replayDecision(await recorded(deps, entry), {
      layers: layers.layers,
      policyVersion: layers.version,
    });
    expect(replayed).toMatchObject({ ok: true, decision: entry.body?.json["decision"] });
    tiers.push(entry.subject.tier);
  }
  expect(tiers).toEqual(["auto", "auto", "auto", "ask", "ask", "ask", "ask", "deny", "auto", "deny"]);
});

test("a decision whose body was erased cannot be repeated, and this is reported", async () => {
  const { deps } = await worldOf(policyOf({ "fs.write": "auto" }));
  await send(deps, "write_file", { path: "src/a.ts", text: "x" });
  const [entry] = await listEntries(deps, { kinds: ["call.decided"] }, { limit: 1, order: "oldest" });
  if (entry === undefined) throw new Error("nothing was recorded");
  const { body: _, ...erased } = entry;
  const found = await recorded(deps, entry);
  const { layers } = await deps.standing.current();
  expect(
    inEnglish(replayDecision({ ...found, entry: erased }, { layers: layers.layers, policyVersion: layers.version })),
  ).toEqual({
    ok: false,
    why: "the content of the entry was erased",
  });
});
