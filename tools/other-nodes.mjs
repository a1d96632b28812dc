// `npm run test:nodes [22 24 …]`: the store's suites and the demo under other versions of Node, each installed into a
// folder that is taken away again. The project's own packages are used as they are.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2);
const versions = given.length === 0 ? ["22", "24", "26"] : given;
const SUITES = ["src/store", "test/store/differential.test.ts", "test/store/race.test.ts", "test/store/schema.test.ts"];

/** A folder with this version's program in it; nothing of it touches the project. */
function installed(version, folder) {
  const package_ = `node-${process.platform}-${process.arch}@${version}`;
  const done = spawnSync("npm", ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", package_], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (done.status !== 0) throw new Error(`${package_} could not be installed; check the name and the registry`);
  return join(folder, "node_modules", package_.slice(0, package_.lastIndexOf("@")), "bin", "node");
}

function passes(node, args, env = {}) {
  const done = spawnSync(node, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8", env });
  if (done.status !== 0) process.stdout.write(done.stdout);
  return done.status === 0;
}

function tried(version) {
  const folder = mkdtempSync(join(tmpdir(), "leeway-node-"));
  try {
    const node = installed(version, folder);
    const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
    // What the suites start must be this Node too, and what the demo writes must not be anybody's.
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
