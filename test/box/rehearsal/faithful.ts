import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { type Operation, operate, treeOf } from "./operations.ts";
import { inBox, MEMORY, newPlace, runProgram } from "./rehearse.ts";

const NAMES = ["a", "b c", "d\ne", "f'g\"h", "i,j", "k:l", "m\\n", "-o", "ü→🙂", "$(p)", "deep"];

const name = fc.constantFrom(...NAMES);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const text = fc.string({ maxLength: 40, unit: "binary" });
const mode = fc.constantFrom(0o644, 0o755, 0o600, 0o444, 0o700, 0o400, 0o640, 0o777, 0o1777, 0o555);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom("write", "append"), path, text }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("mkdir"), path }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("sparse"), path, at: fc.nat(3_000_000), text }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("truncate"), path, to: fc.nat(100_000) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("chmod"), path, mode }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("link"), path, to: fc.oneof(path, fc.constant("/no-such-folder/outside")) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("rename"), path, to: path }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("remove", "unlink", "rmdir", "touch"), path }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("replace"), path, by: fc.constantFrom("file", "folder") }) },
);

const operations = (count: number) => fc.array(operation, { minLength: count, maxLength: count });

/** What is there before the program starts is made by operations too. */
export type Case = {
  before: readonly Operation[];
  program: readonly Operation[];
  way: "overlay" | "copy";
  where: Where;
};

/** In which file systems the project and the state folder are. */
type Where = { project: string; state: string };

export const anyCase: fc.Arbitrary<Case> = fc.record({
  before: operations(60),
  program: operations(60),
  way: fc.constantFrom("overlay", "overlay", "overlay", "copy"),
  where: fc.constantFrom<Where[]>(
    { project: MEMORY, state: MEMORY },
    { project: MEMORY, state: MEMORY },
    { project: MEMORY, state: tmpdir() },
    { project: tmpdir(), state: tmpdir() },
  ),
});

/** A program that opens folders which their owner cannot write to, changes what is in them, and shuts them again. */
export const SHUT_FOLDERS: Case = {
  before: [
    { do: "mkdir", path: "kept/inner" },
    { do: "write", path: "kept/inner/file", text: "before" },
    { do: "shut", path: "kept/inner" },
    { do: "shut", path: "kept" },
    { do: "mkdir", path: "gone" },
    { do: "write", path: "gone/file", text: "gone" },
    { do: "shut", path: "gone" },
  ],
  program: [
    { do: "write", path: "kept/refused", text: "" },
    { do: "open", path: "kept/inner" },
    { do: "write", path: "kept/inner/file", text: "after" },
    { do: "write", path: "kept/inner/new", text: "new" },
    { do: "shut", path: "kept/inner" },
    { do: "open", path: "gone" },
    { do: "remove", path: "gone" },
    { do: "mkdir", path: "made" },
    { do: "write", path: "made/file", text: "made" },
    { do: "shut", path: "made" },
  ],
  way: "overlay",
  where: { project: MEMORY, state: MEMORY },
};

/**
 * Runs a program directly in one project and rehearsed in a copy of it, applies, undoes, and applies again by undoing the undo.
 * `operator`: the bundled `operator.ts`, which performs the operations. Throws if anything differs.
 */
export async function checkFaithful(operator: string, { before, program, way, where }: Case): Promise<number> {
  using place = newPlace(where.project, where.state);
  const { project, rehearsals, root } = place;
  operate(project, before);
  const direct = join(root, "direct");
  mkdirSync(direct);
  cpSync(project, direct, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  for (const folder of [project, direct]) equalModes(project, folder);
  const start = treeOf(project, true);
  writeFileSync(join(root, "operations.json"), JSON.stringify(program));
  const args = [operator, join(root, "operations.json")];
  const env = { PATH: "/usr/bin:/bin" };
  const one = await runProgram({ program: process.execPath, name: "node", args, cwd: direct, env });
  const rehearsal = await rehearsals.begin({ project, home: place.home, way });
  const two = await runProgram(inBox(rehearsal, project, process.execPath, args));
  same("what the program saw", two, one);
  const { refused, changes } = await rehearsal.ended();
  same("refused", refused, []);
  same("the project before apply", treeOf(project, true), start);
  same("apply", await rehearsals.apply(rehearsal.name), { ok: true, undo: rehearsal.name });
  same("the project after apply", treeOf(project), treeOf(direct));
  same("undo", await rehearsals.undo(rehearsal.name), { ok: true, undo: `${rehearsal.name}-undo1` });
  same("the project after undo", treeOf(project, true), start);
  same("again", await rehearsals.undo(`${rehearsal.name}-undo1`), { ok: true, undo: `${rehearsal.name}-undo2` });
  same("the project after the undo of the undo", treeOf(project), treeOf(direct));
  return changes.length;
}

/** `cpSync` does not keep the modes of folders. */
function equalModes(from: string, to: string): void {
  for (const [path, state] of Object.entries(treeOf(from)).reverse()) {
    const [kind, octal = ""] = state.split(" ");
    if (kind === "folder") chmodSync(join(to, path), Number.parseInt(octal, 8));
  }
}

function same(what: string, found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found, null, 1), JSON.stringify(expected, null, 1)];
  if (a !== b) throw new Error(`${what} differs\nfound ${a}\nexpected ${b}`);
}
