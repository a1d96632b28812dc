import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { renderFault } from "../../core/policy/tree.ts";
import { inlinePolicyFiles, policyFiles } from "./policy-files.ts";

let base = "";
let nowMs = 0;
const clock = { nowMs: () => nowMs };

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "leeway-files-")));
  mkdirSync(join(base, "config"));
  mkdirSync(join(base, "outer", "inner", "deep"), { recursive: true });
  nowMs = 0;
});
afterEach(() => rmSync(base, { recursive: true }));

const path = (...parts: string[]) => join(base, ...parts);
const userPolicy = () => path("config", "leeway.yaml");
const files = (cwd: string, named?: string) =>
  policyFiles({ cwd, userPolicy: userPolicy(), home: "/home/ana", clock, ...(named === undefined ? {} : { named }) });
const shown = (found: ReturnType<ReturnType<typeof files>["current"]>) =>
  found.files.map(({ path, loaded }) =>
    loaded.ok ? [path, loaded.policy.root] : [path, loaded.faults.map((fault) => renderFault(fault).message)[0]],
  );

test("the user's file comes first, then every file from the outermost folder to the innermost", () => {
  writeFileSync(userPolicy(), "tier: ask");
  writeFileSync(path("outer", "leeway.yaml"), "tier: ask");
  writeFileSync(path("outer", "inner", "leeway.yaml"), "tier: ask");
  const source = files(path("outer", "inner", "deep"));
  source.accepted?.([{ path: path("outer", "inner", "leeway.yaml"), text: "tier: ask" }]);
  const found = source.current();
  expect(shown(found)).toEqual([
    [userPolicy(), path("outer", "inner")],
    [path("outer", "leeway.yaml"), path("outer")],
    [path("outer", "inner", "leeway.yaml"), path("outer", "inner")],
  ]);
  expect({ named: found.named, project: found.project }).toEqual({ named: false, project: path("outer", "inner") });
  expect(found.places.slice(-4)).toEqual([
    path("leeway.yaml"),
    path("outer", "leeway.yaml"),
    path("outer", "inner", "leeway.yaml"),
    path("outer", "inner", "deep", "leeway.yaml"),
  ]);
  expect([found.places[0], found.places[1]]).toEqual([userPolicy(), "/leeway.yaml"]);
});

test("without a policy file, the project is the top of the repository, or else the working folder", () => {
  expect(files(path("outer", "inner")).current().project).toBe(path("outer", "inner"));
  mkdirSync(path("outer", ".git"));
  expect(files(path("outer", "inner")).current()).toMatchObject({ files: [], project: path("outer") });
});

test("only an accepted file can change which folder is the project", () => {
  const cwd = path("outer", "inner", "deep");
  const source = files(cwd);
  const projectWith = (...accepted: string[]) => {
    source.accepted?.(accepted.map((at) => ({ path: at, text: "tier: ask" })));
    return source.current().project;
  };
  const [outer, inner] = [path("outer", "leeway.yaml"), path("outer", "inner", "leeway.yaml")];
  for (const file of [path("leeway.yaml"), outer, inner, userPolicy()]) writeFileSync(file, "tier: auto");
  expect([projectWith(), projectWith(outer), projectWith(outer, inner), projectWith(userPolicy())]).toEqual([
    cwd,
    path("outer"),
    path("outer", "inner"),
    cwd,
  ]);
  mkdirSync(path("outer", "inner", ".git"));
  nowMs = 1000;
  expect([projectWith(outer), projectWith()]).toEqual([path("outer"), path("outer", "inner")]);
});

test("`root` may narrow the project; only a named file may widen it, while another file widens only its own patterns", () => {
  const file = path("outer", "leeway.yaml");
  const acceptedAs = (text: string) => {
    writeFileSync(file, text);
    const source = files(path("outer"));
    source.accepted?.([{ path: file, text }]);
    return source.current();
  };
  expect(acceptedAs("root: inner").project).toBe(path("outer", "inner"));
  const found = acceptedAs("root: /");
  expect({ project: found.project, files: shown(found) }).toEqual({ project: path("outer"), files: [[file, "/"]] });
  expect(files(path("outer"), file).current().project).toBe("/");
});

test("a named file is the only file used, and a missing one is reported as a fault", () => {
  writeFileSync(path("outer", "leeway.yaml"), "tier: ask");
  writeFileSync(path("own.yaml"), "tier: deny");
  const found = files(path("outer"), path("own.yaml")).current();
  expect({ ...found, files: shown(found) }).toEqual({
    named: true,
    files: [[path("own.yaml"), path("outer")]],
    places: [path("own.yaml")],
    project: path("outer"),
  });
  const missing = files(path("outer"), path("gone.yaml")).current();
  const faults = missing.files.flatMap(({ loaded }) => (loaded.ok ? [] : loaded.faults));
  expect([missing.files.length, faults.map((fault) => renderFault(fault))]).toEqual([
    1,
    [
      {
        file: path("gone.yaml"),
        line: 1,
        column: 1,
        message: "there is no such file",
        hint: "check the path, or name no file to use the policy of the project",
      },
    ],
  ]);
});

test("a named file in an outer folder does not make that folder the project: the repository or the working folder stays the project", () => {
  const named = path("leeway.yaml");
  writeFileSync(named, "tier: ask");
  const at = (...parts: string[]) => {
    const found = files(path(...parts), named).current();
    return [found.project, ...shown(found)];
  };
  expect(at("outer", "inner", "deep")).toEqual([
    path("outer", "inner", "deep"),
    [named, path("outer", "inner", "deep")],
  ]);
  mkdirSync(path("outer", ".git"));
  mkdirSync(path("outer", "inner", ".git"));
  expect(at("outer", "inner", "deep")).toEqual([path("outer", "inner"), [named, path("outer", "inner")]]);
});

test("the `root` of a named file is relative to the file, and is the project", () => {
  const named = path("config", "team.yaml");
  for (const [root, means] of [
    ["../outer", path("outer")],
    [".", path("config")],
  ] as const) {
    writeFileSync(named, `root: ${root}`);
    const found = files(path("outer", "inner"), named).current();
    expect([found.project, ...shown(found)]).toEqual([means, [named, means]]);
  }
});

test("the examples of a named file are tried from its `root`, not from the agent's working folder", () => {
  const named = path("config", "team.yaml");
  const example = JSON.stringify({ tool: "read_file", args: { path: path("outer", "in", "src", "a.ts") } });
  writeFileSync(
    named,
    `root: in\nrules:\n  - { name: src, match: { path: "src/**" }, tier: ask, because: x, examples: { match: [${example}] } }`,
  );
  const [found] = shown(files(path("outer"), named).current());
  expect(found).toEqual([named, expect.stringMatching(/^the rule `src` does not match its example/)]);
});

test("a layer from code is relative to the project, whichever file is named", () => {
  writeFileSync(path("own.yaml"), "tier: deny");
  const loaded = files(path("outer"), path("own.yaml")).parse("tier: ask", "withPolicy");
  expect(loaded.ok && loaded.policy.root).toBe(path("outer"));
});

test("the same object is returned until something changes, and files are checked at most once a second", () => {
  const file = path("outer", "leeway.yaml");
  writeFileSync(file, "tier: ask");
  const source = files(path("outer"));
  const first = source.current();
  writeFileSync(file, "tier: deny");
  expect(source.current()).toBe(first);
  nowMs = 999;
  expect(source.current()).toBe(first);
  nowMs = 1000;
  const second = source.current();
  expect(second.files.map(({ text }) => text)).toEqual(["tier: deny"]);
  nowMs = 2000;
  expect(source.current()).toBe(second);
  rmSync(file);
  nowMs = 3000;
  expect(source.current().files).toEqual([]);
});

test("a change that keeps a file's size and modification time is noticed", () => {
  const file = path("outer", "leeway.yaml");
  writeFileSync(file, "tier: deny");
  utimesSync(file, 1, 1);
  const source = files(path("outer"));
  source.current();
  writeFileSync(file, "tier: auto");
  utimesSync(file, 1, 1);
  nowMs = 1000;
  expect(source.current().files.map(({ text }) => text)).toEqual(["tier: auto"]);
});

test("files are still checked after the clock was set back", () => {
  nowMs = 1_000_000;
  const source = files(path("outer"));
  source.current();
  writeFileSync(path("outer", "leeway.yaml"), "tier: deny");
  nowMs = 5;
  expect(source.current().files).toHaveLength(1);
});

test("a link, a folder, a file that is not text and a file that does not parse are faults", () => {
  writeFileSync(path("real.yaml"), "tier: auto");
  symlinkSync(path("real.yaml"), path("leeway.yaml"));
  mkdirSync(path("outer", "leeway.yaml"));
  writeFileSync(path("outer", "inner", "leeway.yaml"), Buffer.from([0xff, 0xfe, 0x00]));
  writeFileSync(path("outer", "inner", "deep", "leeway.yaml"), "tier: autp");
  expect(shown(files(path("outer", "inner", "deep")).current())).toEqual([
    [path("leeway.yaml"), "a policy file must not be a link"],
    [path("outer", "leeway.yaml"), "this is not a file"],
    [path("outer", "inner", "leeway.yaml"), "this is not UTF-8 text"],
    [path("outer", "inner", "deep", "leeway.yaml"), "expected a tier, found `autp`"],
  ]);
});

test("a file that cannot be opened is a fault", async () => {
  const file = path("outer", "leeway.yaml");
  const socket = createServer();
  await new Promise<void>((resolve) => socket.listen(file, resolve));
  expect(shown(files(path("outer")).current())).toEqual([[file, "the file cannot be read (ENXIO)"]]);
  await new Promise((resolve) => socket.close(resolve));
});

test("an accepted text is parsed as if it were still in the place where it was accepted", () => {
  writeFileSync(path("outer", "leeway.yaml"), "tier: ask");
  const source = files(path("outer", "inner"));
  source.accepted?.([{ path: path("outer", "leeway.yaml"), text: "tier: ask" }]);
  const rootOf = (at: string) => {
    const loaded = source.parse("tier: ask", at);
    return loaded.ok ? loaded.policy.root : loaded.faults;
  };
  expect([rootOf(path("outer", "leeway.yaml")), rootOf(userPolicy()), rootOf("withPolicy")]).toEqual([
    path("outer"),
    path("outer"),
    path("outer"),
  ]);
});

test("a policy given as a value counts as a named policy", () => {
  const source = inlinePolicyFiles({ tier: "deny" }, { cwd: base, home: "/home/ana" });
  const found = source.current();
  expect({ named: found.named, project: found.project, files: shown(found) }).toEqual({
    named: true,
    project: base,
    files: [["the policy option", base]],
  });
  expect(source.current()).toBe(found);
  expect(shown(inlinePolicyFiles({ tire: "deny" }, { cwd: base, home: "/home/ana" }).current())).toEqual([
    ["the policy option", "unknown key `tire`"],
  ]);
});

const asManaged = (more: { named?: string } = {}) =>
  policyFiles({
    cwd: path("outer"),
    userPolicy: userPolicy(),
    home: "/home/ana",
    clock,
    managed: { path: path("etc", "leeway.yaml"), owner: process.getuid?.() ?? 0 },
    ...more,
  });

test("the organisation's file is found beside the others, also beside a named one and one given by a program", () => {
  mkdirSync(path("etc"), { mode: 0o755 });
  writeFileSync(path("etc", "leeway.yaml"), "tier: deny", { mode: 0o644 });
  writeFileSync(path("mine.yaml"), "tier: auto");
  const place = { path: path("etc", "leeway.yaml"), owner: process.getuid?.() ?? 0 };
  const given = { cwd: path("outer"), home: "/home/ana", managed: place };
  const all = [asManaged(), asManaged({ named: path("mine.yaml") }), inlinePolicyFiles({ version: 1 }, given)];
  for (const source of all) {
    const { managed } = source.current();
    expect([managed?.path, managed?.text, managed?.loaded.ok]).toEqual([place.path, "tier: deny", true]);
  }
});

test("a change of the organisation's file takes effect within a second", () => {
  mkdirSync(path("etc"), { mode: 0o755 });
  const source = asManaged();
  expect(source.current().managed).toBeUndefined();
  writeFileSync(path("etc", "leeway.yaml"), "tier: deny", { mode: 0o644 });
  nowMs = 1_000;
  expect(source.current().managed?.text).toBe("tier: deny");
});

test("an organisation's file that others could have written is an error, and so is one in a folder open to others", () => {
  mkdirSync(path("etc"), { mode: 0o755 });
  writeFileSync(path("etc", "leeway.yaml"), "tier: auto", { mode: 0o644 });
  chmodSync(path("etc", "leeway.yaml"), 0o664);
  const why = () => {
    const loaded = asManaged().current().managed?.loaded;
    return loaded?.ok === false ? loaded.faults.map((fault) => renderFault(fault).message) : loaded?.ok;
  };
  const open = ["others than the administrator can write the file or its folder"];
  expect(why()).toEqual(open);
  chmodSync(path("etc", "leeway.yaml"), 0o644);
  expect(why()).toBe(true);
  chmodSync(path("etc"), 0o777);
  expect(why()).toEqual(open);
  chmodSync(path("etc"), 0o755);
  rmSync(path("etc", "leeway.yaml"));
  symlinkSync(path("mine.yaml"), path("etc", "leeway.yaml"));
  writeFileSync(path("mine.yaml"), "tier: auto");
  expect(why()).toEqual(["a policy file must not be a link"]);
});
