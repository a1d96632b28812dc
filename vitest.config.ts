import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Where random cases begin: the same in every ordinary run, so that what passed here passes there. New cases are tried by the
 * long proofs, which take the clock, and by LEEWAY_SEED; what they find gets a test of its own.
 */
function seed(): string {
  if (process.env["LEEWAY_SEED"] !== undefined) return process.env["LEEWAY_SEED"];
  return process.env["LEEWAY_PROVE"] === undefined ? "136949588" : String(Date.now() % 1_000_000_007);
}

/** It makes and removes sockets all the time, which disturbs boxes that others make at the same moment: it runs after them. */
const APART = ["test/box/escapes.test.ts"];

/** A long file that starts last lets the other processes wait for it, so the longest ones start first. */
const LONG = [
  ...["answering", "pages", "keeping", "newcomer"].map((name) => `test/browser/${name}.test.ts`),
  ...["hook-server", "recover", "same-commands", "boxed-run", "hook"].map((name) => `test/cli/${name}.test.ts`),
  ...["crash", "moving"].map((name) => `test/postgres/${name}.test.ts`),
  ...["test/http/roles.test.ts", "test/model/model.test.ts", "test/box/sessions.test.ts"],
];
class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer["sort"]>[0]): ReturnType<BaseSequencer["sort"]> {
    const isLong = ({ moduleId }: { moduleId: string }) => LONG.some((name) => moduleId.endsWith(`/${name}`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  // Examples and snippets import the package by its name, as their readers will.
  resolve: {
    alias: [
      { find: /^leeway$/, replacement: source("src/index.ts") },
      { find: /^leeway\/http$/, replacement: source("src/client/index.ts") },
      { find: /^leeway\/ai-sdk$/, replacement: source("src/adapters/ai-sdk.ts") },
      { find: /^leeway\/openai-agents$/, replacement: source("src/adapters/openai-agents.ts") },
      { find: /^leeway\/langchain$/, replacement: source("src/adapters/langchain.ts") },
      { find: /^leeway\/claude-agent-sdk$/, replacement: source("src/adapters/claude-agent-sdk.ts") },
      { find: /^leeway\/testing$/, replacement: source("src/testing.ts") },
    ],
  },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    // They need packages of their own, which only `npm run test:hosts` installs.
    exclude: ["test/hosts/**", "**/node_modules/**", ...(process.env["LEEWAY_APART"] === undefined ? APART : [])],
    pool: "forks",
    // One more than the small machines that run this have cores: tests often wait for a program, a browser or a database.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Few processes for all files: loading the sources anew for each took a sixth of the whole run. No test may rely on what
    // another file left in a module, nor leave anything.
    isolate: false,
    // The long proofs take what they take; a test of every day that takes a minute hangs.
    testTimeout: process.env["LEEWAY_PROVE"] === undefined ? 60_000 : 3_600_000,
    hookTimeout: 60_000,
    // What is awaited comes when it comes: vitest's own second is too short for a machine that is busy with something else.
    expect: { poll: { timeout: 30_000 } },
    // A test that needs another try is a broken promise.
    retry: 0,
    // Tests must never touch the state folder or the colours of whoever runs them.
    env: { NO_COLOR: "1", LEEWAY_TEST: "1", LEEWAY_SEED: seed() },
    setupFiles: [source("test/seed.ts"), source("test/passphrases.ts")],
    globalSetup: [source("test/postgres/global.ts")],
  },
});
