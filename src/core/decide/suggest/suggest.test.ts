import fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolCall } from "../../call.ts";
import { classify, namedPaths, namedSettings } from "../../classify/classify.ts";
import { NOTHING_DECLARED } from "../../classify/known-tool.ts";
import { readCall } from "../../classify/reading.ts";
import { plainSettings } from "../../classify/settings.ts";
import type { Effect, Part, Target } from "../../effect.ts";
import { covers } from "../grants.ts";
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

const drafts = (asked: ToolCall, effect: Effect) => suggestGrants(asked, effect, "/project").drafts;

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

test("for a file, three grants are offered: the file, the files in its folder, and everything below its folder", () => {
  expect(drafts(call, effectOf([path("/project/src/a.ts")]))).toEqual([
    {
      label: "/project/src/a.ts and, if it is a folder, the files directly in it (fs.write)",
      subject: { agent: "coder" },
      covers: {
        class: "fs.write",
        targets: [{ kind: "path", path: "/project/src/a.ts", recursive: false }],
        level: "write",
      },
    },
    {
      label: "/project/src and, if it is a folder, the files directly in it (fs.write)",
      subject: { agent: "coder" },
      covers: {
        class: "fs.write",
        targets: [{ kind: "path", path: "/project/src", recursive: false }],
        level: "write",
      },
    },
    {
      label: "everything under /project/src/ (fs.write)",
      subject: { agent: "coder" },
      covers: { class: "fs.write", targets: [{ kind: "path", path: "/project/src", recursive: true }], level: "write" },
    },
  ]);
});

test("the root folder and the folders directly in it are never offered as a whole", () => {
  const labels = drafts(call, effectOf([path("/etc/motd"), path("/a")])).map((draft) => draft.label);
  expect(labels).toEqual([
    "/etc/motd and, if it is a folder, the files directly in it; /a and, if it is a folder, the files directly in it (fs.write)",
  ]);
});

/** What is offered for a command, with its real classification. */
function offered(line: string): readonly string[] {
  const asked: ToolCall = { ...call, tool: "Bash", args: { command: line } };
  const real = Object.fromEntries(
    namedPaths(readCall(asked))
      .map((name) => (name.startsWith("/") ? name : `/project/${name}`))
      .map((name) => [name, name]),
  );
  const settings = plainSettings(namedSettings(readCall(asked), "/project"));
  const facts = { real, foldsCase: false, settings };
  return drafts(asked, classify(readCall(asked), { declared: NOTHING_DECLARED, project: "/project", facts })).map(
    (draft) => draft.label,
  );
}

test("a command is offered with its exact words, with its subcommand, and with its program", () => {
  expect(offered("git commit -m 'a b'")).toEqual([
    'exactly `git commit -m "a b"`, in this folder (git.write)',
    "`git commit`, any arguments, in this folder (git.write)",
  ]);
  expect(offered("gh pr view 3")).toEqual([
    "exactly `gh pr view 3`, in this folder (network.read)",
    "`gh pr view`, any arguments, in this folder (network.read)",
    "`gh`, any arguments, in this folder (network.read)",
  ]);
  expect(offered("docker compose ps -a")).toEqual([
    "exactly `docker compose ps -a`, in this folder (fs.read)",
    "`docker compose ps`, any arguments, in this folder (fs.read)",
    "`docker`, any arguments, in this folder (fs.read)",
  ]);
});

test("options before a subcommand are kept, and their values are not mistaken for the subcommand", () => {
  expect(offered("git -C commit commit -m x")).toEqual([
    "exactly `git -C commit commit -m x`, in /project/commit (git.write)",
    "`git -C commit commit`, any arguments, in /project/commit (git.write)",
  ]);
});

test("a program without subcommands is offered with its words and its paths, each time wider", () => {
  expect(offered("touch src/a.ts")).toEqual([
    "/project/src/a.ts and, if it is a folder, the files directly in it; exactly `touch src/a.ts`, in this folder (fs.write)",
    "/project/src and, if it is a folder, the files directly in it; `touch`, any arguments, in this folder (fs.write)",
    "everything under /project/src/; `touch`, any arguments, in this folder (fs.write)",
  ]);
});

test("a package script is offered by its name and with arguments after `--`, never wider", () => {
  expect(offered("npm run build")).toEqual([
    "exactly `npm run build`, in this folder (process.exec)",
    "`npm run build`, any arguments after `--`, in this folder (process.exec)",
  ]);
  expect(offered("npm test -- --grep x")).toEqual([
    "exactly `npm test -- --grep x`, in this folder (process.exec)",
    "`npm test`, any arguments after `--`, in this folder (process.exec)",
  ]);
  // These options change whose script runs, or what runs it.
  expect(offered("npm run build --prefix /srv")).toEqual([]);
  expect(offered("npm run build --script-shell=./x")).toEqual([]);
});

test("a command that runs code nobody examined is offered only with its exact words", () => {
  for (const line of ["npm install left-pad", "mytool a b", "./deploy.sh"])
    expect([line, offered(line).length]).toEqual([line, 1]);
});

test("a test or build runner of the project is offered by its name with common arguments, never wider", () => {
  expect(offered("pytest -q tests/a.py")).toEqual([
    "exactly `pytest -q tests/a.py`, in this folder (process.exec)",
    "`pytest`, any tests and common options, in this folder (process.exec)",
  ]);
  expect(offered("python -m pytest -x")).toEqual([
    "exactly `python -m pytest -x`, in this folder (process.exec)",
    "`python -m pytest`, any tests and common options, in this folder (process.exec)",
  ]);
  expect(offered("go test ./...")).toEqual([
    "exactly `go test ./...`, in this folder (process.exec)",
    "`go test`, any tests and common options, in this folder (process.exec)",
  ]);
  expect(offered("cargo test")).toEqual([
    "exactly `cargo test`, in this folder (process.exec)",
    "`cargo test`, any tests and common options, in this folder (process.exec)",
  ]);
  // An option that names a plugin, a program or another folder is remembered only literally.
  expect(offered("go test -exec ./x ./...")).toEqual([
    "exactly `go test -exec ./x ./...`, in this folder (process.exec)",
  ]);
  expect(offered("go run ./cmd")).not.toContainEqual(expect.stringContaining("any arguments"));
  expect(offered("python -m http.server")).toEqual([]);
});

test("a folder that contains the project is never offered", () => {
  const home = { ...call, cwd: "/home/ana/project" };
  const labels = (at: string) =>
    suggestGrants(home, effectOf([path(at)]), "/home/ana/project").drafts.map(({ label }) => label);
  expect(labels("/home/ana/project")).toEqual([
    "/home/ana/project and, if it is a folder, the files directly in it (fs.write)",
  ]);
  expect(labels("/home/ana/notes.txt")).toEqual([
    "/home/ana/notes.txt and, if it is a folder, the files directly in it (fs.write)",
  ]);
  expect(labels("/home/ana/project/a.ts").at(-1)).toBe("everything under /home/ana/project/ (fs.write)");
});

test("if no grant is offered, the reason is given", () => {
  const why = (over: Partial<Effect>, part: Partial<Part> = {}, target: Target = path("/project/a")) =>
    suggestGrants(call, effectOf([target], over, part), "/project").none;
  expect([
    why({ understood: "partly" }),
    why({}, { class: "deploy.write" }),
    why({}, { targets: [] }),
    why({}, {}, path("src/a")),
    why({}, {}, { ...command("git", "push"), env: ["GIT_DIR"] } as Target),
    why({}, {}, command("sudo", "ls")),
    why({}, { class: "git.write" }, command("git", "push", "*")),
    suggestGrants({ ...call, chain: ["root"] }, effectOf([path("/project/a")]), "/project").none,
    why({}),
  ]).toEqual([
    { is: "not-understood" },
    { is: "class", class: "deploy.write" },
    { is: "no-target" },
    { is: "unresolved-path" },
    { is: "variables", names: ["GIT_DIR"] },
    { is: "launcher", program: "sudo" },
    { is: "last-star" },
    { is: "sub-agent" },
    undefined,
  ]);
});

test("a call with several different parts is offered only exactly as it is", () => {
  expect(offered("cd src && git commit -m x")).toEqual([
    "exactly `cd src`, in this folder; exactly `git commit -m x`, in /project/src (any class up to write)",
  ]);
  expect(offered("git add a && git commit -m x")).toEqual([
    "exactly `git add a`, in this folder; exactly `git commit -m x`, in this folder (git.write)",
    "`git add`, any arguments, in this folder; `git commit`, any arguments, in this folder (git.write)",
  ]);
});

test("a program whose subcommands change different things is never offered as a whole", () => {
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

test("a push of a branch is offered for any branch or tag of the same remote, never forced or deleted", () => {
  const wide = "`git push origin`, any branch or tag by its name, never forced or deleted, in this folder (git.write)";
  expect(offered("git push origin feature-1")).toEqual([
    "exactly `git push origin feature-1`, in this folder (git.write)",
    wide,
  ]);
  expect(offered("git push -u origin feature-1")[1]).toBe(wide);
  const alone = ["git push --force origin a", "git push origin +a", "git push origin :a", "git push origin a:b"];
  const more = [
    "git push --tags origin",
    "git push origin --delete a",
    "git push ../other a",
    "git push --mirror origin",
  ];
  expect([...alone, ...more].flatMap(offered).filter((label) => label.includes("any branch"))).toEqual([]);
});

test("a program that deletes data or controls the machine is not called one that starts others", () => {
  const why = (...words: string[]) =>
    suggestGrants(call, effectOf([{ kind: "command", words, env: [], level: "execute" }]), "/project").none;
  expect([why("rm", "a"), why("kill", "1"), why("/bin/chmod", "+x", "a"), why("sudo", "ls"), why("bash", "a")]).toEqual(
    [
      { is: "grave", program: "rm" },
      { is: "grave", program: "kill" },
      { is: "grave", program: "/bin/chmod" },
      { is: "launcher", program: "sudo" },
      { is: "launcher", program: "bash" },
    ],
  );
});

test("a command is not offered with any arguments if one of its options could not be undone", () => {
  expect(offered("git push")).toEqual(["exactly `git push`, in this folder (git.write)"]);
  expect(offered("git branch topic")).toEqual(["exactly `git branch topic`, in this folder (git.write)"]);
  expect(offered("git reset HEAD a")).toEqual(["exactly `git reset HEAD a`, in this folder (git.write)"]);
  expect(offered("git stash drop")).toEqual(["exactly `git stash drop`, in this folder (git.write)"]);
});

test("sending messages, and deletions without a path, are not offered with other arguments", () => {
  expect(offered("mail -s hello ana")).toEqual(["exactly `mail -s hello ana`, in this folder (message.send)"]);
  expect(offered("docker rm web")).toEqual(["exactly `docker rm web`, in this folder (fs.delete)"]);
});

test("a command whose last word is a star is not offered exactly, because a grant would read the star as any arguments", () => {
  for (const line of ["npm test '*'", "npm run build '*'", "docker compose up '*'"])
    expect([line, offered(line)]).toEqual([line, []]);
  expect(offered("git commit -m '*'")).toEqual(["`git commit`, any arguments, in this folder (git.write)"]);
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

test.each(NEVER_OFFERED)("no grant is offered for %s", (line) => {
  expect(offered(line)).toEqual([]);
});

test("a domain is offered alone and with its subdomains, never with a parent domain", () => {
  const target: Target = { kind: "domain", domain: "api.co.uk", level: "read" };
  const offers = drafts(call, effectOf([target], {}, { class: "network.read", level: "read" }));
  expect(offers.map((draft) => draft.label)).toEqual(["api.co.uk (network.read)", "*.api.co.uk (network.read)"]);
});

test("no grant is offered for a call that is not understood, or that only a person may allow", () => {
  expect(drafts(call, effectOf([path("/project/a")], { understood: "partly" }))).toEqual([]);
  expect(drafts(call, effectOf([path("/project/a")], { understood: "not" }))).toEqual([]);
  for (const kind of NEVER_GRANTED)
    expect([kind, drafts(call, effectOf([path("/project/a")], {}, { class: kind }))]).toEqual([kind, []]);
  const refused = { code: "LEEWAY_DENIED" as const, because: "x" };
  expect(drafts(call, effectOf([path("/project/a")], { refused }))).toEqual([]);
  expect(drafts(call, effectOf([{ ...command("git"), env: ["PATH"] } as Target]))).toEqual([]);
  expect(drafts(call, effectOf([path("src/a")]))).toEqual([]);
});

test("a tool without targets is offered with its exact name and definition", () => {
  const target: Target = { kind: "tool", tool: "t", level: "write" };
  const [draft, ...more] = drafts(
    { ...call, definition: "sha256:1" },
    effectOf([target], {}, { class: "store.write" }),
  );
  expect([draft?.covers.tool, draft?.label, more]).toEqual([
    { name: "t", definition: "sha256:1" },
    "t with any arguments (store.write)",
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

test("every suggested grant covers the call it was made for, and at most three are suggested", () => {
  fc.assert(
    fc.property(fc.array(anyTarget, { minLength: 1, maxLength: 4 }), (targets) => {
      const effect = effectOf(targets, {}, { level: "execute" });
      const offers = drafts(call, effect);
      expect(offers.length).toBeLessThanOrEqual(3);
      expect(offers.length).toBeGreaterThan(0);
      for (const draft of offers)
        expect([draft.label, covers(imagined(draft, { workspace: "default", nowMs: 0 }), call, effect, 1)]).toEqual([
          draft.label,
          true,
        ]);
    }),
    { numRuns: 2_000 },
  );
});
