import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PackageSource } from "../../../src/core/box.ts";
import { makeWorld, type World } from "../boxed.ts";
import { npmAnswers } from "./archives.ts";
import { type Answer, openRegistry } from "./registry.ts";
import { ranRehearsed } from "./rehearsed.ts";

// The real npm in a box, with a registry that records every request.

let world: World;
let registry: Awaited<ReturnType<typeof openRegistry>>;
beforeEach(async () => {
  world = makeWorld();
  registry = await openRegistry((origin) => ({
    ...published(origin, "left", {
      dependencies: { "@scope/right": "^1.0.0" },
    }),
    ...published(origin, "@scope/right", {}),
  }));
});
afterEach(() => {
  world.end();
  registry.end();
});

/** A package that tries to send something away when it is installed. */
function published(origin: string, name: string, more: object): { [path: string]: Answer } {
  const files = { "index.js": `module.exports = ${JSON.stringify(name)};`, "install.js": SENDING };
  return npmAnswers(origin, name, more, files);
}

const SENDING = `
const { request } = require("node:http");
const { writeFileSync } = require("node:fs");
const at = new URL(process.env.npm_config_registry);
const send = (method, path) => new Promise((resolve) => {
  request({ host: at.hostname, port: at.port, method, path }, (got) => resolve(got.statusCode)).on("error", () => resolve("error")).end(method === "GET" ? undefined : "the project");
});
(async () => {
  const codes = [await send("PUT", "/left"), await send("POST", "/-/npm/v1/security/audits"), await send("GET", "/left?told=secret")];
  writeFileSync("sent", codes.join(" "));
})();
`;

function source(): PackageSource {
  return { kind: "npm", from: `${registry.origin}/` };
}

/** npm outside of any box, with the registry as its own. */
function outside(folder: string): Promise<number | null> {
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    npm_config_registry: registry.origin,
    npm_config_audit: "false",
  };
  return new Promise((resolve, reject) => {
    spawn("npm", ["install"], { cwd: folder, env, stdio: "ignore" }).on("error", reject).on("close", resolve);
  });
}

const MANIFEST = JSON.stringify({ name: "x", version: "1.0.0", dependencies: { left: "^1.0.0" } });

test("npm installs in a box, the lock file is the same as outside, and nothing but packages was asked for", async () => {
  const { project, folder } = world;
  writeFileSync(join(project, "package.json"), MANIFEST);
  writeFileSync(join(project, ".npmrc"), "save-exact=true\n");
  const ran = await ranRehearsed(
    world,
    "npm install && npm ci && node node_modules/left/install.js && node -p 'require(\"left\")'",
    [source()],
  );
  expect({ code: ran.code, output: ran.output.trim().split("\n").at(-1) }).toEqual({ code: 0, output: "left" });
  expect(new Set(registry.asked.map(({ method, url, body }) => `${method} ${url} ${body}`))).toEqual(
    new Set([
      "GET /left ",
      "GET /@scope%2fright ",
      "GET /left/-/left-1.0.0.tgz ",
      "GET /@scope/right/-/right-1.0.0.tgz ",
    ]),
  );
  expect(readFileSync(join(project, "sent"), "utf8")).toBe("403 403 403");
  expect(ran.refused).toEqual([{ of: "network", domain: new URL(registry.origin).host }]);
  const other = join(folder, "outside");
  mkdirSync(other);
  writeFileSync(join(other, "package.json"), MANIFEST);
  expect(await outside(other)).toBe(0);
  for (const file of ["package-lock.json", "package.json", "node_modules/.package-lock.json"])
    expect(readFileSync(join(project, file), "utf8")).toBe(readFileSync(join(other, file), "utf8"));
}, 120_000);

test("npm cannot publish from a box, nor install what the registry does not have", async () => {
  const { project } = world;
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "left", version: "2.0.0" }));
  const script =
    'npm publish --//127.0.0.1:48731/:_authToken=secret; echo "published $?"; npm install nowhere; echo "installed $?"';
  const { output } = await ranRehearsed(world, script, [source()]);
  expect(output.match(/(published|installed) \d+/g)).toEqual(["published 1", "installed 1"]);
  expect(
    registry.asked.filter(({ method, body, headers }) => method !== "GET" || body !== "" || headers.authorization),
  ).toEqual([]);
}, 120_000);

test("without the wall a registry is not there", async () => {
  writeFileSync(join(world.project, "package.json"), MANIFEST);
  const { code } = await ranRehearsed(world, `npm install --fetch-retries=0 --registry=${registry.origin}`, []);
  expect({ isInstalled: code === 0, asked: registry.asked }).toEqual({ isInstalled: false, asked: [] });
}, 120_000);
