import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sealer } from "../../../test/fixtures/rows.ts";
import { storeConformance } from "../conformance/suite.ts";
import { sqliteStore } from "./index.ts";

storeConformance("sqlite", { keeps: true }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "leeway-store-"));
  const path = join(folder, "state", "leeway.db");
  const store = sqliteStore(path, { sealer });
  return {
    store,
    reopen: async () => {
      await store.close();
      return sqliteStore(path, { sealer });
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
});
