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
const args = process.argv.slice(2);
const isHook = args[0] === "hook" && args.length === 2 && !args[1].startsWith("-");
// As Node itself ends a program that waits for nothing and has no answer: never as if it had been a good one. A host
// runs the call unless its hook ends with 2.
process.exitCode = isHook ? 2 : 13;

async function answered() {
  if (!isHook) return loadProgram(folder).main(args);
  const input = await require("./ask-resident.cjs").askResident(args[1], __filename);
  return input === undefined ? process.exitCode : loadProgram(folder).main(args, input);
}

answered().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    process.stderr.write(`leeway: ${error.message}\n`);
    process.exit(isHook ? 2 : 1);
  },
);
