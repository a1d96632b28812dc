import fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolCall } from "../call.ts";
import { normalise } from "../classify/path.ts";
import { type Effect, LEVELS, type Level, levelSatisfies, type Part, type Target } from "../effect.ts";
import { GRANT_MS_DEFAULT, type Grant, type GrantPattern } from "../standing/grant.ts";
import { covers } from "./grants.ts";

const NOW = 1_000_000;

const call: ToolCall = {
  workspace: "default",
  agent: "coder",
  tool: "t",
  args: {},
  cwd: "/project",
  callId: "c1",
  session: "s1",
  run: "r1",
  requestedBy: "ana",
  traceId: "trace_1",
  chain: [],
  claims: {},
};

type GrantOver = Omit<Partial<Grant>, "covers"> & { covers?: Partial<Grant["covers"]> };

function grantOf({ covers: cover, ...over }: GrantOver = {}): Grant {
  return {
    id: "grt_1",
    workspace: "default",
    subject: { agent: "coder" },
    covers: { targets: [], level: "admin", ...cover },
    tier: "auto",
    grantedBy: { person: "ana" },
    because: "",
    createdMs: NOW - 1,
    untilMs: NOW + 1,
    state: "live",
    ...over,
  } as Grant;
}

function effectOf(targets: readonly Target[], over: Partial<Effect> = {}, part: Partial<Part> = {}): Effect {
  const one: Part = {
    class: "fs.write",
    capability: "x",
    level: "none",
    targets,
    reversible: true,
    reach: "project",
    ...part,
  };
  return { parts: [one], understood: "fully", notes: [], ...over };
}

const path = (at: string, over: Partial<Extract<Target, { kind: "path" }>> = {}): Target => ({
  kind: "path",
  path: at,
  level: "write",
  recursive: false,
  ...over,
});

const command = (words: string, over: Partial<Extract<Target, { kind: "command" }>> = {}): Target => ({
  kind: "command",
  words: words.split(" "),
  cwd: "/project",
  env: [],
  level: "execute",
  ...over,
});

const domain = (name: string, port?: number): Target => ({
  kind: "domain",
  domain: name,
  level: "read",
  ...(port === undefined ? {} : { port }),
});

const covered = (pattern: GrantPattern, target: Target) =>
  covers(grantOf({ covers: { targets: [pattern] } }), call, effectOf([target]), NOW);

test("a path grant covers whole names: the path itself, its children, or everything below", () => {
  const flat: GrantPattern = { kind: "path", path: "/project/src", recursive: false };
  const deep: GrantPattern = { kind: "path", path: "/project/src/", recursive: true };
  const paths = [
    "/project/src",
    "/project/src/a",
    "/project/src/a/b",
    "/project/src-backup/a",
    "/project/srcrc",
    "/project/src/../secrets/k",
    "/project",
    "/project/src/x/../a",
  ];
  expect(paths.map((at) => [covered(flat, path(at)), covered(deep, path(at))])).toEqual([
    [true, true],
    [true, true],
    [false, true],
    [false, false],
    [false, false],
    [false, false],
    [false, false],
    [true, true],
  ]);
});

test("a call that works below a folder needs a grant for everything below it", () => {
  const flat: GrantPattern = { kind: "path", path: "/project/src", recursive: false };
  expect(covered(flat, path("/project/src", { recursive: true }))).toBe(false);
  expect(covered({ ...flat, recursive: true }, path("/project/src", { recursive: true }))).toBe(true);
});

test("a path grant that is not absolute covers nothing", () => {
  for (const at of ["", ".", "..", "src", "./src", "~"]) {
    for (const recursive of [true, false]) {
      expect(
        ["/", "/etc/passwd", "/project", "src", ".", ""].filter((target) =>
          covered({ kind: "path", path: at, recursive }, path(target)),
        ),
      ).toEqual([]);
    }
  }
});

test("a domain grant covers one name, or the name with its subdomains, or any name", () => {
  const names = ["api.github.com", "github.com", "a.b.github.com", "evilgithub.com", "github.com.evil.com", "1.2.3.4"];
  const by = (pattern: string) => names.map((name) => covered({ kind: "domain", pattern }, domain(name)));
  expect(by("api.github.com")).toEqual([true, false, false, false, false, false]);
  expect(by("*.github.com")).toEqual([true, true, true, false, false, false]);
  expect(by("*.GitHub.com.")).toEqual([true, true, true, false, false, false]);
  expect(by("*")).toEqual([true, true, true, true, true, true]);
  expect(by("*.3.4")).toEqual([false, false, false, false, false, false]);
  expect(by("*.")).toEqual([false, false, false, false, false, false]);
  expect(by("")).toEqual([false, false, false, false, false, false]);
});

test("a grant for one port does not cover another port", () => {
  expect(covered({ kind: "domain", pattern: "a.com" }, domain("a.com", 8443))).toBe(false);
  expect(covered({ kind: "domain", pattern: "a.com:8443" }, domain("a.com", 8443))).toBe(true);
  expect(covered({ kind: "domain", pattern: "a.com:8443" }, domain("a.com"))).toBe(false);
});

test("a command grant compares words, in its own folder, without variables, and only if all is understood", () => {
  const git: GrantPattern = { kind: "command", words: ["git", "*"], cwd: "/project" };
  expect(covered(git, command("git status"))).toBe(true);
  expect(covered(git, command("git"))).toBe(true);
  expect(covered(git, command("gitk"))).toBe(false);
  expect(covered({ ...git, words: ["git"] }, command("git status"))).toBe(false);
  expect(covered({ ...git, words: ["*"] }, command("rm -rf /"))).toBe(true);
  expect(covered({ ...git, words: [] }, command("rm -rf /"))).toBe(false);
  expect(covered(git, command("git status", { cwd: "/elsewhere" }))).toBe(false);
  expect(covered(git, command("git status", { env: ["GIT_SSH_COMMAND"] }))).toBe(false);
  const grant = grantOf({ covers: { targets: [git] } });
  const two = effectOf([command("git status"), command("rm -rf x")]);
  expect(covers(grant, call, two, NOW)).toBe(false);
  expect(covers(grant, call, effectOf([command("git status")], { understood: "partly" }), NOW)).toBe(false);
});

test("a command grant without a folder covers only the call's own working folder", () => {
  const git: GrantPattern = { kind: "command", words: ["git", "*"] };
  expect(covered(git, command("git status", { cwd: "/project/" }))).toBe(true);
  expect(covered(git, command("git status", { cwd: "/project/sub" }))).toBe(false);
});

test("a tool grant covers only the exact name with the same definition", () => {
  const effect = effectOf([{ kind: "tool", tool: "t", level: "admin" }], { understood: "not" }, { class: "unknown" });
  const of = (tool: { name: string; definition?: `sha256:${string}` }, over: Partial<ToolCall> = {}) =>
    covers(grantOf({ covers: { tool } }), { ...call, ...over }, effect, NOW);
  expect(of({ name: "t" })).toBe(true);
  expect(of({ name: "T" })).toBe(false);
  expect(of({ name: "t", definition: "sha256:1" })).toBe(false);
  expect(of({ name: "t", definition: "sha256:1" }, { definition: "sha256:1" })).toBe(true);
  expect(of({ name: "t", definition: "sha256:1" }, { definition: "sha256:2" })).toBe(false);
  expect(of({ name: "t" }, { definition: "sha256:2" })).toBe(false);
});

test("a call that is not understood is covered only by a grant of its own tool, and never if the tool takes commands", () => {
  const partly = effectOf([path("/project/a")], { understood: "partly" });
  expect(covers(grantOf({ covers: { class: "fs.write" } }), call, partly, NOW)).toBe(false);
  expect(covers(grantOf({ covers: { tool: { name: "t" } } }), call, partly, NOW)).toBe(true);
  const runs = effectOf([command("ls")], { understood: "not" });
  expect(covers(grantOf({ covers: { tool: { name: "t" } } }), call, runs, NOW)).toBe(false);
});

test("a grant that names nothing covers nothing", () => {
  expect(covers(grantOf(), call, effectOf([path("/project/a")]), NOW)).toBe(false);
});

test("a grant of a class covers that class in every part", () => {
  const grant = grantOf({ covers: { class: "fs.write" } });
  const write = effectOf([path("/project/a")]);
  const [part] = write.parts;
  expect(covers(grant, call, write, NOW)).toBe(true);
  expect(covers(grant, call, { ...write, parts: [part, { ...part, class: "fs.delete" }] }, NOW)).toBe(false);
});

test("a part without targets is not covered by a grant of targets", () => {
  const grant = grantOf({ covers: { targets: [{ kind: "path", path: "/project", recursive: true }] } });
  expect(covers(grant, call, effectOf([]), NOW)).toBe(false);
});

test("every field of the grant's subject must match the call", () => {
  const of = (subject: Grant["subject"]) =>
    covers(grantOf({ subject, covers: { class: "fs.write" } }), call, effectOf([path("/a")]), NOW);
  expect([of({ agent: "coder", session: "s1", run: "r1", person: "ana" }), of({ agent: "other" })]).toEqual([
    true,
    false,
  ]);
  expect([of({ session: "s2" }), of({ run: "r2" }), of({ person: "ben" })]).toEqual([false, false, false]);
});

test("a grant for one agent does not cover calls that it makes as a sub-agent of another", () => {
  const of = (subject: Grant["subject"], over: Partial<ToolCall>) =>
    covers(grantOf({ subject, covers: { class: "fs.write" } }), { ...call, ...over }, effectOf([path("/a")]), NOW);
  expect([
    of({ agent: "coder" }, { chain: [] }),
    of({ agent: "coder" }, { chain: ["coder"] }),
    of({ agent: "coder" }, { chain: ["intruder"] }),
    of({ agent: "coder" }, { chain: ["coder", "intruder"] }),
    of({ agent: "coder" }, { agent: "helper", chain: ["coder"] }),
    of({ session: "s1" }, { chain: ["intruder"] }),
  ]).toEqual([true, true, false, false, false, true]);
});

test("an expired or revoked grant, or one of another workspace, covers nothing; a grant without a limit ends after a day", () => {
  const of = (over: GrantOver, atMs = NOW) =>
    covers(grantOf({ covers: { class: "fs.write" }, ...over }), call, effectOf([path("/a")]), atMs);
  expect(of({})).toBe(true);
  expect(of({ untilMs: NOW })).toBe(false);
  expect(of({ state: "revoked", atMs: NOW, by: "ana" } as GrantOver)).toBe(false);
  expect(of({ state: "expired", atMs: NOW } as GrantOver)).toBe(false);
  expect(of({ workspace: "other" })).toBe(false);
  const { untilMs: _, ...unbounded } = grantOf({ covers: { class: "fs.write" } });
  const at = (ms: number) => covers(unbounded as Grant, call, effectOf([path("/a")]), ms);
  expect([at(NOW), at(NOW - 1 + GRANT_MS_DEFAULT - 1), at(NOW - 1 + GRANT_MS_DEFAULT)]).toEqual([true, true, false]);
});

test("a level includes every lower level", () => {
  const level = fc.constantFrom<Level>(...LEVELS);
  fc.assert(
    fc.property(level, level, level, (held, wanted, whole) => {
      const effect = effectOf([path("/a", { level: wanted })], {}, { level: whole });
      const grant = grantOf({ covers: { class: "fs.write", level: held } });
      expect(covers(grant, call, effect, NOW)).toBe(levelSatisfies(held, wanted) && levelSatisfies(held, whole));
    }),
  );
});

const anyPattern: fc.Arbitrary<GrantPattern> = fc.oneof(
  fc.record({
    kind: fc.constant("path" as const),
    path: fc.constantFrom("/", "/a", "/a/b", "/a-b", "a", "", "/a/../b"),
    recursive: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("domain" as const), pattern: fc.constantFrom("*", "a.com", "*.a.com", "b.a.com") }),
  fc.record({
    kind: fc.constant("command" as const),
    words: fc.array(fc.constantFrom("git", "*", "a"), { maxLength: 3 }),
    cwd: fc.constant("/project"),
  }),
  fc.record({ kind: fc.constant("tool" as const), tool: fc.constantFrom("t", "git") }),
);

const anyTarget: fc.Arbitrary<Target> = fc.oneof(
  fc.constantFrom("/", "/a", "/a/c", "/a/b/c", "/a-b/c", "/b", "/a/b/../../c", "a").map((at) => path(at)),
  fc.constantFrom("a.com", "b.a.com", "c.com").map((name) => domain(name)),
  fc.constantFrom("git", "git a", "a", "t").map((words) => command(words)),
  fc.constant<Target>({ kind: "tool", tool: "t", level: "write" }),
);

test("a grant covers only targets of its own kind, and a further target never makes a call easier to cover", () => {
  fc.assert(
    fc.property(
      anyPattern,
      fc.array(anyTarget, { minLength: 1, maxLength: 4 }),
      anyTarget,
      (pattern, targets, more) => {
        const grant = grantOf({ covers: { targets: [pattern] } });
        const yes = covers(grant, call, effectOf(targets), NOW);
        if (yes) expect(targets.every((target) => target.kind === pattern.kind)).toBe(true);
        if (!yes) expect(covers(grant, call, effectOf([...targets, more]), NOW)).toBe(false);
      },
    ),
    { numRuns: 5_000 },
  );
});

test("a recursive path grant covers exactly the paths that start with its normalised path", () => {
  const name = fc.constantFrom("a", "b", "a-b", "..", ".", "aa");
  const anyPath = fc.array(name, { maxLength: 6 }).map((names) => "/" + names.join("/"));
  fc.assert(
    fc.property(anyPath, anyPath, (folder, at) => {
      const parts = (text: string) =>
        normalise(text)
          .split("/")
          .filter((part) => part !== "");
      const expected = parts(folder).every((part, i) => parts(at)[i] === part);
      expect(covered({ kind: "path", path: folder, recursive: true }, path(at))).toBe(expected);
    }),
    { numRuns: 5_000 },
  );
});

test("a grant for the branches of a remote covers names of branches and tags there, and no other push", () => {
  const pattern: GrantPattern = { kind: "command", words: ["git", "push", "origin", "*"], rest: "branches" };
  const yes = ["origin topic", "-u origin a/b", "--set-upstream origin HEAD", "origin v1.2 main", "-q origin tag v1"];
  const force = [
    "--force origin a",
    "-f origin a",
    "-uf origin a",
    "origin a -f",
    "--force-with-lease origin a",
    "origin +a",
  ];
  const gone = ["origin --delete a", "-d origin a", "origin :a", "--mirror origin", "--prune origin a", "origin a:b"];
  const many = [
    "origin",
    "--all origin",
    "--tags origin",
    "origin a*",
    "origin refs/heads/*:refs/heads/*",
    "origin ^a",
  ];
  const away = [
    "other a",
    "https://host.example/x a",
    "../x a",
    "--repo=other a",
    "-o x origin a",
    "--exec=x origin a",
  ];
  const isCovered = (rest: string) => covered(pattern, command(`git push ${rest}`));
  expect([yes.filter(isCovered), [...force, ...gone, ...many, ...away].filter(isCovered)]).toEqual([yes, []]);
  expect(covered(pattern, command("git -C x push origin a"))).toBe(false);
  expect(covered({ ...pattern, words: ["git", "push", "*"] }, command("git push origin a"))).toBe(false);
  expect(covered({ ...pattern, words: ["npm", "publish", "x", "*"] }, command("npm publish x y"))).toBe(false);
});
