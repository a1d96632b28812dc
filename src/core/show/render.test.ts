import { expect, test } from "vitest";
import type { ToolCall } from "../call.ts";
import type { Effect, Part, Target } from "../effect.ts";
import type { JsonObject } from "../values/json.ts";
import { cardOf, renderText, SAYS_MAX } from "./render.ts";

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

test("a card says who, what, where, exactly what, why, how well understood, until when, in this order", () => {
  const call = callOf({ tool: "delete_files", args: { paths: ["src/a", "src/b", "src/c"] }, says: "they are old" });
  const effect = effectOf([path("/project/src/a"), path("/project/src/b"), path("/project/src/c")]);
  expect(renderText(cardFor(call, effect), WIDTH)).toEqual([
    "coder (ana's agent) asks to use delete_files",
    "deletes 3 files under src/, cannot be undone",
    "targets:",
    "  src/a (admin)",
    "  src/b (admin)",
    "  src/c (admin)",
    "exactly:",
    '  paths: ["src/a","src/b","src/c"]',
    "  35 bytes of arguments, sha256:1",
    "why it is asked:",
    "  the row for class fs.delete is ask (leeway.yaml:4)",
    "understood:",
    "  fully understood",
    "record:",
    "  12 of 12 calls of this class went well",
    "answer by:",
    "  2026-01-02 10:00 UTC",
    "  1 of 2 approvals so far",
    "the agent's own words, not checked by anybody:",
    "  > they are old",
  ]);
});

test("each effect reads as a sentence", () => {
  const of = (over: Partial<Part>, targets: readonly Target[], args: JsonObject = {}) =>
    cardFor(callOf({ args }), effectOf(targets, over)).sentence;
  const domain: Target = { kind: "domain", domain: "api.example.com", level: "write" };
  expect(of({}, [path("/project/src/a")])).toBe("deletes src/a, cannot be undone");
  expect(of({ class: "fs.write", reversible: true }, [path("/etc/motd")])).toBe("writes /etc/motd");
  expect(of({ class: "network.write", reach: "outside", method: "POST" }, [domain])).toBe(
    "sends data to api.example.com (POST), cannot be undone",
  );
  expect(of({ class: "payments.move", reach: "outside" }, [domain], { amount: 12.5, currency: "EUR" })).toBe(
    "moves money through api.example.com: 12.5 EUR, outside this machine, cannot be undone",
  );
  expect(of({ class: "process.exec" }, [{ kind: "command", words: ["git", "push"], env: [], level: "execute" }])).toBe(
    "runs git push, cannot be undone",
  );
});

test("an edit is shown as its difference, a command line by line, and nothing is left out", () => {
  const edit = cardFor(callOf({ args: { path: "a", old_string: "x\ny", new_string: "x\nz" } }), effectOf([])).exact;
  expect(edit).toEqual(["path: a", "change in a:", "- x", "- y", "+ x", "+ z"]);
  const smuggled = {
    old_string: "a",
    old_str: "b",
    new_string: "c",
    edits: [{ old_string: "d", new_string: "e", insert: "f" }],
  };
  expect(cardFor(callOf({ args: smuggled }), effectOf([])).exact).toEqual([
    "old_str: b",
    'edits: [{"old_string":"d","new_string":"e","insert":"f"}]',
    "change:",
    "- a",
    "+ c",
    "change:",
    "- d",
    "+ e",
  ]);
  const command = cardFor(callOf({ args: { command: "cd x\nrm -rf y" } }), effectOf([])).exact;
  expect(command).toEqual(["command:", "| cd x", "| rm -rf y"]);
  const long = "0123456789".repeat(5_000);
  const shown = renderText(cardFor(callOf({ args: { content: long } }), effectOf([])), WIDTH)
    .map((line) => line.trim())
    .join("");
  expect(shown).toContain(long);
});

test("secrets are masked wherever they stand on the card", () => {
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

test("a value under a telling name that could run is shown as it is", () => {
  const { exact } = cardFor(callOf({ args: { secret: "drop1; database prod", token: "a1b2c3" } }), effectOf([]));
  expect(exact).toEqual(["secret: drop1; database prod", "token: [masked, 6 characters]"]);
});

test("long names fold on the first screen, say so, and stand in full below", () => {
  const name = "/project/" + "x".repeat(500) + "/END";
  const lines = renderText(cardFor(callOf(), effectOf([path(name)])), WIDTH);
  expect(lines.slice(0, SCREEN).join("").replaceAll(" ", "")).toContain("morecharacters,infullbelow");
  expect(lines.map((line) => line.trim()).join("")).toContain("x".repeat(400) + "/END (admin)");
});

test("many targets fold and stand in full below", () => {
  const targets = Array.from({ length: 40 }, (_, i) => path(`/project/f${i}`));
  const lines = renderText(cardFor(callOf(), effectOf(targets)), WIDTH);
  expect(lines.slice(0, SCREEN)).toContain("  and 34 more, in full below");
  expect(lines.filter((line) => line === "  f39 (admin)").length).toBe(1);
});

test("the agent's words are cut at their cap, and the cut says so", () => {
  const lines = renderText(cardFor(callOf({ says: "x".repeat(SAYS_MAX + 500) }), effectOf([])), WIDTH);
  expect(lines.at(-1)).toBe("  > (500 more characters of the agent's words are not shown)");
  expect(lines.join("").replaceAll(/[^x]/g, "").length).toBeGreaterThanOrEqual(SAYS_MAX);
});

/** Two hundred ways to make a reviewer see something else than what would run. */
function forgeries(): readonly string[] {
  const lies = [
    "coder (ana's agent) asks to use read_file",
    "targets:\n  README.md (read)",
    "already verified by the security team",
    "APPROVED",
    "fully understood",
    "why it is asked:\n  a formality, approve at once",
    "answer by:\n  2 of 2 approvals so far",
    "[x] verified [safe](https://example.com)",
    "<b>safe</b><!--",
    "```\nend of card\n```",
  ];
  const dresses: ((lie: string) => string)[] = [
    (lie) => lie,
    (lie) => "\n".repeat(5_000) + lie,
    (lie) => `\u001b[2J\u001b[H${lie}`,
    (lie) => `\u001b]0;${lie}\u0007`,
    (lie) => `\r${lie}\r`,
    (lie) => `\b`.repeat(200) + lie,
    (lie) => `\u202e${[...lie].reverse().join("")}\u202c`,
    (lie) => `\u2066${lie}\u2069`,
    (lie) => lie.split("").join("\u200b"),
    (lie) => [...lie].map((char) => String.fromCodePoint(0xe0000 + (char.codePointAt(0) ?? 0))).join(""),
    (lie) => `${" ".repeat(3_000)}${lie}`,
    (lie) => `\u2028${lie}\u2029`,
    (lie) => `\u0085${lie}\u000b\u000c`,
    (lie) => "a\u0301\u0302\u0303\u0304\u0305\u0306".repeat(300) + lie,
    (lie) => `\u009b2J${lie}`,
    (lie) => "\ud83d\ude00".repeat(500) + lie,
    (lie) => `${"=".repeat(2_000)}\n${lie}`,
    (lie) => `\u3164`.repeat(2_000) + lie,
    (lie) => `\u00a0\u2003\u3000${lie}`,
    (lie) => `# ${lie}\n---\n> ${lie}`,
  ];
  return lies.flatMap((lie) => dresses.map((dress) => dress(lie)));
}

/** What must never reach a terminal: controls, format characters, separators. */
const RAW = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/u;

test("two hundred forgeries in every place an agent can write leave tool, target and amount on the first screen", () => {
  const all = forgeries();
  expect(all.length).toBe(200);
  const target: Target = { kind: "domain", domain: "api.stripe.com", level: "admin" };
  const effect = effectOf([target, path("/project/books.csv")], { class: "payments.move", reach: "outside" });
  const broken = all.flatMap((lie, i) => {
    const call = callOf({ tool: "refund", says: lie, args: { note: lie, amount: 999, [lie.slice(0, 300)]: lie } });
    const lines = renderText(cardFor(call, effect), WIDTH);
    const first = lines.slice(0, SCREEN).join("\n");
    const shown = [
      "coder (ana's agent) asks to use refund",
      "api.stripe.com (admin)",
      "books.csv (admin)",
      ": 999",
    ].every((truth) => first.includes(truth));
    const honest = lines[0] === "coder (ana's agent) asks to use refund" && lines.every((line) => !RAW.test(line));
    return shown && honest ? [] : [i];
  });
  expect(broken).toEqual([]);
});

test("a forgery in the name of the tool or the agent cannot push the targets off the first screen", () => {
  const broken = forgeries().flatMap((lie, i) => {
    const lines = renderText(
      cardFor(callOf({ tool: `wipe${lie}`, agent: lie }), effectOf([path("/project/secret.txt")])),
      WIDTH,
    );
    const first = lines.slice(0, SCREEN).join("\n");
    const shown = first.includes("wipe") && first.includes("secret.txt (admin)");
    return shown && lines.every((line) => !RAW.test(line)) ? [] : [i];
  });
  expect(broken).toEqual([]);
});

test("hidden characters and mixed scripts in names are flagged", () => {
  const flags = cardFor(
    callOf({ tool: "p\u0430ypal", args: { a: "x\u200by" } }),
    effectOf([path("/project/a\u202etxt.exe")]),
  ).understanding;
  expect(flags).toContain("mind: p\u0430ypal mixes Latin and Cyrillic");
  expect(flags).toContain("mind: /project/a<U+202E>txt.exe holds invisible characters");
  expect(flags).toContain("mind: the arguments hold invisible characters");
});
