import fc from "fast-check";
import { expect, test } from "vitest";
import { hasHidden, mixedScripts, visible, visibleJson, visibleLines, visibleOnScreen, wrap } from "./text.ts";

const points = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

test("three hundred characters that hide, move or erase others are shown as escapes", () => {
  const hidden = [
    ...points(0x00, 0x1f),
    ...points(0x7f, 0xa0),
    0xad,
    0x34f,
    0x61c,
    0x115f,
    0x1160,
    0x1680,
    0x17b4,
    0x17b5,
    ...points(0x180b, 0x180f),
    ...points(0x2000, 0x200f),
    ...points(0x2028, 0x202f),
    ...points(0x205f, 0x206f),
    0x2800,
    0x3000,
    0x3164,
    ...points(0xfe00, 0xfe0f),
    0xfeff,
    0xffa0,
    ...points(0xfff9, 0xfffb),
    0xe000,
    ...points(0xe0000, 0xe007f),
    ...points(0xe0100, 0xe0130),
    0x10ffff,
  ].map((point) => String.fromCodePoint(point));
  expect(hidden.length).toBeGreaterThanOrEqual(300);
  const missed = hidden.filter((char) => !/^a<U\+[0-9A-F]{4,6}>b$/.test(visible(`a${char}b`)) || !hasHidden(char));
  expect(missed.map((char) => char.codePointAt(0)?.toString(16))).toEqual([]);
});

test("ordinary text in any script is unchanged", () => {
  const plain = [
    "hello, world",
    "Grüße aus Köln",
    "Привет",
    "你好",
    "こんにちは",
    "שלום",
    "مرحبا",
    "नमस्ते",
    "e\u0301",
    "100 % — “ok”",
    "😀",
  ];
  expect(plain.map(visible)).toEqual(plain);
});

test("line breaks are kept, and other control characters are not", () => {
  expect(visibleLines("a\r\nb\tc\nd\u001be")).toEqual(["a", "b    c", "d<U+001B>e"]);
});

test("a word that mixes scripts is reported, but a sentence in two languages is not", () => {
  expect(mixedScripts("p\u0430ypal")).toEqual(["Latin", "Cyrillic"]);
  expect(mixedScripts("gооgle.com")).toEqual(["Latin", "Cyrillic"]);
  expect(mixedScripts("αpi")).toEqual(["Latin", "Greek"]);
  expect(mixedScripts("ｒead_file")).toEqual(["Latin", "letters in other dress"]);
  expect(mixedScripts("Привет world")).toEqual([]);
  expect(mixedScripts("src/日本語/readme.md")).toEqual([]);
});

test("wrapping removes only the spaces at which it breaks", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), fc.integer({ min: 10, max: 100 }), (text, width) => {
      const lines = wrap(text, width, "  ");
      expect(lines.every((line) => [...line].length <= width)).toBe(true);
      expect(lines.join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
    }),
  );
});

test("text that was made visible stays as it is, and so does a whole answer except for its line ends and tabs", () => {
  for (const text of ["a\u202eb", `x${"\u0301".repeat(9)}`, "a\u0000\n\tb", "\ud800", "\u001b[31mred"]) {
    expect([visible(visible(text)), visibleOnScreen(visibleOnScreen(text))]).toEqual([
      visible(text),
      visibleOnScreen(text),
    ]);
  }
  expect(visibleOnScreen("a\tb\n\u202ec\r")).toBe("a\tb\n<U+202E>c<U+000D>");
});

test("JSON on a terminal has nothing invisible in it, and a program reads the same value", () => {
  const value = { name: "a\u202e\u2028\u009b\u{e0041}\u200b\u00a0b", list: ["é", "日本", "😀"] };
  const text = visibleJson(value);
  expect([hasHidden(text), JSON.parse(text)]).toEqual([false, value]);
  expect(visibleJson({ plain: "é 日本" })).toBe('{"plain":"é 日本"}');
});
