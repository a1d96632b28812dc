import { describe, expect, test } from "vitest";
import { deciding, faultsOf, imported } from "../../test/seeds/importing.ts";

const write = { path: "src/a.ts", content: "x" };

describe("agent-core", () => {
  const given = {
    policy: "DenyAll",
    reason: "Sandbox mode",
    grants: [
      { target: { type: "path", path: "/project/src", recursive: true }, level: "Write" },
      { target: { type: "path", path: "docs/", recursive: false }, level: "Read" },
      { target: { type: "domain", pattern: "*.github.com" }, level: "Read" },
      { target: { type: "command", pattern: "git *" }, level: "Execute" },
      { target: { type: "tool", tool_name: "web_search" }, level: "Admin" },
      { target: { type: "path", path: "/tmp/*", recursive: false }, level: "Read" },
      { target: { type: "tool", tool_name: "x" }, level: "None" },
      { target: { type: "tool", tool_name: "x" }, level: "Read", expires: "2026-01-01T00:00:00Z" },
    ],
  };

  test("grants become rules before the policy, and grants that cannot be kept exactly are left out and reported", () => {
    expect(imported("agent-core", given)).toEqual({
      ok: true,
      yaml: expect.stringContaining(`version: 1
tier: deny
rules:
  - name: grant-1
    match:
      path: ["/project/src", "/project/src/**"]
      class: [fs.read, fs.write, fs.mkdir, fs.copy, fs.move]
    tier: auto
    because: "granted in agent-core at level Write"
  - name: grant-2
    match:
      path: [docs, "docs/*"]
      class: [fs.read]
    tier: auto
    because: "granted in agent-core at level Read"
  - name: grant-3
    match:
      domain: ["*.github.com"]
      method: [GET, HEAD, OPTIONS]
`),
      notCarriedOver: [
        "grant 6: `/tmp/*` would be read as a pattern",
        "grant 7: level None permits nothing",
        "grant 8: it expires (2026-01-01T00:00:00Z), but a rule does not; add it again with `leeway grants add`",
        "the text of a denial, `Sandbox mode`: a denial names its rule or row",
        "grants lasted one session in agent-core; as rules they apply until the file changes",
        "agent-core never ran a fork bomb, or a download that is piped into a shell; in Leeway such a command asks",
      ],
    });
  });

  test("decisions equal those of the source", () => {
    const tier = deciding("agent-core", given);
    expect([
      tier("write_file", { path: "/project/src/deep/a.ts", content: "x" }),
      tier("write_file", { path: "/project/src-backup/a.ts", content: "x" }),
      tier("delete_file", { path: "/project/src/a.ts" }),
      tier("read_file", { path: "docs/a.md" }),
      tier("read_file", { path: "docs/deep/a.md" }),
      tier("write_file", { path: "docs/a.md", content: "x" }),
      tier("web_search", { query: "x" }),
      tier("mkdir", { path: "x" }),
    ]).toEqual(["auto", "deny", "deny", "auto", "deny", "deny", "auto", "deny"]);
    expect(deciding("agent-core", { policy: "Interactive" })("write_file", write)).toBe("ask");
    expect(deciding("agent-core", { policy: "AutoApprove" })("write_file", write)).toBe("auto");
  });

  test("a grant for files, or for a tool that takes commands, covers no command", () => {
    const tier = deciding("agent-core", {
      policy: "Interactive",
      grants: [
        { target: { type: "path", path: "/project", recursive: true }, level: "Admin" },
        { target: { type: "tool", tool_name: "shell" }, level: "Admin" },
        { target: { type: "command", pattern: "whoami" }, level: "Execute" },
      ],
    });
    expect(
      ["rm -rf build", "whoami", "/usr/bin/whoami", "whoami; ls"].map((command) => tier("shell", { command })),
    ).toEqual(["ask", "auto", "ask", "ask"]);
  });

  test("unknown policies, kinds and levels are errors", () => {
    expect(
      faultsOf("agent-core", {
        policy: "AutoAprove",
        grants: [
          { target: { type: "paht", path: "/", recursive: true }, level: "Write" },
          { target: { type: "path", path: "/" }, level: "write" },
        ],
      }),
    ).toEqual([
      expect.stringMatching(/not a policy of that system; did you mean `AutoApprove`\?/),
      expect.stringMatching(/not a type of target of that system; did you mean `path`\?/),
      expect.stringMatching(/a path target needs the key `recursive`/),
      expect.stringMatching(/expected a level, found `write`; did you mean `Write`\?/),
    ]);
  });

  test("a star in a tool's name stays a literal star, and covers no other tool", () => {
    const target = { type: "tool", tool_name: "*" };
    const made = imported("agent-core", { policy: "DenyAll", grants: [{ target, level: "Admin" }] });
    expect(made).toMatchObject({ ok: true, notCarriedOver: ["grant 1: `*` would be read as a pattern"] });
  });
});
