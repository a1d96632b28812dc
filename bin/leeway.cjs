#!/usr/bin/env node
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { loadProgram } = require("./load.cjs");

const folder = join(__dirname, "..", "dist", "program");
if (!existsSync(join(folder, "main.cjs"))) {
  process.stderr.write(
    "leeway: this clone is not built yet\n  hint: run `node tools/setup.mjs` in it, which installs what is needed and builds\n",
  );
  process.exit(1);
}
// As Node itself ends a program that waits for nothing and has no answer: never as if it had been a good one.
process.exitCode = 13;
loadProgram(folder)
  .main(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
  });
