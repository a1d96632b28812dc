import { expect, test } from "vitest";
import { wordsText } from "./words-text.ts";

test.each([
  [["npm", "test"], "npm test"],
  [["git", "commit", "-m", "a b"], 'git commit -m "a b"'],
  [["python3", "-c", 'open("a","w").write("x")'], `python3 -c 'open("a","w").write("x")'`],
  [["echo", `it's "it"`], String.raw`echo "it's \"it\""`],
  [["echo", 'a "`b`"'], String.raw`echo "a \"\u0060b\u0060\""`],
  [["echo", 'a "\n"'], String.raw`echo "a \"\n\""`],
  [["echo", 'a \\ "b"'], String.raw`echo "a \\ \"b\""`],
  [["echo", '"\u202eb"'], String.raw`echo "\"${"\u202e"}b\""`],
])("the words %j are written so that it is clear where each ends", (words, text) => {
  expect(wordsText(words)).toBe(text);
});
