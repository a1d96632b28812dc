import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Answer, hashOf } from "./registry.ts";

// Packages as registries have them, each called `left`.

type Answers = { [path: string]: Answer };

function written(folder: string, files: { [name: string]: string }): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** A wheel is an archive with a module and files about it. Its program is called `left` too. */
export function pythonAnswers(folder: string): Answers {
  const about = "left-1.0.dist-info";
  written(folder, {
    "left.py": "name = 'left'\ndef main(): print('ran left')\n",
    [`${about}/METADATA`]: "Metadata-Version: 2.1\nName: left\nVersion: 1.0\n",
    [`${about}/WHEEL`]: "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    [`${about}/entry_points.txt`]: "[console_scripts]\nleft-program = left:main\n",
    [`${about}/RECORD`]: ["left.py", `${about}/METADATA`, `${about}/WHEEL`].map((name) => `${name},,\n`).join(""),
  });
  const pack = "import shutil, sys; shutil.make_archive(sys.argv[1], 'zip', sys.argv[2])";
  execFileSync("python3", ["-c", pack, `${folder}-packed`, folder]);
  const archive = readFileSync(`${folder}-packed.zip`);
  const link = `<a href="/packages/left-1.0-py3-none-any.whl#sha256=${hashOf("sha256", archive, "hex")}">left</a>`;
  return {
    "/simple/left/": { type: "text/html", body: `<!DOCTYPE html><html><body>${link}</body></html>` },
    "/packages/left-1.0-py3-none-any.whl": { type: "application/octet-stream", body: archive },
  };
}

/** A crate with a library, or with a program. */
export function crateAnswers(folder: string, origin: string, source: { [name: string]: string }): Answers {
  const manifest = '[package]\nname = "left"\nversion = "1.0.0"\nedition = "2021"\n';
  written(join(folder, "left-1.0.0"), { "Cargo.toml": manifest, ...source });
  const archive = execFileSync("tar", ["-cz", "-C", folder, "left-1.0.0"]);
  const line = { name: "left", vers: "1.0.0", deps: [], cksum: hashOf("sha256", archive, "hex"), features: {} };
  return {
    "/config.json": { body: JSON.stringify({ dl: `${origin}/crates`, api: origin }) },
    "/le/ft/left": { body: `${JSON.stringify({ ...line, yanked: false })}\n` },
    "/crates/left/1.0.0/download": { type: "application/octet-stream", body: archive },
  };
}

/** A package of npm with any name: its document, and its archive with these files besides its manifest. */
export function npmAnswers(origin: string, name: string, more: object, files: { [name: string]: string }): Answers {
  const manifest = { name, version: "1.0.0", ...more };
  const archive = npmArchive({ "package.json": JSON.stringify(manifest), ...files });
  const base = name.split("/").at(-1);
  const path = `/${name}/-/${base}-1.0.0.tgz`;
  const dist = { tarball: `${origin}${path}`, integrity: `sha512-${hashOf("sha512", archive, "base64")}` };
  const document = { name, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": { ...manifest, dist } } };
  return {
    [`/${name.replace("/", "%2f")}`]: { body: JSON.stringify(document) },
    [path]: { type: "application/octet-stream", body: archive },
  };
}

function npmArchive(files: { [name: string]: string }): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "leeway-archive-"));
  written(join(folder, "package"), files);
  const tar = execFileSync("tar", ["-c", "--mtime=2020-01-01", "--sort=name", "-C", folder, "package"]);
  rmSync(folder, { recursive: true });
  return gzipSync(tar);
}
