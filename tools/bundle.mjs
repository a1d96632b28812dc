// Bundles the compiled command line as one program: `node tools/bundle.mjs FOLDER` makes FOLDER/program from FOLDER/cli.
// A command is started hundreds of times a day, and without the bundle most of that time is opening and compiling files.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { rolldown } from "rolldown";

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? "dist");
const isOwn = (id) => id.startsWith(".") || id.startsWith("/") || /^[A-Za-z]:\\/.test(id);
/** Packages that every command needs are bundled, with their licences. All other packages stay in node_modules. */
const NEEDED_BY_ALL = ["commander", "picocolors", "unbash"];

/**
 * Writes tables and the sentences of each language as JSON, which V8 parses faster than code. A file that contains more than data is left unchanged.
 */
const tablesAsJson = {
  name: "tables-as-json",
  async load(id) {
    if (!/[\\/]core[\\/](tables[\\/]|messages[\\/]\w+[\\/]messages\.js$)/.test(id)) return null;
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

/** Removes the import of `child_process` from commander: loading it takes time, and no command of ours uses it. */
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
  // A file may be imported dynamically in one place and statically in another, because these are two commands.
  checks: { ineffectiveDynamicImport: false },
});
// The folder has the same depth as the source files, because they find policies and assets by relative paths.
const to = join(folder, "program");
rmSync(to, { recursive: true, force: true });
const { output } = await program.generate({
  format: "cjs",
  // In a script that Node did not load itself, `import()` gives a warning; `require` can load modules too.
  dynamicImportInCjs: false,
  entryFileNames: "main.cjs",
  // The name contains the hash of the content, so that compiled code is never used for another text.
  chunkFileNames: "[name]-[hash].cjs",
  comments: false,
  // V8 needs half the memory for a text of one-byte characters.
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
  // Each file is a function with the arguments that Node gives to a CommonJS file; bin/load.cjs calls it.
  writeFileSync(join(to, fileName), `(function (exports, require, module, __filename, __dirname) {${code}\n})`);
}

const compiled = spawnSync(process.execPath, [join(here, "compile.mjs"), to], { encoding: "utf8" });
if (compiled.status !== 0) throw new Error(`the program was not compiled\n${compiled.stderr}`);

// Written last: if this file exists, the build is complete.
const licences = NEEDED_BY_ALL.map((name) => {
  const text = readFileSync(join(here, "..", "node_modules", name, "LICENSE"), "utf8").trim();
  return `${name}\n\n${text}\n`;
});
writeFileSync(join(to, "LICENSES"), licences.join("\n---\n\n"));
