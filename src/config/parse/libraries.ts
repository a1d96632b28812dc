import { createRequire } from "node:module";
import { once } from "../../core/values/once.ts";

// Libraries that few policies need, and that take longer to load than most commands take to run: loaded on first use.
// Synchronously, because a policy is read in one step.

const require = once(() => createRequire(import.meta.url));

/** For YAML that our own reader does not handle, and for error messages. */
export const yamlLibrary = once(() => require()("yaml") as typeof import("yaml"));
/** For `when`. */
export const celLibrary = once(() => require()("@marcbachmann/cel-js") as typeof import("@marcbachmann/cel-js"));
/** For `re2()` in a `when`. */
export const re2Library = once(() => require()("re2js") as typeof import("re2js"));
