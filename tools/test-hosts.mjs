// `npm run test:hosts`: the suites that drive real agent programs, SDKs and MCP packages; ends with the real totals. Their
// packages are large and have a lockfile of their own, so that nobody else has to install them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const hosts = join(root, "test", "hosts");
const stamp = join(hosts, "node_modules", ".leeway-hosts");
/** Packages that are only a small program until their install script has fetched or linked the real one. */
const REBUILT = ["@anthropic-ai/claude-code", "opencode-ai", "@github/copilot"];

function run(what, command, args, cwd) {
  process.stderr.write(`${what}…\n`);
  const done = spawnSync(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  if (done.status === 0) return;
  process.stdout.write(
    `\`${command} ${args.join(" ")}\` ended with ${done.status ?? done.signal}\n\n0 passed, 1 failed\n`,
  );
  process.exit(1);
}

/** A link in place of the packages is somebody's own installation, which is used as it is. */
function install() {
  const found = lstatSync(join(hosts, "node_modules"), { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return;
  const lock = createHash("sha256")
    .update(readFileSync(join(hosts, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  // Not `npm ci`: some hosts name packages for platforms that the registry does not have, and it refuses a lockfile without them.
  run("installing the hosts", "npm", ["install", "--no-save", "--ignore-scripts", ...quiet], hosts);
  run("their install scripts", "npm", ["rebuild", ...REBUILT, ...quiet], hosts);
  writeFileSync(stamp, lock);
}

install();
const folder = mkdtempSync(join(tmpdir(), "leeway-hosts-"));
const report = join(folder, "report.json");
const suites = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    "test/hosts/vitest.config.ts",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: ["ignore", "inherit", "inherit"] },
);
let [passed, failed] = [0, 0];
try {
  const totals = JSON.parse(readFileSync(report, "utf8"));
  passed = totals.numPassedTests;
  // A suite that could not be loaded or set up has no failed test, and is a failure all the same.
  const broken = totals.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"),
  );
  failed = totals.numFailedTests + broken.length;
} catch (error) {
  process.stdout.write(`the test report could not be read: ${error.message}\n`);
  failed = 1;
}
if (suites.status !== 0 && failed === 0) failed = 1;
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
