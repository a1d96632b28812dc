/** Escapes text for use between tags or in a quoted attribute: it cannot create a tag, an attribute or an entity. */
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
