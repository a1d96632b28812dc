import type { WorkspaceId } from "../../core/ids.ts";
import type { RefusedForm } from "../../http/kept-forms.ts";
import type { Language, Words } from "../words/words.ts";
import type { Part } from "./html.ts";

/** The workspace of a page, and the others in which this browser is signed in. */
export type Place = { workspace: WorkspaceId; others: readonly WorkspaceId[] };

/** What every page knows: its reader, the language, and problems of the gate. */
export type View = {
  words: Words;
  language: Language;
  person?: string;
  admin: boolean;
  /** They may answer and change things here; an auditor only reads. */
  mayAct: boolean;
  /** They signed in recently. */
  fresh: boolean;
  pending: number;
  /** Set if the server serves several workspaces. */
  place?: Place;
  /** Set if everything is paused. */
  paused: boolean;
  warnings: readonly Part[];
  /** What was just done, shown on the page after a form. */
  told?: Part;
  /** The form that was just refused, shown on its page. */
  refused?: RefusedForm;
  nowMs: number;
};
