import type { RefusedForm } from "../http/kept-forms.ts";
import type { Part } from "./html.ts";
import type { Language, Words } from "./words.ts";

/** What every page knows: whose it is, in which language, and what is wrong with the gate. */
export type View = {
  words: Words;
  language: Language;
  person?: string;
  admin: boolean;
  /** They may answer and change things here; an auditor only reads. */
  mayAct: boolean;
  /** They proved to be themself a moment ago. */
  fresh: boolean;
  pending: number;
  /** Everything is, by a person who stopped it. */
  paused: boolean;
  warnings: readonly Part[];
  /** What was just done, for the page that one is led to after doing it. */
  told?: Part;
  /** The form that was refused a moment ago, on the page that it stands on. */
  refused?: RefusedForm;
  nowMs: number;
};
