// `npm test`: formatting, linting, types and every suite; prints the totals at the end. `--prove` also runs the long tests.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const prove = process.argv.includes("--prove");
const folder = mkdtempSync(join(tmpdir(), "leeway-test-"));
const report = join(folder, "report.json");
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

/** The pages are tested in Debian's Chromium. If it is missing and can be installed, it is; otherwise its tests say what to do. */
function ensureChromium() {
  if (process.env.LEEWAY_CHROMIUM !== undefined || existsSync("/usr/bin/chromium")) return;
  if (process.platform !== "linux" || process.getuid() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  const quiet = { DEBIAN_FRONTEND: "noninteractive" };
  step("chromium, for the tests of the pages", "apt-get", ["install", "-y", "-qq", "chromium"], quiet) ||
    (step("what Debian has", "apt-get", ["update", "-qq"], quiet) &&
      step("chromium, once more", "apt-get", ["install", "-y", "-qq", "chromium"], quiet));
}
ensureChromium();

const extra = [
  ["format and lint", bin("biome"), ["check", "--error-on-warnings", "."]],
  ["types", bin("tsc"), ["-p", "tsconfig.json"]],
  // Only the tests that control a browser may use the types of browsers.
  ["types of the browser's tests", bin("tsc"), ["-p", "test/browser/tsconfig.json"]],
];
let passed = 0;
let failed = 0;
for (const [title, command, args] of extra) step(title, command, args) ? passed++ : failed++;

const suitesRan = step(
  "suites",
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
  prove ? { LEEWAY_PROVE: "1" } : {},
);
try {
  const totals = JSON.parse(readFileSync(report, "utf8"));
  passed += totals.numPassedTests;
  // A file that could not be loaded has no tests to count, but it is a failure too.
  const unloaded = totals.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  failed += totals.numFailedTests + unloaded.length;
} catch (error) {
  process.stdout.write(`the test report could not be read: ${error.message}\n`);
  failed++;
}
if (!suitesRan && failed === 0) failed++;
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
