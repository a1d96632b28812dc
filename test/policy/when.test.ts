import { expect, test } from "vitest";
import { parsePolicyText } from "../../src/config/policy/policy-text.ts";
import type { ToolCall } from "../../src/core/call.ts";
import { classify } from "../../src/core/classify/classify.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import { decide } from "../../src/core/decide/decide.ts";
import { namedLayers } from "../../src/core/decide/layers.ts";
import { bareStanding } from "../../src/core/decide/standing.ts";
import { describeFault } from "../../src/core/policy/tree.ts";
import { commandCall, knowing, tryingCall } from "../cases/trying.ts";

/** The tier under a policy with one rule that loosens by an expression, and so only if the expression is certain. */
function tierUnder(when: string, call: ToolCall): string {
  const rule = `{ name: r, match: { when: ${JSON.stringify(when)} }, tier: auto, because: tried }`;
  const loaded = parsePolicyText(`version: 1\ntier: deny\nrules:\n  - ${rule}\n`, "leeway.yaml");
  if (!loaded.ok) throw new Error(loaded.faults.map((fault) => describeFault(fault)).join("; "));
  const { layers, version } = namedLayers(loaded.policy);
  const standing = bareStanding(layers, version);
  return decide(call, classify(readCall(call), knowing(call)), standing, 0).tier;
}

const push = commandCall("git push origin main");
const fetch = tryingCall("http_get", { url: "https://example.com/a" });
const read = tryingCall("Read", { file_path: "src/a.ts" });

test("an expression can read the words, the path and the host of the target", () => {
  expect(
    [
      tierUnder("effect.command.exists(word, word == 'push')", push),
      tierUnder("effect.command.exists(word, word == 'pull')", push),
      tierUnder("effect.path.endsWith('/src/a.ts')", read),
      tierUnder("effect.path.endsWith('/src/b.ts')", read),
      tierUnder("effect.domain == 'example.com' && effect.method == 'GET'", fetch),
      tierUnder("effect.domain == 'example.net'", fetch),
    ].join(" "),
  ).toBe("auto deny auto deny auto deny");
});

test("a value that a call or its target does not have is empty, and does not make an expression fail", () => {
  const empty = [
    "effect.path == ''",
    "effect.domain == ''",
    "effect.method == ''",
    "call.session == ''",
    "call.run == ''",
    "call.requestedBy == ''",
  ];
  expect(empty.map((when) => tierUnder(when, push))).toEqual(empty.map(() => "auto"));
  expect(tierUnder("size(effect.command) == 0", read)).toBe("auto");
});

test("an expression that allows must be true for every target", () => {
  const both = commandCall("cat src/a.ts");
  expect(tierUnder("effect.path.endsWith('/src/a.ts')", both)).toBe("deny");
  expect(tierUnder("effect.path.endsWith('/src/a.ts') || effect.command.exists(w, w == 'cat')", both)).toBe("auto");
});
