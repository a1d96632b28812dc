// Tries the walls of `tools/seatbelt.mjs` on a Mac: `node tools/box-on-a-mac.mjs`. It writes only in a temporary folder.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seatbeltProfile } from "./seatbelt.mjs";

if (process.platform !== "darwin") {
  process.stderr.write("this tool tries Seatbelt, which only macOS has\n");
  process.exit(1);
}
const folder = realpathSync(mkdtempSync(join(tmpdir(), "leeway-mac-")));
const at = (path) => join(folder, path);
for (const path of ["project/.git", "home", "temporary"]) mkdirSync(at(path), { recursive: true });
for (const path of ["home/key", "outside", "project/.git/config"]) writeFileSync(at(path), "as it was");
const profile = seatbeltProfile(
  { write: [at("project")], network: [], reveal: [] },
  { hidden: [at("home/key")], kept: [at("project/.git")], temporary: at("temporary") },
);
const TRIES = [
  ["write in the project", "echo a > project/made", true],
  ["write outside", "echo a >> outside", false],
  ["write to a protected place", "echo a >> project/.git/config", false],
  ["read a hidden place", "cat home/key", false],
  ["reach the network", "curl -sS --max-time 3 http://1.1.1.1/", false],
  ["signal a program outside", `kill -0 ${process.pid}`, false],
];
let wrong = 0;
for (const [what, script, expected] of TRIES) {
  const ran = spawnSync("/usr/bin/sandbox-exec", ["-p", profile, "/bin/sh", "-c", script], {
    cwd: folder,
    encoding: "utf8",
  });
  const isRight = (ran.status === 0) === expected;
  if (!isRight) wrong++;
  process.stdout.write(
    `${isRight ? "as expected" : "WRONG"}: ${what}: ${ran.status === 0 ? "works" : ran.stderr.trim()}\n`,
  );
}
rmSync(folder, { recursive: true });
process.exitCode = wrong === 0 ? 0 : 1;
