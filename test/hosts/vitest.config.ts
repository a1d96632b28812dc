import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import everyday from "../../vitest.config.ts";

// The suites that drive the real hosts, SDKs and MCP packages: `npm run test:hosts` runs them.
export default defineConfig({
  ...everyday,
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    ...everyday.test,
    include: ["test/hosts/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    // A host is a large program that starts slowly on a small machine.
    testTimeout: 240_000,
    hookTimeout: 900_000,
  },
});
