import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { socketPlaces } from "./hidden-places.ts";

test.skipIf(process.platform !== "linux")(
  "a socket that a program opened through a link, as PostgreSQL does in /var/run, is hidden where it is",
  async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "leeway-socket-")));
    mkdirSync(join(folder, "run"));
    symlinkSync(join(folder, "run"), join(folder, "link"));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder, "link", "s"), resolve));
    const found = socketPlaces([]).filter(({ at }) => at.startsWith(folder));
    const revealed = socketPlaces([join(folder, "link", "s")]).filter(({ at }) => at.startsWith(folder));
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
    expect([found, revealed]).toEqual([[{ at: join(folder, "run", "s"), is: "file" }], []]);
  },
);
