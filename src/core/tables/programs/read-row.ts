import { EFFECT_CLASSES, type EffectClass, REACHES } from "../../effect.ts";
import { NOTES } from "../../messages/en/notes.ts";
import type { PlainId } from "../../messages/message.ts";
import { once } from "../../values/once.ts";
import { type Fact, type Form, factsIn, faultAt, namesIn, oneOf, type Paragraph, withGroups } from "../facts.ts";
import { OBEYING } from "../obeyed.ts";
import { CHECK_NAMES, type ProgramRow } from "./row.ts";

/** Every fact of a program; `docs/adding-a-program.md` explains them. */
export const PROGRAM_FORM: Form = {
  class: "once",
  check: "once",
  takes: "once",
  here: "maybe",
  options: "often",
  free: "alone",
  everywhere: "alone",
  words: "alone",
  apart: "alone",
  keeps: "alone",
  atfile: "alone",
  obeys: "once",
  reach: "once",
  reversible: "once",
  domain: "once",
  partly: "once",
  try: "often",
};

type Draft = Omit<ProgramRow, "class" | "tries"> & { class?: EffectClass; tries: string[] };

/** What a paragraph says about its programs. */
export function rowFrom(paragraph: Paragraph): ProgramRow {
  const row: Draft = { run: namesIn(paragraph).join(", "), tries: [] };
  for (const fact of factsIn(paragraph, PROGRAM_FORM)) add(row, fact);
  if (row.class === undefined) throw faultAt(paragraph, paragraph.start, `\`${row.run}\` has no \`class\``);
  if (row.tries.length === 0) throw faultAt(paragraph, paragraph.start, `\`${row.run}\` has no \`try\``);
  return { ...row, class: row.class };
}

/** Sentences without values: a table has only their ids. */
const PLAIN_NOTES = once(() =>
  (Object.keys(NOTES) as NoteId[]).filter((id): id is PlainNote => !NOTES[id].includes("{")),
);
type NoteId = keyof typeof NOTES;
type PlainNote = PlainId<"note">;

function noteIn(fact: Fact): PlainNote {
  return oneOf(fact, PLAIN_NOTES());
}

function add(row: Draft, fact: Fact): void {
  const { word, rest } = fact;
  switch (word) {
    case "class":
      row.class = oneOf(fact, EFFECT_CLASSES);
      break;
    case "check":
      row.check = oneOf(fact, CHECK_NAMES);
      break;
    case "partly":
      row.partly = noteIn(fact);
      break;
    case "takes":
    case "domain":
      row[word] = rest;
      break;
    case "options":
      row.options = row.options === undefined ? withGroups(fact, word) : `${row.options} ${withGroups(fact, word)}`;
      break;
    case "try":
      row.tries.push(rest);
      break;
    case "here":
      row.here = rest === "" ? true : oneOf(fact, ["alone"] as const);
      break;
    case "free":
    case "everywhere":
    case "words":
    case "apart":
    case "keeps":
    case "atfile":
      row[word] = true;
      break;
    case "reach":
      row.reach = oneOf(fact, REACHES);
      break;
    case "reversible":
      row.reversible = oneOf(fact, ["yes", "no"]) === "yes";
      break;
    case "obeys": {
      const [first, ...others] = rest.split(" ").map((by) => oneOf({ ...fact, rest: by }, OBEYING));
      if (first !== undefined) row.obeys = others.length === 0 ? first : [first, ...others];
    }
  }
}
