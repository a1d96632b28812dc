import { defineConfig } from "vitest/config";

/** A few quick suites of this project, which a test runs in boxes. */
// biome-ignore lint/style/noDefaultExport: this is how vitest reads it
export default defineConfig({ test: { include: ["src/core/values/{duration,nearest,once,url}.test.ts"] } });
