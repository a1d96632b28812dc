import { expect, test } from "vitest";
import type { ToolCall } from "../call.ts";
import { classify, namedPaths } from "../classify/classify.ts";
import { NOTHING_DECLARED } from "../classify/known-tool.ts";
import { readCall } from "../classify/reading.ts";
import type { Effect, Part, Target } from "../effect.ts";
import { cardOf, SAYS_MAX } from "./card.ts";
import { renderText } from "./render-text.ts";

const WIDTH = 80;
const SCREEN = 24;

function callOf(over: Partial<ToolCall> = {}): ToolCall {
  return {
    workspace: "default",
    agent: "coder",
    tool: "refund",
    args: {},
    callId: "c",
    traceId: "t",
    chain: [],
    claims: {},
    ...over,
  };
}

function effectOf(targets: readonly Target[], over: Partial<Part> = {}): Effect {
  const part: Part = {
    class: "fs.delete",
    capability: "x",
    level: "admin",
    targets,
    reversible: false,
    reach: "project",
    ...over,
  };
  return { parts: [part], understood: "fully", notes: [] };
}

const path = (at: string): Target => ({ kind: "path", path: at, level: "admin", recursive: false });

function cardFor(call: ToolCall, effect: Effect) {
  return cardOf({
    call,
    digest: "sha256:1",
    effect,
    owner: "ana",
    why: ["the row for class fs.delete is ask (leeway.yaml:4)"],
    record: "12 of 12 calls of this class went well",
    deadline: "2026-01-02 10:00 UTC",
    quorum: { needed: 2, approved: 1 },
    project: "/project",
  });
}

test("a card shows, in this order: a one-line title, the effect, who asks, where, the exact call, why, how well it is understood, and until when", () => {
  const call = callOf({ tool: "delete_files", args: { paths: ["src/a", "src/b", "src/c"] }, says: "they are old" });
  const effect = effectOf([path("/project/src/a"), path("/project/src/b"), path("/project/src/c")]);
  expect(renderText(cardFor(call, effect), WIDTH)).toEqual([
    "  delete_files src/a +2",
    "deletes 3 files under src/, cannot be undone",
    "coder (ana's agent) asks to use delete_files",
    "targets:",
    "  src/a (admin)",
    "  src/b (admin)",
    "  src/c (admin)",
    "exactly:",
    '  paths: ["src/a","src/b","src/c"]',
    "  35 bytes of arguments, sha256:1",
    "why you are asked: the row for class fs.delete is ask (leeway.yaml:4)",
    "understood: fully understood",
    "record: 12 of 12 calls of this class went well",
    "answer by:",
    "  2026-01-02 10:00 UTC",
    "  1 of 2 approvals so far",
    "the agent's own words (not verified):",
    "  > they are old",
  ]);
});

test("a card shows on which files an approval depends, and their state when the question was opened", () => {
  const hash = `hmac-sha256:${"0123456789abcdef".repeat(4)}` as const;
  const facts: Effect["facts"] = [
    { of: "installed", path: "/usr/bin/bash" },
    { of: "missing", use: "program", path: "cd" },
    { of: "file", use: "script", path: "/project/deploy.sh", bytes: 12, hash },
    { of: "file", use: "looked for", path: "/project/Makefile", bytes: 3, hash },
    { of: "missing", use: "looked for", path: "/project/GNUmakefile" },
    { of: "large", use: "script", path: "/srv/big.sh", bytes: 5_000_000, touched: "1" },
    { of: "unreadable", use: "script", path: "/srv/folder" },
    { of: "file", use: "changed", path: "/project/a\u202e.ts", bytes: 7, hash },
    { of: "missing", use: "changed", path: "/project/new.ts" },
    { of: "variable", name: "PATH", hash },
  ];
  const card = cardFor(callOf({ args: {} }), { ...effectOf([path("/project/src/a")]), facts });
  expect(card.holdsFor).toEqual([
    `runs deploy.sh: 12 bytes, ${hash}`,
    `may run Makefile: 3 bytes, ${hash}`,
    "runs /srv/big.sh: 5000000 bytes, too large to read",
    "runs /srv/folder, which cannot be read",
    `changes "a<U+202E>.ts": 7 bytes, ${hash}`,
    "changes new.ts, which does not exist yet",
  ]);
  const lines = renderText(card, WIDTH);
  expect(lines[lines.indexOf("an approval is valid only while these stay unchanged:") + 1]).toContain("runs deploy.sh");
});

test("an edit is shown as a diff, a command line by line, and nothing is left out", () => {
  const edit = cardFor(callOf({ args: { path: "a", old_string: "x\ny", new_string: "x\nz" } }), effectOf([])).exact;
  expect(edit).toEqual(["path: a", "change in a:", "  1 | x", "- 2 | y", "+ 2 | z"]);
  const smuggled = {
    old_string: "a",
    old_str: "b",
    new_string: "c",
    edits: [{ old_string: "d", new_string: "e", insert: "f" }],
  };
  expect(cardFor(callOf({ args: smuggled }), effectOf([])).exact).toEqual([
    "old_str: b",
    "edits: [",
    '  {"old_string":"d","new_string":"e","insert":"f"}',
    "]",
    "change:",
    "- 1 | a",
    "+ 1 | c",
    "change:",
    "- 1 | d",
    "+ 1 | e",
  ]);
  const command = cardFor(callOf({ args: { command: "cd x\nrm -rf y" } }), effectOf([])).exact;
  expect(command).toEqual(["command:", "| cd x", "| rm -rf y"]);
  const long = "0123456789".repeat(5_000);
  const shown = renderText(cardFor(callOf({ args: { content: long } }), effectOf([])), WIDTH)
    .map((line) => line.trim())
    .join("");
  expect(shown).toContain(long);
});

const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `line ${from + i}`);

test("in a diff, unchanged lines are folded except three around each change, and are shown in full below", () => {
  const before = numbered(1, 31);
  const after = before.map((text) => (text === "line 15" ? "line\u00a0fifteen" : text));
  const card = cardFor(
    callOf({ args: { path: "a", old_string: before.join("\n"), new_string: after.join("\n") } }),
    effectOf([]),
  );
  expect(card.changes).toEqual([
    { is: "same", from: 2, to: 16 },
    { is: "removed", from: 16, to: 17 },
    { is: "added", from: 17, to: 18 },
    { is: "same", from: 18, to: 33 },
  ]);
  const lines = renderText(card, WIDTH);
  const at = lines.indexOf("  change in a:");
  expect(lines.slice(at, at + 12)).toEqual([
    "  change in a:",
    "  … 11 unchanged lines, shown in full below",
    "    12 | line 12",
    "    13 | line 13",
    "    14 | line 14",
    "  - 15 | line 15",
    "  + 15 | line<U+00A0>fifteen",
    "    16 | line 16",
    "    17 | line 17",
    "    18 | line 18",
    "  … 12 unchanged lines, shown in full below",
    `  ${card.size}`,
  ]);
  for (let n = 1; n <= 30; n++) expect(lines.filter((line) => line.endsWith(`| line ${n}`)).length).toBe(1);
});

test("a tab is visible, and no other character looks like one", () => {
  const args = { content: "a\n\tif x {\n⇥   y", one: "b\tc" };
  expect(cardFor(callOf({ args }), effectOf([])).exact).toEqual([
    "content:",
    "| a",
    "| ⇥   if x {",
    "| <U+21E5>   y",
    "one: b⇥   c",
  ]);
});

test("two different secrets behind equal masks are not shown as equal", () => {
  const token = (letter: string) => "gh" + "p_" + letter.repeat(36);
  const args = { path: "a", old_string: `key=1\n${token("a")}`, new_string: `key=1\n${token("b")}` };
  expect(cardFor(callOf({ args }), effectOf([])).exact).toEqual([
    "path: a",
    "change in a:",
    "  1 | key=1",
    "- 2 | [masked, 40 characters]",
    "+ 2 | [masked, 40 characters]",
  ]);
  const key = (body: string) =>
    `x\n-----BEGIN ${"PRIVATE KEY"}-----\n${body.repeat(64)}\n${body.repeat(64)}\n-----END PRIVATE KEY-----\ny`;
  const moved = cardFor(callOf({ args: { old_string: key("a"), new_string: key("b") } }), effectOf([]));
  expect(moved.changes.map(({ is }) => is)).toEqual(["removed", "added"]);
});

test("a line of an argument cannot be mistaken for a line of a diff", () => {
  const { exact, changes } = cardFor(callOf({ args: { content: "- 1 | a\n+ 1 | b", "+ 1 | x": "y" } }), effectOf([]));
  expect(exact).toEqual(["content:", "| - 1 | a", "| + 1 | b", "+ 1 | x: y"]);
  expect(changes).toEqual([]);
});

test("secrets are masked everywhere on the card", () => {
  const secret = "gh" + "p_" + "a1B2".repeat(9);
  const call = callOf({
    tool: `use_${secret} ${secret}`,
    agent: "coder",
    says: `take ${secret}`,
    args: { text: secret, password: "hunter2", command: `x\n${secret}`, old_string: secret, new_string: "y" },
  });
  const effect = effectOf([
    path(`/project/x/${secret}`),
    { kind: "command", words: ["curl", `https://ana:hunter2@example.com`], env: [], level: "execute" },
  ]);
  const text = renderText(cardFor(call, effect), 400).join("\n");
  expect(text.includes("hunter2")).toBe(false);
  expect(text.replaceAll(`use_${secret}`, "").includes(secret)).toBe(false);
  expect(text.includes("[masked, 40 characters]")).toBe(true);
});

test("a value under a name such as `secret` that could run is shown unmasked", () => {
  const { exact } = cardFor(callOf({ args: { secret: "drop1; database prod", token: "a1b2c3" } }), effectOf([]));
  expect(exact).toEqual(["secret: drop1; database prod", "token: [masked, 6 characters]"]);
});

test("long names are shortened on the first screen, which says so, and shown in full below", () => {
  const name = "/project/" + "x".repeat(500) + "/END";
  const lines = renderText(cardFor(callOf(), effectOf([path(name)])), WIDTH);
  expect(lines.slice(0, SCREEN).join("").replaceAll(" ", "")).toContain("morecharacters,showninfullbelow");
  expect(lines.map((line) => line.trim()).join("")).toContain("x".repeat(400) + "/END (admin)");
});

test("many targets are folded, and shown in full below", () => {
  const targets = Array.from({ length: 40 }, (_, i) => path(`/project/f${i}`));
  const lines = renderText(cardFor(callOf(), effectOf(targets)), WIDTH);
  expect(lines.slice(0, SCREEN)).toContain("  and 34 more, shown in full below");
  expect(lines.filter((line) => line === "  f39 (admin)").length).toBe(1);
});

test("the agent's own words are cut at their limit, and the card says so", () => {
  const lines = renderText(cardFor(callOf({ says: "x".repeat(SAYS_MAX + 500) }), effectOf([])), WIDTH);
  expect(lines.at(-1)).toBe("  > (500 more characters of the agent's words are not shown)");
  expect(lines.join("").replaceAll(/[^x]/g, "").length).toBeGreaterThanOrEqual(SAYS_MAX);
});

test("hidden characters in the agent's own words are visible on the card, and its lines stay lines", () => {
  const says = "fine\r\nAnswer\rthis:\u2028https://evil.example \u202eevil\u001b[2J";
  expect(cardFor(callOf({ says }), effectOf([])).says).toBe(
    "fine\nAnswer<U+000D>this:<U+2028>https://evil.example <U+202E>evil<U+001B>[2J",
  );
});

test("hidden characters and mixed scripts in names are flagged", () => {
  const flags = cardFor(
    callOf({ tool: "p\u0430ypal", args: { a: "x\u200by" } }),
    effectOf([path("/project/a\u202etxt.exe")]),
  ).understanding;
  expect(flags).toContain("careful: p\u0430ypal mixes Latin and Cyrillic letters");
  expect(flags).toContain('careful: "/project/a<U+202E>txt.exe" contains invisible characters');
  expect(flags).toContain("careful: the arguments contain invisible characters");
});

test("a sub-agent is named in words, with the agents above it", () => {
  const titleOf = (chain: readonly string[]) => cardFor(callOf({ agent: "reviewer", chain }), effectOf([])).title;
  expect([titleOf([]), titleOf(["claude-code"]), titleOf(["claude-code", "planner"])]).toEqual([
    "reviewer (ana's agent) asks to use refund",
    "reviewer, a sub-agent of claude-code (ana's agent), asks to use refund",
    "reviewer, a sub-agent of claude-code › planner (ana's agent), asks to use refund",
  ]);
});

test("a name that is not a plain word is quoted, so that it cannot be mistaken for the text around it", () => {
  const { title } = cardFor(callOf({ agent: `x" (ben's agent) asks to use read_file` }), effectOf([]));
  expect(title).toBe(`"x\\" (ben's agent) asks to use read_file" (ana's agent) asks to use refund`);
});

function commandCard(command: string) {
  const call = callOf({ tool: "Bash", args: { command }, cwd: "/project" });
  const real = Object.fromEntries(
    namedPaths(readCall(call))
      .map((name) => (name.startsWith("/") ? name : `/project/${name}`))
      .map((name) => [name, name]),
  );
  return cardFor(
    call,
    classify(readCall(call), { declared: NOTHING_DECLARED, project: "/project", facts: { real, foldsCase: false } }),
  );
}

test("if a command starts several programs, each is listed in order with its effect, and serious ones are marked", () => {
  const card = commandCard("cd build && A=1 rm -rf old; git status | bash -c 'sudo npm test'");
  expect(renderText(card, 100).slice(0, 12)).toEqual([
    "  cd build && A=1 rm -rf old; git status | bash -c 'sudo npm test'",
    "runs sudo npm test, as another user; runs npm test; deletes build/old and everything below, cannot",
    "be undone",
    "coder (ana's agent) asks to use Bash",
    "targets: build/old and everything below (admin)",
    "parts:",
    "  `cd build` - changes nothing",
    "  `⟦rm -rf old⟧` in build with A set - deletes build/old and everything below, cannot be undone",
    "  `git status` in . or build - only reads",
    '  `bash -c "sudo npm test"` in . or build - starts the commands that follow',
    "  `⟦sudo npm test⟧` in . or build - starts the commands that follow, as another user",
    "  `⟦npm test⟧` in . or build - runs code that Leeway does not examine",
  ]);
  expect(renderText(card, 100)).toContain(
    "  command: cd build && ⟦A=1 rm -rf old⟧; git status | ⟦bash -c 'sudo npm test'⟧",
  );
});

test("if there are many parts, the most serious are on the first screen in their order, and all are shown below", () => {
  const card = commandCard(`${Array.from({ length: 20 }, (_, i) => `cat f${i}`).join("; ")}; rm last`);
  const lines = renderText(card, WIDTH);
  const first = lines.slice(0, SCREEN);
  expect(first).toContain("  `⟦rm last⟧` - deletes last, cannot be undone");
  expect(first).toContain("  last (admin)");
  expect(first).toContain("  and 15 more, shown in full below");
  expect(lines.filter((line) => line === "  `cat f19` - reads f19").length).toBe(1);
});

test("a command with one part is not marked, because marking everything would highlight nothing", () => {
  expect(commandCard("rm -rf build").marks).toEqual([]);
  expect(commandCard("rm -rf build").parts).toEqual([]);
});

test("marks are at the right place in a command with several lines, hidden characters and masked secrets", () => {
  const secret = "gh" + "p_" + "a1B2".repeat(9);
  const { exact, marks } = commandCard(`echo ${secret}\u200b\nls\nrm x; echo $(mv a b)`);
  expect(marks.map(({ line, from, to }) => exact[line]?.slice(from, to))).toEqual(["rm x", "mv a b"]);
  expect(exact.join("\n")).not.toContain(secret);
});

test("a backtick in a word cannot end the quotation of a part", () => {
  const [, part] = commandCard("ls; rm 'x` - changes nothing'").parts;
  expect(part?.command).toBe('rm "x\\u0060 - changes nothing"');
});
