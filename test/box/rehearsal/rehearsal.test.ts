import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { withLock } from "../../../src/box/rehearsal/lock.ts";
import { openRehearsals } from "../../../src/box/rehearsal/rehearsals.ts";
import { sha256 } from "../../../src/core/values/hash.ts";
import { operate, treeOf } from "./operations.ts";
import { newPlace, rehearse } from "./rehearse.ts";

const file = (text: string, mode = 0o644) => ({
  kind: "file",
  bytes: Buffer.byteLength(text),
  hash: sha256(text),
  mode,
});

test("changes are the true differences: added, changed, removed, replaced, with states before and after", async () => {
  using place = newPlace();
  const { project, rehearsals } = place;
  mkdirSync(join(project, "folder/inner"), { recursive: true });
  writeFileSync(join(project, "folder/inner/file"), "inner");
  writeFileSync(join(project, "same"), "same");
  writeFileSync(join(project, "changed"), "before");
  const line = `echo same | tr -d '\\n' > same; printf after > changed; rm -r folder; mkdir folder; ln -s /no-such-folder/outside folder/link
    chmod 600 same; chmod 644 same; mkdir empty; echo 1 > x; rm x; echo cache > ../cache; touch ../../outside-of-home || true`;
  const { name, changes, refused, errors } = await rehearse(place, line);
  expect([errors, refused]).toEqual(["", []]);
  const expected = [
    { path: "changed", was: file("before"), now: file("after") },
    { path: "empty", was: null, now: { kind: "folder", mode: 0o755 } },
    { path: "folder/inner", was: { kind: "folder", mode: 0o755 }, now: null },
    { path: "folder/inner/file", was: file("inner"), now: null },
    { path: "folder/link", was: null, now: { kind: "link", to: "/no-such-folder/outside" } },
  ];
  expect(changes).toEqual(expected);
  expect(await rehearsals.read(name)).toEqual(expected);
  const bytes = async (path: string, which: "was" | "now", max = 100) =>
    Buffer.from((await rehearsals.bytes(name, path, which, max)) ?? "(none)").toString();
  expect(await bytes("changed", "was")).toBe("before");
  expect(await bytes("changed", "now", 3)).toBe("aft");
  expect(await bytes("empty", "now")).toBe("(none)");
  expect(existsSync(join(place.home, "cache"))).toBe(false);
  await rehearsals.drop(name);
  expect(await rehearsals.read(name)).toBeUndefined();
  await expect(rehearsals.apply(name)).rejects.toThrow("there are no changes");
});

test("a mode that shuts out the owner is refused with everything below it, so that nothing is half done and undo works", async () => {
  using place = newPlace();
  const { project, rehearsals } = place;
  operate(project, [
    { do: "mkdir", path: "work" },
    { do: "write", path: "work/notes", text: "ten hours" },
    { do: "mkdir", path: "src" },
    { do: "write", path: "src/a", text: "a" },
    { do: "mkdir", path: "new" },
    { do: "write", path: "new/b", text: "b" },
  ]);
  const before = treeOf(project);
  const line = `echo gone > work/notes; chmod 000 work; rm src/a; chmod 300 src; rm -r new; mkdir new; chmod 100 new
    mkdir z; echo q > z/q; chmod 000 z; echo q > q; chmod 000 q; echo x > x; mkdir closed; echo c > closed/c; chmod 555 closed`;
  const { name, changes, refused } = await rehearse(place, line);
  const why = "its mode would shut out its owner";
  expect(refused).toEqual(["new", "q", "src", "work", "z"].map((path) => ({ of: "change", path, why })));
  expect(changes.map(({ path }) => path)).toEqual(["closed", "closed/c", "x"]);
  expect(await rehearsals.apply(name)).toEqual({ ok: true, undo: name });
  expect(await rehearsals.undo(name)).toEqual(expect.objectContaining({ ok: true }));
  expect(treeOf(project)).toEqual(before);
});

test("what cannot be applied is refused, and the rest can be applied", async () => {
  using place = newPlace();
  writeFileSync(join(place.project, "linked"), "a");
  linkSync(join(place.project, "linked"), join(place.home, "other-name"));
  const line = `mkfifo pipe; printf x > "$(printf 'no\\377utf8')"; echo s > setuid; chmod 4755 setuid; echo b >> linked; ln -s "$(printf 'to\\377')" link
    mkdir d; echo ok > d/fine`;
  const { name, changes, refused } = await rehearse(place, line);
  expect(changes.map(({ path }) => path)).toEqual(["d", "d/fine"]);
  expect(refused.map(({ path, why }) => [path, why])).toEqual([
    ["link", "the target of the link is no UTF-8"],
    ["linked", "the file has several names (hard links), and the change would apply to one of them"],
    ["no\ufffdutf8", "its name is no UTF-8"],
    ["pipe", "it is a named pipe"],
    ["setuid", "it has a setuid or setgid bit"],
  ]);
  expect(await place.rehearsals.apply(name)).toEqual({ ok: true, undo: name });
  expect(Object.keys(treeOf(place.project))).toEqual([".", "d", "d/fine", "linked"]);
});

test("more changes than the bound are refused together", async () => {
  using place = newPlace();
  const { changes, refused } = await rehearse(place, "mkdir d; cd d; seq 100001 | xargs touch");
  expect(changes).toEqual([]);
  expect(refused).toEqual([{ of: "change", path: ".", why: "more than 100000 files were changed" }]);
});

test("more bytes than the bound are refused together", async () => {
  using place = newPlace();
  const { changes, refused } = await rehearse(place, "for i in 1 2 3; do truncate -s 700M $i; done");
  expect(changes).toEqual([]);
  expect(refused).toEqual([{ of: "change", path: ".", why: "the changed files have more than 2000000000 bytes" }]);
});

test("sparse files stay sparse, and times are those of the rehearsal", async () => {
  using place = newPlace(tmpdir());
  const { name } = await rehearse(place, "truncate -s 50M sparse; printf end >> sparse; touch -d @1000000000 sparse");
  expect(await place.rehearsals.apply(name)).toEqual({ ok: true, undo: name });
  const { size, blocks, mtimeMs } = statSync(join(place.project, "sparse"));
  expect([size, blocks < 1_000, mtimeMs]).toEqual([50 * 1024 * 1024 + 3, true, 1_000_000_000_000]);
});

type Trick = [what: string, trick: (project: string, kept: string) => void, moved: string[]];

/** Things that somebody does between the rehearsal and its application. */
const TRICKS: Trick[] = [
  ["a file was changed", (project) => writeFileSync(join(project, "folder/file"), "other"), ["folder/file"]],
  ["its mode was changed", (project) => chmodSync(join(project, "folder/file"), 0o600), ["folder/file"]],
  ["a file was removed", (project) => rmSync(join(project, "folder/file")), ["folder/file"]],
  ["a new file is there already", (project) => writeFileSync(join(project, "folder/new"), ""), ["folder/new"]],
  [
    "a folder was replaced by a link to outside",
    (project) => {
      renameSync(join(project, "folder"), join(project, "../outside"));
      symlinkSync("../outside", join(project, "folder"));
    },
    ["folder/file", "folder/new"],
  ],
  [
    "a file was replaced by a link to the same bytes",
    (project) => {
      renameSync(join(project, "folder/file"), join(project, "../outside"));
      symlinkSync("../../outside", join(project, "folder/file"));
    },
    ["folder/file"],
  ],
  ["the kept bytes were changed", (_, kept) => writeFileSync(join(kept, "folder/new"), "evil"), ["folder/new"]],
  ["the kept bytes were removed", (_, kept) => rmSync(join(kept, "folder/new")), ["folder/new"]],
  [
    "the kept file was replaced by a link",
    (_, kept) => {
      rmSync(join(kept, "folder/new"));
      symlinkSync("/no-such-folder/outside", join(kept, "folder/new"));
    },
    ["folder/new"],
  ],
  [
    "the folder of the kept file was replaced by a link",
    (_, kept) => {
      renameSync(join(kept, "folder"), join(kept, "../away"));
      symlinkSync("../away", join(kept, "folder"));
    },
    ["folder/file"],
  ],
];

test.each(TRICKS)("nothing is applied if %s", async (_, trick, moved) => {
  using place = newPlace();
  const { project, rehearsals, state, home } = place;
  mkdirSync(join(project, "folder"));
  writeFileSync(join(project, "folder/file"), "before");
  const { name } = await rehearse(place, "echo after > folder/file; echo new > folder/new; echo more > more");
  trick(project, join(state, "box/rehearsals", name, "project/upper"));
  const before = treeOf(home);
  expect(await rehearsals.apply(name)).toEqual({ ok: false, moved });
  expect(treeOf(home)).toEqual(before);
  const undo = join(state, "box/undo");
  expect(existsSync(undo) ? readdirSync(undo) : []).toEqual([]);
});

test("a file that somebody changed while the program ran is not overwritten", async () => {
  using place = newPlace();
  const path = join(place.project, "file");
  writeFileSync(path, "before");
  const line = `echo program >> file; touch '${place.root}/began'; until [ -e '${place.root}/changed' ]; do sleep 0.01; done`;
  const rehearsed = rehearse(place, line);
  await expect.poll(() => existsSync(join(place.root, "began"))).toBe(true);
  writeFileSync(path, "by hand");
  writeFileSync(join(place.root, "changed"), "");
  const { name } = await rehearsed;
  expect(await place.rehearsals.apply(name)).toEqual({ ok: false, moved: ["file"] });
  expect(readFileSync(path, "utf8")).toBe("by hand");
});

test("a manifest with a path that leads out of the project applies nothing", async () => {
  for (const path of ["../out", "a/../../out", "/etc/out", "", "."]) {
    using place = newPlace();
    const { name } = await rehearse(place, "echo new > new");
    const manifest = join(place.state, "box/rehearsals", name, "manifest.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"path":"new"', `"path":${JSON.stringify(path)}`));
    await expect(place.rehearsals.apply(name)).rejects.toThrow("is not a path inside a folder");
    expect(treeOf(place.project)).toEqual({ ".": "folder 755" });
    expect([join(place.home, "out"), "/etc/out"].filter((one) => existsSync(one))).toEqual([]);
  }
});

test("an undo is refused if somebody changed a file since, and then nothing is undone", async () => {
  using place = newPlace();
  const { project, rehearsals } = place;
  operate(project, [
    { do: "write", path: "a", text: "a" },
    { do: "write", path: "b", text: "b" },
  ]);
  const { name } = await rehearse(place, "echo 1 > a; rm b; mkdir d; echo 2 > d/e");
  await rehearsals.apply(name);
  writeFileSync(join(project, "d/by-hand"), "");
  const before = treeOf(project);
  expect(await rehearsals.undo(name)).toEqual({ ok: false, moved: ["d"] });
  expect(treeOf(project)).toEqual(before);
  rmSync(join(project, "d/by-hand"));
  writeFileSync(join(project, "a"), "3");
  expect(await rehearsals.undo(name)).toEqual({ ok: false, moved: ["a"] });
  writeFileSync(join(project, "a"), "1\n");
  expect(await rehearsals.undo(name)).toEqual({ ok: true, undo: `${name}-undo1` });
  expect(treeOf(project)).toEqual({ ".": "folder 755", a: "file 644 a", b: "file 644 b" });
});

test("undo records are kept for seven days and for a gigabyte, the oldest are dropped first", async () => {
  using place = newPlace();
  const names: string[] = [];
  for (const day of [0, 1, 2]) {
    const { name } = await rehearse(place, `echo ${day} >> big`);
    await place.rehearsals.apply(name);
    names.push(name);
    const path = join(place.state, "box/undo", name, "journal.json");
    const journal = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...journal, atMs: day * 86_400_000, bytes: 400_000_000 }));
  }
  const [first = "", second = "", third = ""] = names;
  const tidyAt = async (day: number) => {
    expect(await openRehearsals(place.state, () => day * 86_400_000).tidy()).toEqual([]);
    return readdirSync(join(place.state, "box/undo")).sort();
  };
  expect(await tidyAt(3)).toEqual([second, third].sort());
  // A look an hour ago is recent enough.
  expect(await tidyAt(3.01)).toEqual([second, third].sort());
  expect(await tidyAt(8.5)).toEqual([third]);
  await expect(place.rehearsals.undo(first)).rejects.toThrow("nothing to undo");
  expect(await place.rehearsals.undo(third)).toMatchObject({ ok: true });
});

test("changes that nobody decided about are kept for seven days, and what still runs as long as it runs", async () => {
  using place = newPlace();
  const folder = join(place.state, "box/rehearsals");
  const { name: undecided } = await rehearse(place, "echo 1 > a");
  const running = await place.rehearsals.begin({ project: place.project, way: "overlay" });
  const dead = await place.rehearsals.begin({ project: place.project, way: "overlay" });
  const manifest = join(folder, dead.name, "manifest.json");
  // No process has this number.
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace(`"by":${process.pid}`, '"by":4194305'));
  mkdirSync(join(folder, "unwritten"));
  mkdirSync(join(folder, "torn"));
  writeFileSync(join(folder, "torn", "manifest.json"), '{"version":1,');
  mkdirSync(join(place.state, "box/undo/half-removed/was"), { recursive: true });
  const tidyIn = async (days: number) => {
    expect(await openRehearsals(place.state, () => Date.now() + days * 86_400_000).tidy()).toEqual([]);
    return readdirSync(folder).sort();
  };
  expect(await tidyIn(6.9)).toEqual([dead.name, running.name, undecided, "torn", "unwritten"].sort());
  expect(readdirSync(join(place.state, "box/undo"))).toEqual([]);
  expect(await tidyIn(7.1)).toEqual([running.name]);
});

test("while another process changes files nothing is removed, and nobody waits for it", async () => {
  using place = newPlace();
  const { name } = await rehearse(place, "echo 1 > a");
  const later = openRehearsals(place.state, () => Date.now() + 8 * 86_400_000);
  await withLock(join(place.state, "box"), async () => {
    expect(await later.tidy()).toEqual([]);
    expect(readdirSync(join(place.state, "box/rehearsals"))).toEqual([name]);
  });
  expect(await later.tidy()).toEqual([]);
  expect(readdirSync(join(place.state, "box/rehearsals"))).toEqual([]);
});

test("a rehearsal over a folder with a mount in it, or with the state folder in it, is refused", async () => {
  using place = newPlace(tmpdir());
  const begin = (project: string) => place.rehearsals.begin({ project, way: "overlay" });
  await expect(begin("/dev")).rejects.toThrow("is a mount of its own inside of it");
  await expect(begin(dirname(place.state))).rejects.toThrow("the state folder of Leeway is inside of it");
  symlinkSync(place.project, join(place.home, "linked"));
  await expect(begin(join(place.home, "linked"))).rejects.toThrow("not the real path");
});

test("the ability to rehearse is tried for real, and leaves nothing behind", async () => {
  using place = newPlace();
  expect(await place.rehearsals.ability()).toEqual({ ok: true, way: "overlay" });
  expect(readdirSync(join(place.state, "box"))).toEqual(["rehearsals"]);
  expect(readdirSync(join(place.state, "box/rehearsals"))).toEqual([]);
});

test("what somebody changed after a crash is kept, the rest is put back, and recover says so once", async () => {
  using place = newPlace();
  const { project, state, rehearsals } = place;
  operate(project, [
    { do: "write", path: "a", text: "a" },
    { do: "write", path: "b", text: "b" },
  ]);
  const { name } = await rehearse(place, "echo 1 > a; echo 2 > b; echo 3 > c");
  await rehearsals.apply(name);
  const path = join(state, "box/undo", name, "journal.json");
  writeFileSync(path, readFileSync(path, "utf8").replace('"state":"applied"', '"state":"applying"'));
  writeFileSync(join(project, "b"), "by hand");
  await expect(rehearsals.recover(project)).rejects.toThrow("except files that somebody changed since: b.");
  expect(treeOf(project)).toEqual({ ".": "folder 755", a: "file 644 a", b: "file 644 by hand" });
  expect(readFileSync(join(state, "box/undo", name, "was/1"), "utf8")).toBe("b");
  await rehearsals.recover(project);
});

test("code that runs after a crash sees what was begun completed, and not files of two states", async () => {
  using place = newPlace();
  const { project, state, rehearsals } = place;
  operate(project, [
    { do: "write", path: "a", text: "a" },
    { do: "write", path: "b", text: "b" },
  ]);
  const { name } = await rehearse(place, "echo 1 > a; echo 2 > b");
  await rehearsals.apply(name);
  const path = join(state, "box/undo", name, "journal.json");
  const journal = readFileSync(path, "utf8").replace('"state":"applied"', '"state":"applying"');
  writeFileSync(path, journal);
  writeFileSync(join(project, "b"), "b");
  const { staging } = JSON.parse(journal);
  mkdirSync(staging);
  writeFileSync(join(staging, "1"), "2\n", { mode: 0o644 });
  const seen = await rehearse(place, "cat a b > seen");
  await rehearsals.apply(seen.name);
  expect(readFileSync(join(project, "seen"), "utf8")).toBe("1\n2\n");
});

test("if somebody put some files back by hand after a crash, as git checkout does, the others are put back too", async () => {
  using place = newPlace();
  const { project, state, rehearsals } = place;
  operate(project, [
    { do: "write", path: "a", text: "a" },
    { do: "write", path: "b", text: "b" },
  ]);
  const { name } = await rehearse(place, "echo 1 > a; echo 2 > b; echo 3 > c");
  await rehearsals.apply(name);
  const path = join(state, "box/undo", name, "journal.json");
  writeFileSync(path, readFileSync(path, "utf8").replace('"state":"applied"', '"state":"applying"'));
  writeFileSync(join(project, "a"), "a");
  await rehearsals.recover(project);
  expect(treeOf(project)).toEqual({ ".": "folder 755", a: "file 644 a", b: "file 644 b" });
  expect(await rehearsals.interrupted()).toEqual([]);
});

test("changes in a project that can be neither completed nor put back stop that project alone, until somebody helps", async () => {
  using place = newPlace();
  const { project, state, rehearsals } = place;
  operate(project, [
    { do: "write", path: "a", text: "a" },
    { do: "write", path: "b", text: "b" },
  ]);
  const { name } = await rehearse(place, "echo 1 > a; echo 2 > b");
  await rehearsals.apply(name);
  const path = join(state, "box/undo", name, "journal.json");
  const journal = readFileSync(path, "utf8").replace('"state":"applied"', '"state":"reverting"');
  writeFileSync(path, journal);
  renameSync(join(state, "box/undo", name, "was"), join(state, "box/away"));
  await expect(rehearsals.recover(project)).rejects.toThrow("can be neither completed nor put back");
  expect(await rehearsals.interrupted()).toEqual([project]);
  await rehearsals.recover(`${project}-other`);
  renameSync(join(state, "box/away"), join(state, "box/undo", name, "was"));
  await rehearsals.recover(project);
  expect(treeOf(project)).toEqual({ ".": "folder 755", a: "file 644 a", b: "file 644 b" });
  expect(await rehearsals.interrupted()).toEqual([]);
});

test("the folder of a rehearsal can be read by its user alone", async () => {
  using place = newPlace();
  const { name } = await rehearse(place, "echo secret > secret");
  for (const path of ["box", "box/rehearsals", `box/rehearsals/${name}`])
    expect(lstatSync(join(place.state, path)).mode & 0o777).toBe(0o700);
  await place.rehearsals.apply(name);
  for (const path of ["box/undo", `box/undo/${name}`, "box/staging"])
    expect(lstatSync(join(place.state, path)).mode & 0o777).toBe(0o700);
});

test("what is kept of a rehearsal has no folder that its user cannot look into", async () => {
  using place = newPlace();
  await rehearse(place, "echo 1 > file");
  const kept = readdirSync(place.state, { recursive: true, encoding: "utf8" }).map((name) => join(place.state, name));
  const folders = kept.map((path) => lstatSync(path)).filter((found) => found.isDirectory());
  expect([folders.length > 4, folders.every(({ mode }) => (mode & 0o700) === 0o700)]).toEqual([true, true]);
});
