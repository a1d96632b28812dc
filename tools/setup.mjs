// Prepares a clone: installs if the lockfile has changed, and builds if a source is newer than the build.
// Plain Node without dependencies, because it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, "node_modules", ".leeway-setup");

function run(what, command, args) {
  process.stderr.write(`${what}…\n`);
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  if (done.status !== 0) {
    process.stderr.write(`setup: \`${command} ${args.join(" ")}\` ended with code ${done.status ?? done.signal}\n`);
    process.exit(1);
  }
}

function newest(folder) {
  let latestMs = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    latestMs = Math.max(latestMs, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return latestMs;
}

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`leeway needs Node 20.19 or newer, this is ${process.versions.node}\n`);
  process.exit(1);
}
const lock = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");
const installed = existsSync(stamp) && readFileSync(stamp, "utf8") === lock;
if (!installed) {
  // `npm ci` empties node_modules first; if that is a link, it would empty the folder of somebody else.
  if (lstatSync(join(root, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink()) {
    process.stderr.write(
      "setup: node_modules is a link; remove it, so that installing does not empty the folder it leads to\n",
    );
    process.exit(1);
  }
  run("installing dependencies", "npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(stamp, lock);
}
// The build writes this file last: if it is new, everything else is new too.
const built = join(root, "dist", "program", "LICENSES");
const makers = [
  "tsconfig.build.json",
  join("tools", "bundle.mjs"),
  join("tools", "compile.mjs"),
  join("bin", "load.cjs"),
].map((name) => statSync(join(root, name)).mtimeMs);
const sourcesMs = Math.max(newest(join(root, "src")), ...makers);
if (!existsSync(built) || statSync(built).mtimeMs < sourcesMs) run("building", "npm", ["run", "--silent", "build"]);
