import { expect, test } from "vitest";
import { EFFECT_CLASSES, type EffectClass, REACHES } from "../effect.ts";
import { PRESETS } from "../policy.ts";
import { PRESET_HUMAN, PRESET_TABLE, presetTier } from "./presets.ts";

const row = (name: EffectClass, reach: (typeof REACHES)[number]) =>
  PRESETS.map((preset) => presetTier(preset, { class: name, reach }));

test("every class has a row with a cell for every reach", () => {
  expect(Object.keys(PRESET_TABLE).sort()).toEqual([...EFFECT_CLASSES].sort());
  for (const name of EFFECT_CLASSES) expect(Object.keys(PRESET_TABLE[name]).sort()).toEqual([...REACHES].sort());
});

test("the first version of autonomous lets run what cannot be undone, and nothing that needs a person", () => {
  const first = (name: EffectClass) => presetTier("autonomous", { class: name, reach: "outside" }, 1);
  expect(["git.write", "deploy.write", "fs.delete", "network.write"].map((name) => first(name as EffectClass))).toEqual(
    Array(4).fill("notify"),
  );
  expect(PRESET_HUMAN.map(first)).toEqual(["ask", "ask", "ask"]);
});

test("presets match the documentation", () => {
  expect(row("fs.read", "project")).toEqual(["auto", "auto", "auto"]);
  expect(row("fs.read", "outside")).toEqual(["notify", "auto", "auto"]);
  expect(row("network.read", "outside")).toEqual(["notify", "auto", "auto"]);
  expect(row("fs.write", "project")).toEqual(["ask", "notify", "auto"]);
  expect(row("fs.write", "host")).toEqual(["ask", "ask", "ask"]);
  expect(row("fs.delete", "project")).toEqual(["ask", "ask", "notify"]);
  expect(row("process.exec", "host")).toEqual(["ask", "ask", "notify"]);
  expect(row("git.write", "outside")).toEqual(["ask", "ask", "ask"]);
  expect(row("unknown", "local")).toEqual(["ask", "ask", "ask"]);
  expect(PRESET_HUMAN).toEqual(["payments.move", "secrets.read", "permissions.change"]);
});
