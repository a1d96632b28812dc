import { FAULTS } from "./faults.ts";
import { THINGS } from "./things.ts";

/** Every sentence in English. What may be said, and what has to be named with it, is read from here by the types. */
export const MESSAGES = { ...THINGS, ...FAULTS } as const;
