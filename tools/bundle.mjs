// Makes one program of the compiled command line: `node tools/bundle.mjs FOLDER` writes FOLDER/program from FOLDER/cli.
// A command is started hundreds of times a day, and most of its start was opening and compiling four hundred files.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { rolldown } from "rolldown";

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? "dist");
const isOwn = (id) => id.startsWith(".") || id.startsWith("/") || /^[A-Za-z]:\\/.test(id);
/** What every command needs goes in with its licence; whatever else others wrote stays theirs, with its own updates. */
const NEEDED_BY_ALL = ["commander", "picocolors", "unbash"];

/**
 * Tables as JSON: V8 reads that sooner than the same written as code. A file that holds more than data is left as it is.
 */
const tablesAsJson = {
  name: "tables-as-json",
  async load(id) {
    if (!/[\\/]core[\\/]tables[\\/]/.test(id)) return null;
    const values = Object.entries(await import(pathToFileURL(id).href));
    if (!values.every(([, value]) => isDeepStrictEqual(value, asJson(value)))) return null;
    return values.map(([name, value]) => `export const ${name} = ${written(value)};`).join("\n");
  },
};

const asJson = (value) => JSON.parse(JSON.stringify(value) ?? "null");

function written(value) {
  const text = JSON.stringify(value);
  return typeof value === "object" ? `/* @__PURE__ */ JSON.parse(${JSON.stringify(text)})` : text;
}

/** Commander can start programs, which takes Node a while to get ready for and which no command of ours lets it do. */
const nothingStarted = {
  name: "nothing-started",
  transform(code, id) {
    if (!/[\\/]commander[\\/]lib[\\/]command\.js$/.test(id)) return null;
    const loading = "require('node:child_process')";
    if (!code.includes(loading)) throw new Error(`${id} does not load node:child_process any more: take this away`);
    return code.replace(loading, "{}");
  },
};

const program = await rolldown({
  input: join(folder, "cli", "main.js"),
  platform: "node",
  plugins: [tablesAsJson, nothingStarted],
  external: (id) => !isOwn(id) && !NEEDED_BY_ALL.includes(id),
  // That something is loaded in one place and needed at once in another is meant: these are two commands.
  checks: { ineffectiveDynamicImport: false },
});
// As deep as the files it is made of, because they find the policies and the pages' assets from where they lie.
const to = join(folder, "program");
rmSync(to, { recursive: true, force: true });
const { output } = await program.generate({
  format: "cjs",
  // Node lets no script import that was not loaded by Node itself, but for a warning; what is required may be a module too.
  dynamicImportInCjs: false,
  entryFileNames: "main.cjs",
  // The name says what is in it, so that a compiled form never meets another text than its own.
  chunkFileNames: "[name]-[hash].cjs",
  comments: false,
  // V8 reads and keeps such a text in half the room.
  charset: "ascii",
  codeSplitting: {
    groups: [
      // What reads the line, and beside it what decides a call: a file each, because every file costs its opening.
      { name: "line", test: /[\\/]cli[\\/]program\.js$/, priority: 2 },
      { name: "deciding", test: /[\\/](cli[\\/](commands[\\/]check|gate[\\/]local(-check)?)|open)\.js$/, priority: 1 },
    ],
  },
});
await program.close();
mkdirSync(to, { recursive: true });
for (const { fileName, code } of output) {
  // A function of what Node gives to each file, as bin/load.cjs calls it.
  writeFileSync(join(to, fileName), `(function (exports, require, module, __filename, __dirname) {${code}\n})`);
}

const compiled = spawnSync(process.execPath, [join(here, "compile.mjs"), to], { encoding: "utf8" });
if (compiled.status !== 0) throw new Error(`the program was not compiled\n${compiled.stderr}`);

// The last thing that is made: where it is, all the rest is.
const licences = NEEDED_BY_ALL.map((name) => {
  const text = readFileSync(join(here, "..", "node_modules", name, "LICENSE"), "utf8").trim();
  return `${name}\n\n${text}\n`;
});
writeFileSync(join(to, "LICENSES"), licences.join("\n---\n\n"));
