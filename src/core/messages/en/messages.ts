import { ADAPTERS } from "./adapters.ts";
import { CAUSES } from "./causes.ts";
import { CHANNELS } from "./channels.ts";
import { FAULTS } from "./faults.ts";
import { GATEWAY } from "./gateway.ts";
import { GRANTS } from "./grants.ts";
import { HINTS } from "./hints.ts";
import { HOOKS } from "./hooks.ts";
import { JSON_FAULTS } from "./json.ts";
import { NOTES } from "./notes.ts";
import { NOTICES } from "./notices.ts";
import { PLACES } from "./places.ts";
import { REACH } from "./reach.ts";
import { REASONS } from "./reasons.ts";
import { RECORDS } from "./records.ts";
import { REFUSALS } from "./refusals.ts";
import { THINGS } from "./things.ts";

/** Every sentence in English. The types of ids and values are taken from here. */
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
  ...CHANNELS,
  ...REACH,
  ...GATEWAY,
  ...GRANTS,
  ...RECORDS,
  ...JSON_FAULTS,
  ...HOOKS,
  ...ADAPTERS,
} as const;
