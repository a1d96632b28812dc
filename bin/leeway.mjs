#!/usr/bin/env node
import { existsSync } from "node:fs";

const entry = new URL("../dist/program/main.js", import.meta.url);
if (!existsSync(entry)) {
  process.stderr.write(
    "leeway: this clone is not built yet\n  hint: run `node tools/setup.mjs` in it, which installs what is needed and builds\n",
  );
  process.exit(1);
}
const { main } = await import(entry.href);
process.exitCode = await main(process.argv.slice(2));
