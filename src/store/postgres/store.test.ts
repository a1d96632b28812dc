import { afterAll } from "vitest";
import { sealer } from "../../../test/fixtures/rows.ts";
import { newDatabase } from "../../../test/postgres/database.ts";
import { type Installed, installedVersions, startInstalled } from "../../../test/postgres/installed.ts";
import { storeConformance } from "../conformance/suite.ts";
import { postgresStore } from "./index.ts";

function conforms(name: string, database: () => Promise<string>): void {
  storeConformance(name, { keeps: true }, async () => {
    const url = await database();
    const store = postgresStore(url, { sealer });
    return {
      store,
      reopen: async () => {
        await store.close();
        return postgresStore(url, { sealer });
      },
    };
  });
}

conforms("postgres", newDatabase);

/** Debian's, where it is installed, in the long proofs: the suite takes half a minute for each. */
for (const version of process.env["LEEWAY_PROVE"] === undefined ? [] : installedVersions()) {
  let started: Promise<Installed> | undefined;
  afterAll(async () => (await started)?.stop());
  conforms(`postgres ${version}`, async () => {
    started ??= startInstalled(version);
    return (await started).newDatabase();
  });
}
