// `npm run test:hosts`: the suites that drive real agent programs, SDKs and MCP packages; ends with the real totals. Their
// packages are large and have a lockfile of their own, so that nobody else has to install them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { AGAIN_MAX, settled, tellTotals, totalsOf } from "./totals.mjs";

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

/** One run of vitest, as its report says. A run that ended badly without a failed test is a failure of its own. */
function suites(args) {
  const config = ["--config", "test/hosts/vitest.config.ts"];
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const ran = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...config, ...reporters, ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const found = totalsOf(report);
  rmSync(report, { force: true });
  if (ran.status !== 0 && found.failures.length === 0)
    found.failures.push({ test: "the hosts' suites", why: "    they did not end well; see above" });
  return found;
}

const first = suites(process.argv.slice(2));
const files = [...new Set(first.failures.map(({ file }) => file))];
const isWorthIt = files.length > 0 && files.length <= AGAIN_MAX && !files.includes(undefined);
const totals = isWorthIt ? settled(first, suites(["--maxWorkers=1", ...files])) : first;
rmSync(folder, { recursive: true, force: true });
tellTotals(totals);
