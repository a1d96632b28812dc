import { expect, test } from "vitest";
import { leeway, machine } from "./program.ts";

test("commands that start together on a new machine all run in their boxes", async () => {
  for (let round = 0; round < 3; round++) {
    const on = machine();
    const together = Array.from({ length: 8 }, () => leeway(on, ["box", "--", "true"]));
    expect(await Promise.all(together)).toEqual(together.map(() => ({ code: 0, stdout: "", stderr: "" })));
    on.remove();
  }
}, 120_000);
