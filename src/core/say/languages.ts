import type { Language } from "../messages/text.ts";
import { EN } from "./en.ts";
import type { Say } from "./say.ts";
import { ZH } from "./zh.ts";

const SAYS: { readonly [L in Language]: Say } = { en: EN, zh: ZH };

export function sayIn(language: Language): Say {
  return SAYS[language];
}
