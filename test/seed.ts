import fc from "fast-check";

// Laws begin where the configuration says (vitest.config.ts): LEEWAY_SEED=<seed> npx vitest run <file> replays a failure.
fc.configureGlobal({ seed: Number(process.env["LEEWAY_SEED"]) });
