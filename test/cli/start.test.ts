import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compiled as compiledSources, leeway, type Machine, machine, program, type Ran } from "./program.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
let folder: string;
let on: Machine;

beforeAll(() => {
  on = machine();
  folder = mkdtempSync(join(tmpdir(), "leeway-start-"));
  const built = dirname(dirname(program()));
  for (const name of ["bin", "dist/program", "policies", "package.json"])
    cpSync(join(built, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
});

afterAll(() => {
  on.remove();
  rmSync(folder, { recursive: true, force: true });
});

const LINE = ["check", "--command", "git push --force && rm -rf src", "--json"];
const entry = () => join(folder, "bin", "leeway.cjs");
const compiled = () => join(folder, "dist", "program", `compiled-${process.versions.v8}-${process.arch}`);

test("the build contains compiled code for this version of Node, and each file has its content hash in its name", () => {
  const names = readdirSync(compiled());
  expect(names).toContainEqual(expect.stringMatching(/^deciding-[\w-]{8}\.cjs$/));
  expect(names.filter((name) => !/-[\w-]{8}\.cjs$/.test(name))).toEqual([]);
  expect(names.filter((name) => !existsSync(join(folder, "dist", "program", name)))).toEqual([]);
});

/** Every n-th case: if a bundler changed a table or a file, some of them would show it. */
const EACH = 15;

test("the bundled program decides like the separate source files", async () => {
  const cases = join(root, "test", "cases");
  const lines = readdirSync(cases)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(cases, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as { command?: string; tool?: string; args?: object })
    .filter((_, i) => i % EACH === 0)
    .map(({ command, tool = "Bash", args = { command } }) => JSON.stringify({ agent: "coder", tool, args }));
  expect(lines.length).toBeGreaterThan(1_000);
  const apart = join(folder, "apart.mjs");
  const main = JSON.stringify(pathToFileURL(join(compiledSources(), "cli", "main.js")).href);
  writeFileSync(apart, `import { main } from ${main};\nprocess.exitCode = await main(process.argv.slice(2));\n`);
  const batch = { stdin: lines.join("\n") };
  // The answers about a process's own files contain its id and its open sockets and pipes.
  const judged = ({ stdout }: Ran) =>
    stdout
      .replace(/\b(proc|task)\/\d+/g, "$1/N")
      .replace(/\b(socket|pipe):\[\d+\]/g, "$1:[N]")
      .split("\n");
  const usual = judged(await leeway(on, ["check", "--batch", "-"], batch));
  expect(usual.length).toBe(lines.length + 1);
  expect(judged(await leeway(on, ["check", "--batch", "-"], { ...batch, program: apart }))).toEqual(usual);
}, 120_000);

/** The stored files, each changed. */
function changeAll(change: (bytes: Buffer) => Buffer): void {
  for (const name of readdirSync(compiled())) {
    const path = join(compiled(), name);
    writeFileSync(path, change(readFileSync(path)));
  }
}

test("the answer is the same without compiled code, and with code that is damaged, and nothing is written instead", async () => {
  const usual = await leeway(on, LINE);
  expect([usual.code, JSON.parse(usual.stdout).tier]).toEqual([3, "ask"]);
  // V8 trusts every byte of it: with these it would crash.
  changeAll((bytes) => bytes.map((byte, at) => (at % 997 === 500 ? byte ^ 255 : byte)) as Buffer);
  expect(await leeway(on, LINE, { program: entry() })).toEqual(usual);
  changeAll((bytes) => bytes.subarray(0, 100));
  expect(await leeway(on, LINE, { program: entry() })).toEqual(usual);
  rmSync(compiled(), { recursive: true });
  expect(await leeway(on, LINE, { program: entry() })).toEqual(usual);
  expect(existsSync(compiled())).toBe(false);
});

/** Compiled code that ends the program with 77: whoever writes it decides what runs. */
const PLANTED = `
const { writeFileSync, readFileSync, readdirSync } = require("node:fs");
const { Script } = require("node:vm");
const { withHash } = require(process.argv[1] + "/bin/load.cjs");
const [, root, to] = process.argv;
for (const name of readdirSync(root + "/dist/program").filter((one) => /^line-.*cjs$/.test(one))) {
  const { length } = readFileSync(root + "/dist/program/" + name, "utf8");
  const text = "(function () { process.exit(77); })";
  writeFileSync(to + "/" + name, withHash(new Script(text + " ".repeat(length - text.length)).createCachedData()));
}`;

test.runIf(process.getuid?.() === 0)("compiled code is used only if nobody else could have written it", async () => {
  const usual = await leeway(on, LINE);
  const plant = () => {
    rmSync(compiled(), { recursive: true, force: true });
    mkdirSync(compiled());
    spawnSync(process.execPath, ["-e", PLANTED, folder, compiled()]);
    return readdirSync(compiled()).map((name) => join(compiled(), name));
  };
  const codes: (number | string)[] = [];
  const ran = async () => codes.push((await leeway(on, LINE, { program: entry() })).code);
  const [planted = ""] = plant();
  await ran();
  for (const path of [planted, compiled()]) {
    plant();
    chownSync(path, 65534, 65534);
    await ran();
    plant();
    chmodSync(path, path === planted ? 0o664 : 0o777);
    await ran();
  }
  const real = `${plant()[0]}`;
  renameSync(real, join(folder, "elsewhere"));
  symlinkSync(join(folder, "elsewhere"), real);
  await ran();
  rmSync(compiled(), { recursive: true });
  expect(codes).toEqual([77, ...Array(5).fill(usual.code)]);
});

test("the package that is shipped has no compiled code", () => {
  const packed = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"], {
    cwd: root,
    encoding: "utf8",
  });
  const [{ files }] = JSON.parse(packed.stdout) as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  expect(paths).toContain("dist/program/main.cjs");
  expect(paths.filter((path) => path.startsWith("dist/program/compiled-"))).toEqual([]);
});

test("an installed package makes the compiled code on this machine, when its owner sets Leeway up", async () => {
  cpSync(join(root, "tools", "compile.mjs"), join(folder, "tools", "compile.mjs"));
  const fresh = machine();
  try {
    writeFileSync(join(fresh.home, "pw"), "a passphrase for a test\n");
    const set = ["init", "--yes", "--name", "ana", "--password-file", join(fresh.home, "pw")];
    expect((await leeway(fresh, set, { program: entry() })).code).toBe(0);
    for (let tries = 0; !existsSync(compiled()) && tries < 300; tries++)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(readdirSync(compiled())).toContainEqual(expect.stringMatching(/^deciding-[\w-]{8}\.cjs$/));
    expect(await leeway(on, LINE, { program: entry() })).toEqual(await leeway(on, LINE));
  } finally {
    fresh.remove();
  }
}, 60_000);

test("the program also starts as leeway.mjs, fails if there is no answer, and says when it is not built", async () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const other = join(folder, "bin", "leeway.mjs");
  expect(await leeway(on, ["--version"], { program: other })).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  const main = join(folder, "dist", "program", "main.cjs");
  writeFileSync(main, "(function (exports) { exports.main = () => new Promise(() => {}); })");
  expect((await leeway(on, LINE, { program: entry() })).code).toBe(13);
  rmSync(join(folder, "dist"), { recursive: true });
  const { code, stderr } = await leeway(on, ["--version"], { program: entry() });
  expect([code, stderr]).toEqual([1, expect.stringContaining("this clone is not built yet")]);
});
