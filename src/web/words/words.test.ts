import { expect, test } from "vitest";
import { ENTRY_KINDS } from "../../core/ledger.ts";
import { apiRoutes } from "../../http/api.ts";
import { KIND_WORDS, TRIED_WORDS } from "./kinds.ts";
import { ROUTES_ZH } from "./routes-zh.ts";
import { languageOf, wordsOf } from "./words.ts";

test("every text exists in both languages, and none is empty", () => {
  const [en, zh] = [wordsOf("en"), wordsOf("zh")];
  expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
  expect([...Object.values(en), ...Object.values(zh)].filter((word) => word.trim() === "")).toEqual([]);
});

test("a text uses the same values in every language", () => {
  const names = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
  for (const kind of ENTRY_KINDS)
    expect([kind, names(KIND_WORDS[kind].zh)]).toEqual([kind, names(KIND_WORDS[kind].en)]);
  for (const { en, zh } of Object.values(TRIED_WORDS)) expect([zh, names(zh)]).toEqual([zh, names(en)]);
});

test("every route of the API has a Chinese description, and no removed route has one", () => {
  expect(Object.keys(ROUTES_ZH).sort()).toEqual(
    apiRoutes("")
      .map(({ method, path }) => `${method} ${path}`)
      .sort(),
  );
});

test("the language is the one that was chosen, or else the first supported one of the browser, or else English", () => {
  expect(languageOf("zh", "en")).toBe("zh");
  expect(languageOf(undefined, "fr-FR, zh-CN;q=0.8, en;q=0.5")).toBe("zh");
  expect(languageOf("xx", "fr")).toBe("en");
  expect(languageOf(undefined, undefined)).toBe("en");
});
