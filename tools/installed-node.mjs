import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** The program of another version of Node, installed into this folder; nothing of it touches the project. */
export function installedNode(version, folder) {
  const package_ = `node-${process.platform}-${process.arch}@${version}`;
  const done = spawnSync("npm", ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", package_], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (done.status !== 0) throw new Error(`${package_} could not be installed; check the name and the registry`);
  return join(folder, "node_modules", package_.slice(0, package_.lastIndexOf("@")), "bin", "node");
}
