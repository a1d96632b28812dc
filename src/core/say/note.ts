import { MARKS_ZH, NOTES_ZH } from "./notes-zh.ts";
import { PLACES_ZH } from "./places-zh.ts";
import { reader } from "./reader.ts";

/** A note of the classifier in Chinese. */
export const noteZh = reader(NOTES_ZH, PLACES_ZH);
/** What a person has to look at, in Chinese. */
export const markZh = reader(MARKS_ZH);
