import fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolCall } from "../call.ts";
import { classify, namedPaths } from "../classify/classify.ts";
import type { Effect, Part, Target } from "../effect.ts";
import { covers } from "./cover.ts";
import { imagined, suggestGrants } from "./suggest.ts";

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

/** What is offered for a command, as its call is really understood. */
function offered(line: string): readonly string[] {
  const asked: ToolCall = { ...call, tool: "Bash", args: { command: line } };
  const real = Object.fromEntries(
    namedPaths(asked)
      .map((name) => (name.startsWith("/") ? name : `/project/${name}`))
      .map((name) => [name, name]),
  );
  const facts = { real, foldsCase: false };
  return suggestGrants(asked, classify(asked, { declared: new Map(), project: "/project", facts })).map(
    (draft) => draft.label,
  );
}

test("a command is offered as its words, its subcommand, its program", () => {
  expect(offered("git commit -m 'a b'")).toEqual([
    'git.write up to write: `git commit -m "a b"` in /project',
    "git.write up to write: `git commit *` in /project",
  ]);
  expect(offered("gh pr view 3")).toEqual([
    "network.read up to read: `gh pr view 3` in /project",
    "network.read up to read: `gh pr view *` in /project",
    "network.read up to read: `gh *` in /project",
  ]);
  expect(offered("docker compose ps -a")).toEqual([
    "fs.read up to read: `docker compose ps -a` in /project",
    "fs.read up to read: `docker compose ps *` in /project",
    "fs.read up to read: `docker *` in /project",
  ]);
});

test("options in front of a subcommand stay as they are, and no value of theirs is taken for it", () => {
  expect(offered("git -C commit commit -m x")).toEqual([
    "git.write up to write: `git -C commit commit -m x` in /project/commit",
    "git.write up to write: `git -C commit commit *` in /project/commit",
  ]);
});

test("a program without subcommands is offered with its words and its places, each wider", () => {
  expect(offered("touch src/a.ts")).toEqual([
    "fs.write up to write: /project/src/a.ts and what lies directly in it, `touch src/a.ts` in /project",
    "fs.write up to write: /project/src and what lies directly in it, `touch *` in /project",
    "fs.write up to write: everything under /project/src/, `touch *` in /project",
  ]);
});

test("a script of a package is offered by its name and what is handed to it, never wider", () => {
  expect(offered("npm run build")).toEqual([
    "process.exec up to execute: `npm run build` in /project",
    "process.exec up to execute: `npm run build` in /project, `npm run build -- *` in /project",
  ]);
  expect(offered("npm test -- --grep x")).toEqual([
    "process.exec up to execute: `npm test -- --grep x` in /project",
    "process.exec up to execute: `npm test` in /project, `npm test -- *` in /project",
  ]);
  // Whose script that is, and what runs it, is said elsewhere.
  expect(offered("npm run build --prefix /srv")).toEqual([]);
  expect(offered("npm run build --script-shell=./x")).toEqual([]);
});

test("what runs code that is not examined is offered only as its very words", () => {
  for (const line of ["npm install left-pad", "pytest -q", "mytool a b", "./deploy.sh"])
    expect([line, offered(line).length]).toEqual([line, 1]);
});

test("several things that are not alike are offered only as they are", () => {
  expect(offered("cd src && git commit -m x")).toEqual([
    "every class up to write: `cd src` in /project, `git commit -m x` in /project/src",
  ]);
  expect(offered("git add a && git commit -m x")).toEqual([
    "git.write up to write: `git add a` in /project, `git commit -m x` in /project",
    "git.write up to write: `git add *` in /project, `git commit *` in /project",
  ]);
});

test("a program whose subcommands change different things is never offered whole", () => {
  const lines = [
    "git add a",
    "git push",
    "git tag v1",
    "gh pr create --fill",
    "gh issue close 3",
    "npm dist-tag add a b",
  ];
  expect(lines.flatMap(offered).filter((label) => /`\w+ \*`/.test(label))).toEqual([]);
});

test("no rest is offered where an option of it could not be undone", () => {
  expect(offered("git push")).toEqual(["git.write up to write: `git push` in /project"]);
  expect(offered("git branch topic")).toEqual(["git.write up to write: `git branch topic` in /project"]);
  expect(offered("git reset HEAD a")).toEqual(["git.write up to write: `git reset HEAD a` in /project"]);
  expect(offered("git stash drop")).toEqual(["git.write up to write: `git stash drop` in /project"]);
});

test("no rest is offered of what tells people, or deletes what has no path: other words may do anything of the kind", () => {
  expect(offered("mail -s hello ana")).toEqual(["message.send up to write: `mail -s hello ana` in /project"]);
  expect(offered("docker rm web")).toEqual(["fs.delete up to admin: `docker rm web` in /project"]);
});

test("what has a star for its last word is not offered as its words: a grant would take the star for any rest", () => {
  for (const line of ["npm test '*'", "npm run build '*'", "docker compose up '*'"])
    expect([line, offered(line)]).toEqual([line, []]);
  expect(offered("git commit -m '*'")).toEqual(["git.write up to write: `git commit *` in /project"]);
});

const NEVER_GRANTED = [
  "deploy.write",
  "permissions.change",
  "schedule.write",
  "secrets.read",
  "payments.move",
  "unknown",
] as const;

const NEVER_OFFERED: readonly string[] = [
  "bash -c 'git commit -m x'",
  "sh build.sh",
  "eval git commit",
  "env git commit -m x",
  "env A=1 git commit -m x",
  "A=1 git commit -m x",
  "sudo git commit -m x",
  "doas ls",
  "timeout 5 git commit -m x",
  "nice git commit -m x",
  "xargs git add < list",
  "find . -exec git add {} +",
  "npx prettier -w .",
  "uvx ruff",
  "python build.py",
  "python3.11 -c 'x'",
  "/usr/bin/python3 build.py",
  "node build.js",
  "perl -e x",
  "awk '{ print }' a",
  "ssh host",
  "ssh host ls",
  "docker run alpine ls",
  "docker exec a ls",
  "kubectl exec a -- ls",
  "mytool bash -c x",
  "mytool timeout 5 x",
  "rm a",
  "git commit -m $X",
  "cat .env",
  "chmod 777 a",
  "npm config set a b",
  "watch git status",
  "busybox ls",
  "pnpm exec tsc",
  "npm publish",
  "kubectl apply -f a.yaml",
  "terraform apply",
  "at now",
];

test.each(NEVER_OFFERED)("nothing is offered for %s", (line) => {
  expect(offered(line)).toEqual([]);
});

test("a domain is offered as itself and with all below it, never with what lies above", () => {
  const target: Target = { kind: "domain", domain: "api.co.uk", level: "read" };
  const drafts = suggestGrants(call, effectOf([target], {}, { class: "network.read", level: "read" }));
  expect(drafts.map((draft) => draft.label)).toEqual([
    "network.read up to read: api.co.uk",
    "network.read up to read: *.api.co.uk",
  ]);
});

test("nothing is offered for what is not understood, and for what only a person may allow", () => {
  expect(suggestGrants(call, effectOf([path("/project/a")], { understood: "partly" }))).toEqual([]);
  expect(suggestGrants(call, effectOf([path("/project/a")], { understood: "not" }))).toEqual([]);
  for (const kind of NEVER_GRANTED)
    expect([kind, suggestGrants(call, effectOf([path("/project/a")], {}, { class: kind }))]).toEqual([kind, []]);
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
  fc
    .tuple(
      fc.constantFrom(["git", "status"], ["ls"], ["gh", "pr", "view"]),
      fc.array(fc.constantFrom("git", "ls", "-l", "a b"), { maxLength: 3 }),
    )
    .map(([named, rest]) => command(...named, ...rest)),
);

test("every suggestion covers the call it was made for, and there are three at most", () => {
  fc.assert(
    fc.property(fc.array(anyTarget, { minLength: 1, maxLength: 4 }), (targets) => {
      const effect = effectOf(targets, {}, { level: "execute" });
      const drafts = suggestGrants(call, effect);
      expect(drafts.length).toBeLessThanOrEqual(3);
      expect(drafts.length).toBeGreaterThan(0);
      for (const draft of drafts)
        expect([draft.label, covers(imagined(draft, { workspace: "default", nowMs: 0 }), call, effect, 1)]).toEqual([
          draft.label,
          true,
        ]);
    }),
    { numRuns: 2_000 },
  );
});
