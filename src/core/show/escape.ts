/** Text between tags or in a quoted attribute: it makes no tag, no attribute and no entity of its own. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (char) => ENTITIES[char] ?? "");
}

const ENTITIES: { readonly [char: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};
