import { createRequire } from "node:module";
import { once } from "../core/values/once.ts";

// Libraries that few policies need, and that take longer to load than most commands to act: loaded when first used. A
// policy is read in one go, so that none of them can be waited for.

const require = once(() => createRequire(import.meta.url));

/** For YAML that is not of the plain kind, and for what is wrong with a text. */
export const yamlLibrary = once(() => require()("yaml") as typeof import("yaml"));
/** For `when`. */
export const celLibrary = once(() => require()("@marcbachmann/cel-js") as typeof import("@marcbachmann/cel-js"));
/** For `re2()` in a `when`. */
export const re2Library = once(() => require()("re2js") as typeof import("re2js"));
