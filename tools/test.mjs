// `npm test`: formatting, linting, types and every suite; prints the totals at the end. `--prove` also runs the long tests.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { AGAIN_MAX, settled, tellTotals, totalsOf } from "./totals.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const prove = process.argv.includes("--prove");
const folder = mkdtempSync(join(tmpdir(), "leeway-test-"));
const report = join(folder, "report.json");
/** The tests of the sources themselves, which need a few seconds. */
const TIDY = "test/tidy";
const ABOUT_HOME = [
  "test/box/sessions.test.ts",
  "test/box/temporary.test.ts",
  "test/box/packages/managers.test.ts",
  "test/box/packages/tools.test.ts",
];
const bin = (name) => join(root, "node_modules", ".bin", name);

function step(title, command, args, env = {}) {
  process.stdout.write(`\n== ${title}\n`);
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
  });
  return done.status === 0;
}

/** Debian's programs that tests need. If one is missing and can be installed, it is; otherwise its tests say what to do. */
function ensureInstalled(name, file, why) {
  if (existsSync(file) || process.platform !== "linux" || process.getuid() !== 0 || !existsSync("/usr/bin/apt-get"))
    return;
  const quiet = { DEBIAN_FRONTEND: "noninteractive" };
  step(`${name}, for ${why}`, "apt-get", ["install", "-y", "-qq", name], quiet) ||
    (step("what Debian has", "apt-get", ["update", "-qq"], quiet) &&
      step(`${name}, once more`, "apt-get", ["install", "-y", "-qq", name], quiet));
}
const totals = { passed: 0, failures: [], unsteady: [] };

/**
 * What finds cheap mistakes. These run at the same time, before everything else, and each one says what it found as soon as it
 * has ended. A mistake does not stop the suites, and is named again at the end.
 */
const quick = [
  ["format and lint", bin("biome"), ["check", "--error-on-warnings", "."]],
  ["types", bin("tsc"), ["-p", "tsconfig.json"]],
  // Only the tests that control a browser may use the types of browsers.
  ["types of the browser's tests", bin("tsc"), ["-p", "test/browser/tsconfig.json"]],
];

/** One quick check: what it printed stays together, whatever runs beside it. */
async function checked([title, command, args]) {
  const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  const isGood = await new Promise((resolve) => {
    child.on("error", (error) => {
      said += `${error.message}\n`;
      resolve(false);
    });
    child.on("close", (code) => resolve(code === 0));
  });
  process.stdout.write(`\n== ${title}: ${isGood ? "good" : "failed"}\n${said}`);
  if (isGood) totals.passed++;
  else totals.failures.push({ test: title, why: "    what is wrong stands above" });
}

/** One run of vitest, as its report says. A run that ended badly without a failed test is a failure of its own. */
function run(title, args, env) {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const ran = step(title, process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...args, ...reporters], {
    ...env,
    ...(prove ? { LEEWAY_PROVE: "1" } : {}),
  });
  const found = totalsOf(report);
  rmSync(report, { force: true });
  if (!ran && found.failures.length === 0)
    found.failures.push({ test: title, why: "    it did not end well; see above" });
  return found;
}

function suites(title, args, env = {}) {
  let found = run(title, args, env);
  const files = [...new Set(found.failures.map(({ file }) => file))];
  if (files.length > 0 && files.length <= AGAIN_MAX && !files.includes(undefined))
    found = settled(found, run("what failed, once more and alone", ["--maxWorkers=1", ...files], env));
  totals.passed += found.passed;
  totals.failures.push(...found.failures);
  totals.unsteady.push(...(found.unsteady ?? []));
}
process.stdout.write("\n== format, lint and types\n");
await Promise.all(quick.map(checked));
suites("tidiness", [TIDY]);
if (process.env.LEEWAY_CHROMIUM === undefined)
  ensureInstalled("chromium", "/usr/bin/chromium", "the tests of the pages");
ensureInstalled("bubblewrap", "/usr/bin/bwrap", "the tests of boxes");
ensureInstalled("pgbouncer", "/usr/sbin/pgbouncer", "the tests of a pooler before PostgreSQL");
suites("suites", ["--exclude", `${TIDY}/**`]);
suites("escapes from a box, which need the machine for themselves", ["test/box/escapes.test.ts"], {
  LEEWAY_APART: "1",
});
// In containers and in CI the home is often below a folder for temporary files, with nothing in it.
const home = join(folder, "home");
mkdirSync(home);
suites("what could depend on the home, with another one", ABOUT_HOME, { HOME: home });
rmSync(folder, { recursive: true, force: true });
tellTotals(totals);
