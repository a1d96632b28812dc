import { expect, test } from "vitest";
import type { Card } from "./card.ts";
import { renderHtml } from "./render-html.ts";

const CARD: Card = {
  lead: "lead",
  title: "coder (ana's agent) asks to use Bash",
  sentence: "deletes a<b, cannot be undone",
  targets: ["a<b (admin)"],
  parts: [],
  exact: ["command: ls;  rm 'a<b'"],
  marks: [{ line: 0, from: 14, to: 22 }],
  changes: [],
  size: "30 bytes of arguments, sha256:1",
  holdsFor: [],
  why: ["rule x says ask"],
  understanding: ["fully understood"],
  deadline: "2026-01-02 10:00 UTC",
  quorum: "0 of 1 approval so far",
  says: "<b>safe</b>\nreally",
};

test("the HTML page shows the same as the text in the same order, escaped, with the risky part marked", () => {
  expect(renderHtml(CARD).split("\n")).toEqual([
    '<article class="leeway-card" dir="ltr">',
    "<h2><code>lead</code></h2>",
    "<p>deletes a&lt;b, cannot be undone</p>",
    "<p>coder (ana&#39;s agent) asks to use Bash</p>",
    "<section>",
    "<h3>targets</h3>",
    "<ul>",
    "<li>a&lt;b (admin)</li>",
    "</ul>",
    "</section>",
    "<section>",
    "<h3>exactly</h3>",
    "<ul>",
    "<li><code>command: ls; &#160;<mark>rm &#39;a&lt;b&#39;</mark></code></li>",
    "<li><code>30 bytes of arguments, sha256:1</code></li>",
    "</ul>",
    "</section>",
    "<section>",
    "<h3>why you are asked</h3>",
    "<ul>",
    "<li>rule x says ask</li>",
    "</ul>",
    "</section>",
    "<section>",
    "<h3>understood</h3>",
    "<ul>",
    "<li>fully understood</li>",
    "</ul>",
    "</section>",
    "<section>",
    "<h3>answer by</h3>",
    "<ul>",
    "<li>2026-01-02 10:00 UTC</li>",
    "<li>0 of 1 approval so far</li>",
    "</ul>",
    "</section>",
    "<section>",
    "<h3>the agent&#39;s own words (not verified)</h3>",
    "<blockquote>",
    "<ul>",
    "<li>&lt;b&gt;safe&lt;/b&gt;</li>",
    "<li>really</li>",
    "</ul>",
    "</blockquote>",
    "</section>",
    "</article>",
  ]);
});

test("a text without spaces may wrap, so that nothing leaves the page", () => {
  const html = renderHtml({ ...CARD, sentence: `reads ${"x".repeat(50)}` });
  expect(html).toContain(`<p>reads ${"x".repeat(20)}<wbr>${"x".repeat(20)}<wbr>${"x".repeat(10)}</p>`);
});

test("no other text gets additional line breaks: a command looks as it was written", () => {
  const sentence = "runs npm test; deletes dist and everything below, cannot be undone; reads src and $(which foo)";
  expect(renderHtml({ ...CARD, sentence })).toContain(`<p>${sentence}</p>`);
});
