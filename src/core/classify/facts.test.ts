import { expect, test } from "vitest";
import type { Effect, EffectClass, Target } from "../effect.ts";
import { filesUsed } from "./facts.ts";

function effectOf(targets: readonly Target[], kind: EffectClass = "process.exec"): Effect {
  const part = { class: kind, capability: "x", level: "execute" as const, reversible: false, reach: "host" as const };
  return { parts: [{ ...part, targets }], understood: "partly", notes: [] };
}

function run(line: string, env: Record<string, string> = {}): readonly string[] {
  const words = line.split(" ");
  const { files } = filesUsed(effectOf([{ kind: "command", words, cwd: "/p", env: [], level: "execute" }]), env);
  return files.map(({ use, name }) => `${use} ${name}`);
}

// Each line: a command, and the files whose content decides what it does, besides the program itself.
const LINES: readonly (readonly [string, ...string[]])[] = [
  ["git push"],
  ["./deploy.sh production"],
  ["bash deploy.sh a.log", "script ./deploy.sh"],
  ["bash -x -- -odd.sh", "script ./-odd.sh"],
  ["bash -euo pipefail deploy.sh a.log", "script ./deploy.sh"],
  ["bash -lc text deploy.sh"],
  ["bash --rcfile rc.sh -i", "script ./rc.sh"],
  ["bash --new-option perhaps deploy.sh a.log", "looked for ./perhaps", "script ./deploy.sh"],
  ["bash -"],
  ["source lib/env.sh", "script lib/env.sh"],
  ["python3.11 -u -W ignore x.py data.csv", "script ./x.py"],
  ["python3 -Wignore x.py", "script ./x.py"],
  ["python3 -c code x.py"],
  ["python3 -m a.b data", "looked for a/b.py", "looked for a/b/__init__.py", "looked for a/b/__main__.py"],
  [
    "node --import=./hook.mjs -r ./r.js /srv/x.mjs a.json",
    "script ./hook.mjs",
    "script ./r.js",
    "script /srv/x.mjs",
    ...[".js", ".json", ".node", "/package.json", "/index.js"].map((end) => `looked for /srv/x.mjs${end}`),
  ],
  ["perl -w x.pl data", "script ./x.pl"],
  ["awk -f x.awk access.log", "script ./x.awk"],
  ["awk {print} access.log"],
  ["psql -fx.sql", "script ./x.sql"],
  [
    "make -C sub -f build.mk all",
    "script sub/build.mk",
    ...["GNUmakefile", "makefile", "Makefile"].map((n) => `looked for sub/${n}`),
  ],
  ["xargs -n 1 ./do.sh /srv/file", "looked for ./do.sh", "looked for /srv/file"],
];

for (const [line, ...expected] of LINES) {
  test(`the files that \`${line}\` runs are found from its words`, () => {
    const [program = ""] = line.split(" ");
    expect(run(line)).toEqual([`program ${program}`, ...expected]);
  });
}

test("a command that only checks a script runs no file, so a missing script does not matter", () => {
  const target = { kind: "command", words: ["bash", "-n", "a.sh"], cwd: "/p", env: [], level: "read" } as const;
  expect(filesUsed(effectOf([target], "fs.read"), {}).files.map(({ use, name }) => `${use} ${name}`)).toEqual([
    "program bash",
    "looked for ./a.sh",
  ]);
});

test("files that variables name are counted as run by the program", () => {
  expect(
    run("git log", { NODE_OPTIONS: "--require=./a.js --max=1", LD_PRELOAD: "/tmp/x.so", FRUIT: "./plum" }),
  ).toEqual(["program git", "looked for /tmp/x.so", "looked for ./a.js"]);
});

test("files that are written, copied, moved or deleted are facts of the call; files that are only read are not", () => {
  const target: Target = { kind: "path", path: "/p/a", level: "write", recursive: false };
  const counted = (kind: EffectClass) => filesUsed(effectOf([target], kind), {}).files.length;
  for (const kind of ["fs.write", "fs.copy", "fs.move", "fs.delete", "permissions.change"] as const) {
    expect(counted(kind)).toBe(1);
  }
  for (const kind of ["fs.read", "fs.mkdir", "unknown", "secrets.read"] as const) expect(counted(kind)).toBe(0);
});

test("if there are too many files, the rest is not checked, and their number is reported", () => {
  const targets = Array.from(
    { length: 600 },
    (_, n): Target => ({ kind: "path", path: `/p/${n}`, level: "write", recursive: false }),
  );
  const { files, beyond } = filesUsed(effectOf(targets, "fs.write"), {});
  expect([files.length, beyond]).toEqual([500, 100]);
});
