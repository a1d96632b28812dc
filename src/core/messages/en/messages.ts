import { CAUSES } from "./causes.ts";
import { FAULTS } from "./faults.ts";
import { GRANTS } from "./grants.ts";
import { HINTS } from "./hints.ts";
import { JSON_FAULTS } from "./json.ts";
import { NOTES } from "./notes.ts";
import { NOTICES } from "./notices.ts";
import { PLACES } from "./places.ts";
import { REASONS } from "./reasons.ts";
import { RECORDS } from "./records.ts";
import { REFUSALS } from "./refusals.ts";
import { THINGS } from "./things.ts";

/** Every sentence in English. What may be said, and what has to be named with it, is read from here by the types. */
export const MESSAGES = {
  ...THINGS,
  ...FAULTS,
  ...CAUSES,
  ...NOTES,
  ...PLACES,
  ...REFUSALS,
  ...HINTS,
  ...REASONS,
  ...NOTICES,
  ...GRANTS,
  ...RECORDS,
  ...JSON_FAULTS,
} as const;
