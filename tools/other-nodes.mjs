// `npm run test:nodes [22 24 …]`: runs the store's suites and the demo under other versions of Node. Each version is installed
// into a temporary folder. The installed packages of the project are used.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installedNode } from "./installed-node.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2);
const versions = given.length === 0 ? ["22", "24", "26"] : given;
const SUITES = ["src/store", "test/store/differential.test.ts", "test/store/race.test.ts", "test/store/schema.test.ts"];

function passes(node, args, env = {}) {
  const done = spawnSync(node, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8", env });
  if (done.status !== 0) process.stdout.write(done.stdout);
  return done.status === 0;
}

function tried(version) {
  const folder = mkdtempSync(join(tmpdir(), "leeway-node-"));
  try {
    const node = installedNode(version, folder);
    const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
    // Programs that the suites start must use this Node too, and the demo must not write into anybody's home.
    const env = { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}`, XDG_STATE_HOME: join(folder, "state") };
    const suites = passes(node, ["node_modules/vitest/vitest.mjs", "run", ...SUITES], env);
    const demo = passes(node, ["bin/leeway.mjs", "demo"], env);
    process.stdout.write(
      `${stdout.trim()}: suites ${suites ? "passed" : "FAILED"}, demo ${demo ? "passed" : "FAILED"}\n`,
    );
    return suites && demo;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let failed = 0;
for (const version of versions) if (!tried(version)) failed++;
process.exitCode = failed === 0 ? 0 : 1;
