import { MARKS_ZH, NOTES_ZH } from "./notes-zh.ts";
import { PLACES_ZH } from "./places-zh.ts";

/** A note of the classifier in Chinese. */
export const noteZh = reader(NOTES_ZH);
/** What a person has to look at, in Chinese. */
export const markZh = reader(MARKS_ZH);

/** A longer text names something that fills the screen: it is not searched for its words again and again. */
const NAMING_MAX = 1_000;

/** Finds the line that fits and fills in what is named. What nobody translated stays as it is rather than be left out. */
function reader(table: readonly (readonly [english: string, zh: string])[]): (text: string) => string {
  const plain = new Map(table.filter(([english]) => !english.includes("{}")));
  const naming = table
    .filter(([english]) => english.includes("{}"))
    .map(([english, zh]) => ({
      pattern: new RegExp(`^${english.split("{}").map(literal).join("(.+)")}$`, "su"),
      zh,
    }));
  return (text) => {
    const whole = plain.get(text);
    if (whole !== undefined || text.length > NAMING_MAX) return whole ?? text;
    for (const { pattern, zh } of naming) {
      const [, ...names] = pattern.exec(text) ?? [];
      if (names.length > 0) return filled(zh, names);
    }
    return text;
  };
}

function filled(zh: string, names: readonly string[]): string {
  let next = 0;
  return zh.replaceAll(/\{([12]?)\}/g, (_, place: string) => {
    const name = names[place === "" ? next++ : Number(place) - 1] ?? "";
    return PLACES_ZH[name] ?? name;
  });
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
