import { expect, test } from "vitest";
import { html } from "./html.ts";

const NAME = `"><b>x\u202e\u001b`;

test("what is invisible in a value is written out where people read it, and is kept in what a form sends back", () => {
  const attributes = html` title="${NAME}" data-id="${NAME}"`;
  expect(
    [
      html`<p>${NAME} ${[NAME]}</p>`,
      html`<input name="a" value="${NAME}" aria-label="${NAME}">`,
      html`<textarea rows="${3}">${NAME}</textarea><p>${NAME}</p>`,
      attributes,
    ].map((part) => part.html),
  ).toEqual([
    `<p>${SHOWN} ${SHOWN}</p>`,
    `<input name="a" value="${KEPT}" aria-label="${SHOWN}">`,
    `<textarea rows="3">${KEPT}</textarea><p>${SHOWN}</p>`,
    ` title="${SHOWN}" data-id="${KEPT}"`,
  ]);
});

const KEPT = "&quot;&gt;&lt;b&gt;x\u202e\u001b";
const SHOWN = "&quot;&gt;&lt;b&gt;x&lt;U+202E&gt;&lt;U+001B&gt;";
