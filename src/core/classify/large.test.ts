import { expect, test } from "vitest";
import { knowing, tryingCall } from "../../../test/cases/trying.ts";
import type { JsonObject } from "../values/json.ts";
import { classify } from "./classify.ts";
import { readCall } from "./reading.ts";

const many = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i));

const keyed = (count: number, key: (i: number) => string) =>
  Object.fromEntries(many(count, key).map((name) => [name, "v"]));

function effectOf(tool: string, args: JsonObject) {
  const call = tryingCall(tool, args);
  return classify(readCall(call), knowing(call));
}

test("a call that names more things than the limit is refused", () => {
  const refused: readonly [tool: string, args: JsonObject][] = [
    ["mcp__filesystem__read_multiple_files", { paths: many(2_001, (i) => `f${i}`) }],
    ["apply_patch", { patch: many(2_100, (i) => `*** Update File: f${i}`).join("\n") }],
    ["WebFetch", { url: many(501, (i) => `http://a${i}.example`).join(" "), prompt: "x" }],
    ["mcp__postgres__query", { sql: many(2_001, (i) => `select ${i}`) }],
    ["exec", { commands: many(3_000, (i) => `rm file-${i}.txt`) }],
    ["Read", { file_path: "a", ...keyed(1_001, (i) => `k${i}`) }],
    ["mcp__sheets__append", { rows: many(10_001, (i) => `cell ${i}`) }],
    ["Read", { file_path: "a", ["_K".repeat(3_000)]: "v" }],
    ["Bash", { command: "ls", env: keyed(501, (i) => `V${i}`) }],
    ["Grep", { pattern: "x", cwd: many(17, (i) => `d${i}`) }],
    ["Grep", { pattern: "x", glob: many(2_001, (i) => `*.x${i}`) }],
    ["http_request", { url: "http://a.example", output_path: many(2_001, (i) => `f${i}`) }],
  ];
  for (const [tool, args] of refused) expect(effectOf(tool, args).refused?.code, tool).toBe("LEEWAY_TOO_LARGE");
});

test("an SQL statement that is too long to parse counts as a write, or as a change of rights", () => {
  const long = `select ${"a, ".repeat(12_000)}b`;
  expect(effectOf("mcp__postgres__query", { sql: long }).parts.map((part) => part.class)).toEqual(["db.write"]);
  expect(
    effectOf("mcp__postgres__query", { sql: `${long}; grant all to ben` }).parts.map((part) => part.class),
  ).toEqual(["permissions.change"]);
});

test("a list of words for a program is read up to the same limit as a text", () => {
  const words = ["rm", ...many(6_000, (i) => `file${i}`)];
  expect(effectOf("shell", { command: words }).understood).toBe("not");
  expect(effectOf("shell", { command: words.slice(0, 100) }).understood).toBe("fully");
});

test("a pattern with too many alternatives counts as matching everything", () => {
  const effect = effectOf("Glob", { pattern: `{${"a,".repeat(200_000)}b}` });
  expect(effect.parts.some((part) => part.class === "secrets.read")).toBe(true);
});

test("numbers name nothing, so a long list of numbers is within the limit", () => {
  const vector = Array.from({ length: 30_000 }, (_, i) => i / 7);
  expect(effectOf("mcp__vectors__upsert", { id: "a", vector }).refused).toBe(undefined);
});

test("a path or an address that is too long is only partly understood, and what it certainly names still counts", () => {
  const read = effectOf("Read", { file_path: `${"a/../".repeat(20_000)}.env` });
  expect([read.understood, read.parts.map((part) => part.class)]).toEqual(["partly", ["secrets.read"]]);
  const fetched = effectOf("WebFetch", { url: `http://169.254.169.254/${"a".repeat(100_000)}`, prompt: "x" });
  expect([fetched.understood, fetched.parts[0]?.class]).toEqual(["partly", "secrets.read"]);
  const hidden = effectOf("WebFetch", { url: `http://${"a".repeat(65_517)}@a.example@b.example/`, prompt: "x" });
  expect([
    hidden.understood,
    hidden.parts.flatMap((part) => part.targets).filter((it) => it.kind === "domain"),
  ]).toEqual(["partly", []]);
});
