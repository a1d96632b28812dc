import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCodexRules } from "../../src/config/parse/codex-rules.ts";
import { readToml } from "../../src/config/parse/toml.ts";
import type { Tree } from "../../src/core/policy/tree.ts";
import { deciding, decidingTree } from "../seeds/importing.ts";
import {
  claudeCommand,
  codexCommand,
  geminiCommand,
  gitignoreMatches,
  type HostDecision,
  opencodeCommand,
  opencodeDecision,
  strictestOf,
} from "./host-models.ts";

// What a host denied or asked about never runs without a question after the import: the decisions of the imported
// policy are compared with a model of the host's own decisions, over generated settings and calls.

const RUNS = ["auto", "notify"];
const runs = (tier: string) => RUNS.includes(tier);

const word = fc.constantFrom(
  ...["git", "npm", "rm", "ls", "cat", "status", "push", "run", "test", "-rf", "--force", "main", "src", "a.txt", "."],
);
const program = fc.constantFrom("git", "npm", "rm", "ls", "cat", "nice", "env", "mkdir", "echo", "timeout 5", "sudo");
const command = fc.tuple(program, fc.array(word, { maxLength: 3 })).map(([first, rest]) => [first, ...rest].join(" "));
const text = fc.oneof(
  { weight: 4, arbitrary: command },
  {
    weight: 3,
    arbitrary: fc.tuple(command, fc.constantFrom(" && ", "; ", " | ", " || "), command).map((all) => all.join("")),
  },
  { weight: 1, arbitrary: command.map((one) => `${one} > out.txt`) },
  { weight: 1, arbitrary: fc.tuple(command, command).map(([a, b]) => `${a} $(${b})`) },
  { weight: 1, arbitrary: fc.tuple(command, command).map(([a, b]) => `${a}\n${b}`) },
  { weight: 1, arbitrary: command.map((one) => `A=1 ${one}`) },
);
const literal = fc.tuple(program, fc.array(word, { maxLength: 2 })).map(([first, rest]) => [first, ...rest].join(" "));
const starred = fc.oneof(
  literal,
  literal.map((one) => `${one} *`),
  literal.map((one) => `${one}*`),
  fc.tuple(program, word).map(([a, b]) => `${a} * ${b}`),
  word.map((one) => `* ${one}`),
);
const decision = fc.constantFrom<HostDecision>("allow", "ask", "deny");
const many = (numRuns: number) => ({ numRuns: numRuns * Number(process.env["LEEWAY_PROVE"] ? 20 : 1) });

/** A text with a newline holds two commands for the hosts too; models only split by signs. */
function eachLine(text: string, decided: (line: string) => HostDecision): HostDecision {
  return strictestOf(text.split("\n").map(decided));
}

function expectNotLooser(host: HostDecision, tier: string): void {
  if (host !== "allow") expect(runs(tier)).toBe(false);
}

test("Claude Code: no command runs unasked that its rules denied or asked about", () => {
  const pattern = fc.oneof(
    starred,
    literal.map((one) => `${one}:*`),
  );
  const lists = fc.record({
    allow: fc.array(pattern, { minLength: 1, maxLength: 4 }),
    ask: fc.array(pattern, { maxLength: 2 }),
    deny: fc.array(pattern, { maxLength: 2 }),
  });
  fc.assert(
    fc.property(lists, fc.array(text, { minLength: 5, maxLength: 12 }), (given, texts) => {
      const bash = (patterns: readonly string[]) => patterns.map((one) => `Bash(${one})`);
      const permissions = { allow: bash(given.allow), ask: bash(given.ask), deny: bash(given.deny) };
      const tier = deciding("claude-code", { permissions });
      for (const one of texts) {
        expectNotLooser(
          eachLine(one, (line) => claudeCommand(given, line)),
          tier("Bash", { command: one }),
        );
      }
    }),
    many(60),
  );
});

const segment = fc.constantFrom("src", "docs", "a.ts", "*.ts", "*", ".env", "secret*", "**");
const pathPattern = fc
  .tuple(
    fc.constantFrom("", "./", "/", "**/"),
    fc.array(segment, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "/"),
  )
  .map(([start, segments, end]) => `${start}${segments.join("/")}${end}`);
const filePath = fc
  .array(fc.constantFrom("src", "docs", "a.ts", "b.ts", ".env", "secrets", "secret.txt", "lib"), {
    minLength: 1,
    maxLength: 4,
  })
  .map((segments) => segments.join("/"));

test("Claude Code: no file is read or changed unasked that its rules protected", () => {
  const rules = fc.record({
    allow: fc.array(pathPattern, { maxLength: 3 }),
    deny: fc.array(pathPattern, { maxLength: 2 }),
  });
  fc.assert(
    fc.property(rules, rules, fc.array(filePath, { minLength: 4, maxLength: 8 }), (read, edit, paths) => {
      const of = (tool: string, patterns: readonly string[]) => patterns.map((one) => `${tool}(${one})`);
      const tier = deciding("claude-code", {
        permissions: {
          allow: [...of("Read", read.allow), ...of("Edit", edit.allow)],
          deny: [...of("Read", read.deny), ...of("Edit", edit.deny)],
        },
      });
      for (const path of paths) {
        const isIn = (patterns: readonly string[]) => patterns.some((one) => gitignoreMatches(one, path));
        const absolute = `/project/${path}`;
        if (isIn(read.deny)) {
          expect(runs(tier("Read", { file_path: absolute }))).toBe(false);
          expect(runs(tier("Bash", { command: `cat ${path}` }))).toBe(false);
          expect(runs(tier("Grep", { pattern: "x" }))).toBe(false);
        }
        if (isIn(edit.deny) || !isIn(edit.allow)) {
          expect(runs(tier("Write", { file_path: absolute, content: "x" }))).toBe(false);
        }
      }
    }),
    many(80),
  );
});

test("Codex: no command runs unasked that its rules forbade or asked about", () => {
  const rule = fc.tuple(
    fc.tuple(
      program.filter((one) => !one.includes(" ")),
      fc.array(word, { maxLength: 2 }),
    ),
    decision,
  );
  const WORDS = { allow: "allow", ask: "prompt", deny: "forbidden" } as const;
  fc.assert(
    fc.property(
      fc.array(rule, { minLength: 1, maxLength: 5 }),
      fc.array(text, { minLength: 5, maxLength: 12 }),
      (given, texts) => {
        const rules = given.map(([[first, rest], decided]) => [[first, ...rest], decided] as const);
        const source = rules
          .map(([words, decided]) => `prefix_rule(pattern=${JSON.stringify(words)}, decision="${WORDS[decided]}")`)
          .join("\n");
        const tier = decidingTree("codex", treeIn(readCodexRules(source, "default.rules")));
        for (const one of texts) {
          const host = eachLine(one, (line) => codexCommand(rules, line));
          expectNotLooser(host, tier("exec_command", { cmd: one }));
          expectNotLooser(host, tier("Bash", { command: one }));
          expectNotLooser(host, tier("shell", { command: ["bash", "-lc", one] }));
        }
      },
    ),
    many(40),
  );
});

test("Gemini CLI: no command runs unasked that its policy denied or asked about", () => {
  const rule = fc.record({ prefix: literal, decision, priority: fc.integer({ min: 0, max: 999 }) });
  const WORDS = { allow: "allow", ask: "ask_user", deny: "deny" } as const;
  const rules = fc.uniqueArray(rule, { minLength: 1, maxLength: 5, selector: ({ priority }) => priority });
  fc.assert(
    fc.property(rules, fc.array(text, { minLength: 5, maxLength: 12 }), (given, texts) => {
      const source = given
        .map(
          ({ prefix, decision: decided, priority }) =>
            `[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = ${JSON.stringify(prefix)}\ndecision = "${WORDS[decided]}"\npriority = ${priority}\n`,
        )
        .join("\n");
      const tier = decidingTree("gemini", treeIn(readToml(source, "policy.toml")));
      for (const one of texts) {
        const host = eachLine(one, (line) => (/[$`(]/.test(line) ? "ask" : geminiCommand(given, line)));
        expectNotLooser(host, tier("run_shell_command", { command: one }));
      }
    }),
    many(60),
  );
});

describe("opencode", () => {
  const lines = (pattern: fc.Arbitrary<string>) =>
    fc.uniqueArray(fc.tuple(fc.oneof({ weight: 3, arbitrary: pattern }, fc.constant("*")), decision), {
      minLength: 1,
      maxLength: 5,
      selector: ([one]) => one,
    });

  test("no command runs unasked whose last matching line asked or denied", () => {
    fc.assert(
      fc.property(lines(starred), fc.array(text, { minLength: 5, maxLength: 12 }), (given, texts) => {
        const tier = deciding("opencode", { permission: { bash: Object.fromEntries(given) } });
        for (const one of texts) {
          if (/[$`(]/.test(one)) continue;
          const host = eachLine(one, (line) => opencodeCommand(given, line.replace(/ > .*$/, "").replace(/^A=1 /, "")));
          expectNotLooser(host, tier("bash", { command: one }));
        }
      }),
      many(60),
    );
  });

  test("no file is changed unasked whose last matching line asked or denied", () => {
    const pattern = fc.oneof(
      fc
        .array(fc.constantFrom("src", "docs", "*.ts", "*", "a*", "s?c"), { minLength: 1, maxLength: 3 })
        .map((all) => all.join("/")),
    );
    fc.assert(
      fc.property(lines(pattern), fc.array(filePath, { minLength: 4, maxLength: 10 }), (given, paths) => {
        const tier = deciding("opencode", { permission: { edit: Object.fromEntries(given) } });
        for (const path of paths) {
          const host = opencodeDecision(given, path);
          expectNotLooser(host, tier("write", { filePath: `/project/${path}`, content: "x" }));
          expectNotLooser(host, tier("edit", { filePath: `/project/${path}`, oldString: "a", newString: "b" }));
        }
      }),
      many(60),
    );
  });

  test("no tool of an MCP server runs unasked whose last matching line asked or denied", () => {
    const pattern = fc.constantFrom(
      ...["filesystem_*", "filesystem*", "file*", "*_read_file", "*read*", "filesystem_read_file", "file?ystem?read*"],
      ...["github_get_issue", "github_get_*", "git_*", "git_git_status", "git?git*", "*_*", "**", "my_files_*"],
    );
    const tool = fc.constantFrom(
      ...(["filesystem read_file", "filesystem list_directory", "github get_issue", "git git_status"] as const),
      ...(["git git_log", "my_files read_file", "my-files read_file"] as const),
    );
    const where = fc.constantFrom("everywhere", "for one agent");
    fc.assert(
      fc.property(lines(pattern), fc.array(tool, { minLength: 4, maxLength: 7 }), where, (given, tools, at) => {
        const own = { permission: Object.fromEntries(given) };
        const tier = deciding("opencode", at === "everywhere" ? own : { agent: { build: own } });
        for (const [server = "", name = ""] of tools.map((one) => one.split(" "))) {
          const host = opencodeDecision(given, `${server.replace("-", "_")}_${name}`);
          expectNotLooser(host, tier(`mcp__${server}__${name}`, { path: "/project/a", repo_path: "/project" }));
        }
      }),
      many(100),
    );
  });
});

function treeIn(read: { ok: true; tree: Tree } | { ok: false; faults: readonly unknown[] }): Tree {
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return read.tree;
}
