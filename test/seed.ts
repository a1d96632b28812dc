import fc from "fast-check";

// Property tests use the seed of the configuration (vitest.config.ts): LEEWAY_SEED=<seed> npx vitest run <file> repeats a failure.
fc.configureGlobal({ seed: Number(process.env["LEEWAY_SEED"]) });
