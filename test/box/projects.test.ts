import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fetched, type Project, ranInside, ranOutside } from "./projects.ts";

const DEBIAN = "usr/lib/python3/dist-packages";

const PROJECTS: readonly Project[] = [
  {
    name: "find-my-way",
    from: "npm",
    archive: "find-my-way@9.10.0",
    needs: ["proxyquire@2", "rfdc@1"],
    command: "node --test --test-reporter=tap test/*.test.js",
  },
  {
    name: "fast-uri",
    from: "npm",
    archive: "fast-uri@4.2.3",
    needs: ["tape@5", "ajv@8"],
    command: "node_modules/.bin/tape 'test/**/*.js'",
  },
  {
    name: "sonic-boom",
    from: "npm",
    archive: "sonic-boom@5.0.2",
    needs: ["@sinonjs/fake-timers@15", "proxyquire@2"],
    command:
      "node --test --test-reporter=tap test/end.test.js test/flush.test.js test/mode.test.js test/reopen.test.js",
  },
  {
    name: "simplejson",
    from: "debian",
    archive: "python3-simplejson",
    folder: DEBIAN,
    command: "/usr/bin/python3 -m unittest discover -v -s simplejson/tests -t .",
  },
];

/** These need downloads, and some take a minute. */
const isLong = process.env["LEEWAY_PROVE"] !== undefined;

for (const project of isLong ? PROJECTS : []) {
  test(`the tests of ${project.name} have the same results outside, in a box and in a rehearsal`, async () => {
    const place = fetched(project);
    try {
      const outside = await ranOutside(place, project.command);
      expect(outside.tests.length).toBeGreaterThan(10);
      expect(await ranInside(place, project.command, { rehearse: true })).toEqual(outside);
      expect(await ranInside(place, project.command, { rehearse: false })).toEqual(outside);
    } finally {
      place.remove();
    }
  });
}

test("tests of this project have the same results outside, in a box and in a rehearsal", async () => {
  const root = realpathSync.native(fileURLToPath(new URL("../..", import.meta.url)));
  const world = realpathSync.native(mkdtempSync(join(tmpdir(), "leeway-own-")));
  const place = { home: join(world, "home"), root, folder: root, stateFolder: join(world, "state") };
  for (const folder of [place.home, place.stateFolder]) mkdirSync(folder);
  const command = "node node_modules/vitest/vitest.mjs run --config test/box/own-tests.config.ts --reporter=tap-flat";
  try {
    const outside = await ranOutside(place, command);
    expect([outside.code, outside.tests.length > 10]).toEqual([0, true]);
    expect(await ranInside(place, command, { rehearse: true })).toEqual(outside);
    expect(await ranInside(place, command, { rehearse: false })).toEqual(outside);
  } finally {
    rmSync(world, { recursive: true, force: true });
  }
});
