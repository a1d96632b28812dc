import fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolCall } from "../call.ts";
import type { Effect, Part, Target } from "../effect.ts";
import type { Grant, GrantDraft } from "../grant.ts";
import { covers } from "./cover.ts";
import { suggestGrants } from "./suggest.ts";

const call: ToolCall = {
  workspace: "default",
  agent: "coder",
  tool: "t",
  args: {},
  cwd: "/project",
  callId: "c",
  traceId: "x",
  chain: [],
  claims: {},
};

function effectOf(targets: readonly Target[], over: Partial<Effect> = {}, part: Partial<Part> = {}): Effect {
  const one: Part = {
    class: "fs.write",
    capability: "x",
    level: "write",
    targets,
    reversible: true,
    reach: "project",
    ...part,
  };
  return { parts: [one], understood: "fully", notes: [], ...over };
}

const path = (at: string, recursive = false): Target => ({ kind: "path", path: at, level: "write", recursive });
const command = (...words: string[]): Target => ({
  kind: "command",
  words,
  cwd: "/project",
  env: [],
  level: "execute",
});

function grantFrom(draft: GrantDraft): Grant {
  return {
    id: "grt_1",
    workspace: "default",
    subject: draft.subject,
    covers: draft.covers,
    tier: "auto",
    grantedBy: { person: "ana" },
    because: "",
    createdMs: 0,
    state: "live",
  };
}

test("a file is offered as itself, with its neighbours, and with everything below its folder", () => {
  expect(suggestGrants(call, effectOf([path("/project/src/a.ts")]))).toEqual([
    {
      label: "fs.write up to write: /project/src/a.ts and what lies directly in it",
      subject: { agent: "coder" },
      covers: {
        class: "fs.write",
        targets: [{ kind: "path", path: "/project/src/a.ts", recursive: false }],
        level: "write",
      },
    },
    {
      label: "fs.write up to write: /project/src and what lies directly in it",
      subject: { agent: "coder" },
      covers: {
        class: "fs.write",
        targets: [{ kind: "path", path: "/project/src", recursive: false }],
        level: "write",
      },
    },
    {
      label: "fs.write up to write: everything under /project/src/",
      subject: { agent: "coder" },
      covers: { class: "fs.write", targets: [{ kind: "path", path: "/project/src", recursive: true }], level: "write" },
    },
  ]);
});

test("the root and its children are never offered whole", () => {
  const labels = suggestGrants(call, effectOf([path("/etc/motd"), path("/a")])).map((draft) => draft.label);
  expect(labels).toEqual([
    "fs.write up to write: /etc/motd and what lies directly in it, /a and what lies directly in it",
  ]);
});

test("a command is offered as its words, its first words, its program", () => {
  const drafts = suggestGrants(
    call,
    effectOf([command("git", "status", "-s")], {}, { class: "process.exec", level: "execute" }),
  );
  expect(drafts.map((draft) => draft.label)).toEqual([
    "process.exec up to execute: `git status -s` in /project",
    "process.exec up to execute: `git status *` in /project",
    "process.exec up to execute: `git *` in /project",
  ]);
});

test("a domain is offered as itself and with all below it, never with what lies above", () => {
  const target: Target = { kind: "domain", domain: "api.co.uk", level: "read" };
  const drafts = suggestGrants(call, effectOf([target], {}, { class: "network.read", level: "read" }));
  expect(drafts.map((draft) => draft.label)).toEqual([
    "network.read up to read: api.co.uk",
    "network.read up to read: *.api.co.uk",
  ]);
});

test("nothing is offered for programs that run others, for what is not understood, and for what only a person may allow", () => {
  const programs = [
    "bash",
    "sh",
    "zsh",
    "python3",
    "python3.11",
    "node",
    "perl",
    "env",
    "sudo",
    "xargs",
    "npx",
    "/bin/bash",
    "ssh",
    "find",
    "awk",
    "timeout",
    "eval",
    "docker",
    "powershell.exe",
    "rm",
  ];
  const runs = (word: string) =>
    suggestGrants(call, effectOf([command(word, "x")], {}, { class: "process.exec", level: "execute" }));
  expect(programs.filter((word) => runs(word).length > 0)).toEqual([]);
  expect(suggestGrants(call, effectOf([path("/project/a")], { understood: "partly" }))).toEqual([]);
  expect(suggestGrants(call, effectOf([path("/project/a")], { understood: "not" }))).toEqual([]);
  for (const kind of ["permissions.change", "secrets.read", "payments.move", "unknown"] as const) {
    expect(suggestGrants(call, effectOf([path("/project/a")], {}, { class: kind }))).toEqual([]);
  }
  const refused = { code: "LEEWAY_DENIED" as const, because: "x" };
  expect(suggestGrants(call, effectOf([path("/project/a")], { refused }))).toEqual([]);
  expect(suggestGrants(call, effectOf([{ ...command("git"), env: ["PATH"] } as Target]))).toEqual([]);
  expect(suggestGrants(call, effectOf([path("src/a")]))).toEqual([]);
});

test("a tool without targets is offered by its exact name and definition", () => {
  const target: Target = { kind: "tool", tool: "t", level: "write" };
  const [draft, ...more] = suggestGrants(
    { ...call, definition: "sha256:1" },
    effectOf([target], {}, { class: "store.write" }),
  );
  expect([draft?.covers.tool, draft?.label, more]).toEqual([
    { name: "t", definition: "sha256:1" },
    "store.write up to write: t with any arguments",
    [],
  ]);
});

const names = fc.constantFrom("a", "b", "c d", "é");
const anyTarget: fc.Arbitrary<Target> = fc.oneof(
  fc
    .record({ names: fc.array(names, { minLength: 1, maxLength: 4 }), deep: fc.boolean() })
    .map((p) => path("/" + p.names.join("/"), p.deep)),
  fc.constantFrom("a.com", "b.a.com", "10.0.0.1").map((domain): Target => ({ kind: "domain", domain, level: "read" })),
  fc.array(fc.constantFrom("git", "ls", "-l", "a b"), { minLength: 1, maxLength: 4 }).map((words) => command(...words)),
);

test("every suggestion covers the call it was made for, and there are three at most", () => {
  fc.assert(
    fc.property(fc.array(anyTarget, { minLength: 1, maxLength: 4 }), (targets) => {
      const effect = effectOf(targets, {}, { level: "execute" });
      const drafts = suggestGrants(call, effect);
      expect(drafts.length).toBeLessThanOrEqual(3);
      expect(drafts.length).toBeGreaterThan(0);
      for (const draft of drafts)
        expect([draft.label, covers(grantFrom(draft), call, effect, 1)]).toEqual([draft.label, true]);
    }),
    { numRuns: 2_000 },
  );
});
