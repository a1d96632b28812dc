import { expect, test } from "vitest";
import { policyOf, send, worldOf } from "../../test/ledger/world.ts";
import type { Deps } from "./deps.ts";
import { reconcile } from "./reconcile.ts";
import { tick } from "./tick.ts";
import { readOn, trackOf, trustOf } from "./trust.ts";

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
  const { executionId } = await write(deps, "coder");
  await write(deps, "other");
  expect(await tracks(deps)).toEqual(await wholeTracks(deps));
  await write(deps, "coder");
  expect(await tracks(deps)).toEqual(await wholeTracks(deps));
  clock.advance(24 * 3_600_000);
  await tick(deps);
  await reconcile(deps, executionId ?? "", { by: "ana", assurance: "tty", ok: true, note: "it is there" });
  const [meanwhile] = await Promise.all([tracks(deps), readOn(deps)]);
  expect(meanwhile).toEqual(await wholeTracks(deps));
  await write(deps, "other");
  expect(await tracks(deps)).toEqual(await wholeTracks(deps));
  expect((await trackOf(deps, "coder", "fs.write"))?.outcomes.success).toBe(1);
});
