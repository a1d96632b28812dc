import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A test that needs another try is a broken promise.
    retry: 0,
    // Tests must never touch the state folder or the colours of whoever runs them.
    env: { NO_COLOR: "1", LEEWAY_TEST: "1" },
  },
});
