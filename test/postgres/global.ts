import { createServer } from "node:net";
import type { TestProject } from "vitest/node";
import { type StartedPostgres, startPostgres } from "../../tools/postgres.mjs";

// One PostgreSQL for all suites of a run, started when the first of them asks for a database, and stopped at the end.

declare module "vitest" {
  interface ProvidedContext {
    /** The port at which a suite gets the address of a new, empty database. */
    postgresAt: number;
  }
}

let started: Promise<StartedPostgres> | undefined;
let databases = 0;

async function newDatabase(): Promise<string> {
  // Nothing here has to survive a loss of power.
  started ??= startPostgres({ durable: false });
  const postgres = await started;
  databases += 1;
  const name = `leeway_${databases}`;
  await postgres.createDatabase(name);
  return postgres.url(name);
}

const server = createServer((socket) => {
  newDatabase().then(
    (url) => socket.end(`${url}\n`),
    (error) => socket.end(`failed: ${error}\n`),
  );
});

export async function setup(project: TestProject): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  project.provide("postgresAt", typeof address === "object" && address !== null ? address.port : 0);
}

export async function teardown(): Promise<void> {
  server.close();
  await (await started)?.stop();
}
