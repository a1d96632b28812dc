// `npm run test:nodes [-- 22 24 …]`: runs the suites that depend on Node itself under other versions of Node: the store, boxes, hooks
// and the gateway, and the demo. `--sample`: a few files of them, under the newest of these versions. Each version is
// installed into a temporary folder. The installed packages of the project are used. Ends with the real totals.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installedNode } from "./installed-node.mjs";
import { AGAIN_MAX, settled, tellTotals, totalsOf } from "./totals.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isSample = process.argv.includes("--sample");
const given = process.argv.slice(2).filter((one) => one !== "--sample");
const versions = given.length > 0 ? given : isSample ? ["24"] : ["22", "24", "26"];

const hooks = readdirSync(join(root, "test", "cli")).filter((name) => /^(hook|box).*\.test\.ts$/.test(name));
const ALL = [
  ...["src/store", "test/store/differential.test.ts", "test/store/race.test.ts", "test/store/schema.test.ts"],
  ...["src/box", "src/hooks", "src/mcp", "test/box", "test/mcp"],
  ...hooks.map((name) => `test/cli/${name}`),
];
/** One file for each of them: about a minute on two cores. */
const SAMPLE = [
  ...["src/box/ability.test.ts", "src/box/network", "test/box/walls.test.ts"],
  ...["test/cli/hook-box.test.ts", "test/mcp/boxed.test.ts"],
];

function run(node, args, env) {
  const done = spawnSync(node, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8", env });
  if (done.status !== 0) process.stdout.write(done.stdout);
  return done.status === 0;
}

/** One run of vitest, as its report says. A run that ended badly without a failed test is a failure of its own. */
function suites(node, { env, folder }, args) {
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const isGood = run(node, ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...args], env);
  const found = totalsOf(report);
  rmSync(report, { force: true });
  if (!isGood && found.failures.length === 0)
    found.failures.push({ test: "the suites", why: "    they did not end well; see above" });
  return found;
}

/** What failed runs once more and alone, as `npm test` does it. */
function settledSuites(node, how) {
  const first = suites(node, how, isSample ? SAMPLE : ALL);
  const files = [...new Set(first.failures.map(({ file }) => file))];
  const isWorthIt = files.length > 0 && files.length <= AGAIN_MAX && !files.includes(undefined);
  return isWorthIt ? settled(first, suites(node, how, ["--maxWorkers=1", ...files])) : first;
}

function tried(version) {
  const folder = mkdtempSync(join(tmpdir(), "leeway-node-"));
  try {
    const node = installedNode(version, folder);
    const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
    // Programs that the suites start must use this Node too, and the demo must not write into anybody's home.
    const env = { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}`, XDG_STATE_HOME: join(folder, "state") };
    const found = settledSuites(node, { env, folder });
    const demo = run(node, ["bin/leeway.mjs", "demo"], env);
    if (demo) found.passed++;
    else found.failures.push({ test: "the demo", why: "    it did not end well; see above" });
    process.stdout.write(`${stdout.trim()}: ${found.passed} passed, ${found.failures.length} failed\n`);
    const named = (one) => ({ ...one, test: `Node ${stdout.trim()}: ${one.test}` });
    return {
      passed: found.passed,
      failures: found.failures.map(named),
      unsteady: (found.unsteady ?? []).map(named),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const totals = { passed: 0, failures: [], unsteady: [] };
for (const version of versions) {
  const { passed, failures, unsteady } = tried(version);
  totals.passed += passed;
  totals.failures.push(...failures);
  totals.unsteady.push(...unsteady);
}
tellTotals(totals);
