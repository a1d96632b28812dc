import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeConformance } from "../conformance/suite.ts";
import { sqliteStore } from "./index.ts";

storeConformance("sqlite", { keeps: true }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "leeway-store-"));
  const path = join(folder, "state", "leeway.db");
  const store = sqliteStore(path);
  return {
    store,
    reopen: async () => {
      await store.close();
      return sqliteStore(path);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
});
