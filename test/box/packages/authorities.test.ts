import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { authoritiesFor } from "../../../src/config/paths/authorities.ts";
import type { PackageSource } from "../../../src/core/box.ts";
import { makeWorld, type World } from "../boxed.ts";
import { npmAnswers, pythonAnswers } from "./archives.ts";
import { type Answer, openRegistry } from "./registry.ts";
import { ranRehearsed } from "./rehearsed.ts";

// A registry whose certificate only the settings of the machine make believable, as in many companies.

let world: World;
const ends: (() => void)[] = [];
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => {
  world.end();
  for (const end of ends.splice(0)) end();
});

/** A registry on the loopback address, and the file with its authority, which is outside of the project. */
async function registryWithOwnAuthority(answers: (origin: string) => { [path: string]: Answer | "hangs" }) {
  const folder = join(world.home, "company");
  mkdirSync(folder);
  const openssl = (args: string) => {
    const done = spawnSync("openssl", args.split(" "), { cwd: folder, encoding: "utf8" });
    expect([args, done.status]).toEqual([args, 0]);
  };
  const key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
  writeFileSync(join(folder, "names"), "subjectAltName=IP:127.0.0.1\n");
  openssl(`req -x509 ${key} -days 2 -subj /CN=company -keyout authority.key -out authority.crt`);
  openssl(`req ${key} -subj /CN=registry -keyout registry.key -out registry.csr`);
  const signing = "-CA authority.crt -CAkey authority.key -CAcreateserial -extfile names";
  openssl(`x509 -req -in registry.csr -days 2 ${signing} -out registry.crt`);
  const [tlsKey, cert] = ["registry.key", "registry.crt"].map((name) => readFileSync(join(folder, name)));
  const registry = await openRegistry(answers, { key: tlsKey as Buffer, cert: cert as Buffer });
  ends.push(registry.end);
  return { registry, authority: join(folder, "authority.crt") };
}

const MANIFEST = JSON.stringify({ name: "x", version: "1.0.0", dependencies: { left: "^1.0.0" } });
const LEFT = (origin: string) => npmAnswers(origin, "left", {}, { "index.js": 'module.exports = "left";' });

test("npm installs in a box from a registry whose authority `cafile` names, and fails at once where nobody names it", async () => {
  const { registry, authority } = await registryWithOwnAuthority(LEFT);
  const source: PackageSource = { kind: "npm", from: `${registry.origin}/` };
  writeFileSync(join(world.project, "package.json"), MANIFEST);
  const begunMs = Date.now();
  const unknown = await ranRehearsed(world, "npm install", [source]);
  expect([unknown.code === 0, Date.now() - begunMs < 30_000]).toEqual([false, true]);
  expect(unknown.errors).toMatch(/403 the registry could not be read: unable to/);
  writeFileSync(join(world.home, ".npmrc"), `cafile=${authority}\n`);
  const ran = await ranRehearsed(world, "npm install && node -p 'require(\"left\")'", [source]);
  expect([ran.code, ran.output.trim().split("\n").at(-1)]).toEqual([0, "left"]);
}, 120_000);

test("pip installs in a box from a registry whose authority `cert` names", async () => {
  const { project, folder, home } = world;
  const { registry, authority } = await registryWithOwnAuthority(() => pythonAnswers(join(folder, "wheel")));
  const env = { ...process.env, HOME: home, PIP_CONFIG_FILE: "/dev/null" };
  expect(spawnSync("python3", ["-m", "venv", ".venv"], { cwd: project, env }).status).toBe(0);
  mkdirSync(join(home, ".config/pip"), { recursive: true });
  writeFileSync(join(home, ".config/pip/pip.conf"), `[global]\ncert = ${authority}\n`);
  const script = ".venv/bin/pip install left && .venv/bin/python -c 'import left; print(left.name)'";
  const ran = await ranRehearsed(world, script, [{ kind: "pypi", from: `${registry.origin}/simple/` }]);
  expect([ran.code, ran.output.trim().split("\n").at(-1)]).toEqual([0, "left"]);
}, 120_000);

test("authorities are read where settings of the machine name them, and never what a program could have written", async () => {
  const { authority } = await registryWithOwnAuthority(() => ({}));
  const { home, project } = world;
  const own = readFileSync(authority, "utf8").trim();
  // This machine may have authorities of its own.
  const has = (kind: "npm" | "pypi", env: Record<string, string> = {}) =>
    authoritiesFor(kind, { home, project, env }).includes(own);
  expect([has("npm"), has("pypi")]).toEqual([false, false]);
  for (const name of ["NODE_EXTRA_CA_CERTS", "NPM_CONFIG_CAFILE", "npm_config_cafile", "SSL_CERT_FILE", "PIP_CERT"])
    expect([name, has("npm", { [name]: authority })]).toEqual([name, true]);
  writeFileSync(join(home, ".npmrc"), "cafile = ~/company/authority.crt\n");
  expect([has("npm"), has("pypi")]).toEqual([true, false]);
  writeFileSync(join(home, ".npmrc"), "cafile=missing.crt\n");
  writeFileSync(join(project, "own.crt"), own);
  expect(has("npm", { NODE_EXTRA_CA_CERTS: join(project, "own.crt"), SSL_CERT_FILE: home })).toBe(false);
  // The project's file may have been written by a program: what it names in a folder for temporary files may be too.
  writeFileSync(join(project, ".npmrc"), `cafile=${authority}\n`);
  expect(has("npm")).toBe(false);
});
