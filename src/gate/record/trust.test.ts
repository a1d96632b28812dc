import { expect, test } from "vitest";
import { answer, carryOut, policyOf, send, worldOf } from "../../../test/ledger/world.ts";
import { settle } from "../calls/claim.ts";
import type { Deps } from "../deps.ts";
import { tick } from "../time/tick.ts";
import { readOn, trackOf, trustExport, trustOf } from "./trust.ts";

const write = (deps: Deps, agent: string) => send(deps, "write_file", { path: "src/a.ts", text: "x" }, { agent });
const tracks = (deps: Deps) =>
  Promise.all(["coder", "other", "coder", "nobody"].map((name) => trackOf(deps, name, "fs.write")));

/** What the whole of an agent's history says, read from its beginning each time. */
async function wholeTracks(deps: Deps) {
  const [coder, other] = [await trustOf(deps, "coder"), await trustOf(deps, "other")];
  const of = ({ classes }: typeof coder) => {
    const { class: _, ...track } = classes.find((one) => one.class === "fs.write") ?? { class: "" };
    return track;
  };
  return [of(coder), of(other), of(coder), undefined];
}

test("a card's record is the same before, while and after the whole ledger is read, and counts nothing twice", async () => {
  const { deps, clock } = await worldOf(policyOf({ "fs.write": "auto" }));
  const { executionId = "", attempt = "att_" } = await write(deps, "coder");
  await write(deps, "other");
  expect(await tracks(deps)).toEqual(await wholeTracks(deps));
  await write(deps, "coder");
  expect(await tracks(deps)).toEqual(await wholeTracks(deps));
  clock.advance(24 * 3_600_000);
  await tick(deps);
  await settle(deps, executionId, { attempt, by: "caller", ending: { ok: true, result: null } });
  const [meanwhile] = await Promise.all([tracks(deps), readOn(deps)]);
  expect(meanwhile).toEqual(await wholeTracks(deps));
  await write(deps, "other");
  expect(await tracks(deps)).toEqual(await wholeTracks(deps));
  expect((await trackOf(deps, "coder", "fs.write"))?.outcomes.success).toBe(1);
});

const HUMAN = { human: { all: false, tools: ["wire"], classes: [], agents: [], not: [] } };

test("the record of a call that needed a human says so after the yes, and what tool it was and what it repeats", async () => {
  const { deps } = await worldOf(policyOf({}, HUMAN));
  const first = await send(deps, "wire", { cents: 5 }, { replayOf: "call_before" });
  expect(first).toMatchObject({ outcome: "denied", code: "LEEWAY_NEEDS_HUMAN" });
  await answer(deps, first, "approve");
  await carryOut(deps, first);
  const second = await send(deps, "wire", { cents: 6 });
  await answer(deps, second, "approve");
  // The right of the second is used by a call under another id.
  await carryOut(deps, await send(deps, "wire", { cents: 6 }, { replayOf: "call_between" }));
  const ended = (await trustExport(deps)).records.filter(({ outcome }) => outcome === "success");
  const metadata = { requires_human: true, autonomy_class: "needs-human", builtin: "wire" };
  expect(ended).toMatchObject([
    { approver: "ana", metadata: { ...metadata, replay_of_event_id: "call_before" } },
    { approver: "ana", metadata: { ...metadata, replay_of_event_id: "call_between" } },
  ]);
});
