import { expect, test } from "vitest";
import { cpuMsOf } from "../../../test/cpu.ts";
import { gitSettings, settingLines } from "./settings.ts";

test("a settings file is parsed into sections, names and values", () => {
  expect(settingLines('a = b\n[ c "d" ]\n\te f=  g = h \n# no\n[i]\nj\n{k}\n[l"m"]\nn=\n')).toEqual([
    "a=b",
    "[c.d]",
    "c.d.e f=g = h",
    "[i]",
    "i.j",
    "{k}",
    '[l"m"]',
    "i.n=",
  ]);
  expect(gitSettings('[a]\n\tb = c\n[d "e.f"]\n\tg\n')).toEqual([
    { name: "a.b", value: "c" },
    { name: "d.e.f.g", value: "true" },
  ]);
  expect(gitSettings("[a]\nb c = d\n")).toEqual(undefined);
  expect(gitSettings("a = b\n")).toEqual(undefined);
});

test("a long row of tabs in a settings file is parsed quickly", () => {
  const tookMs = cpuMsOf(() => {
    const tabs = "\t".repeat(20_000);
    expect(settingLines(`/${tabs}=${tabs}=${tabs}\u2028`)).toHaveLength(1);
    expect(settingLines(`[${tabs}\\${tabs}"]`)).toHaveLength(1);
    expect(gitSettings(`[a]\nA=${tabs}${tabs}\u2028x`)).toEqual(undefined);
  });
  expect(tookMs).toBeLessThan(3_000);
});
