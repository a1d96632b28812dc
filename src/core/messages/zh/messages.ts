import { FAULTS } from "./faults.ts";
import { THINGS } from "./things.ts";

export const MESSAGES = { ...THINGS, ...FAULTS };
