import { escaped } from "../../core/show/escape.ts";

/** Text that is already HTML. Only `html` and `trusted` make it, so that everything else is escaped. */
export type Html = { readonly html: string };

export type Part = Html | string | number | undefined | false | readonly Part[];

/** A piece of a page. Values in it are escaped unless they are pieces of a page themselves. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? "";
  for (const [at, part] of parts.entries()) text += written(part) + (strings[at + 1] ?? "");
  return { html: text };
}

/** Text that another renderer of ours has already escaped. */
export function trusted(text: string): Html {
  return { html: text };
}

function written(part: Part): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string") return escaped(part);
  if (typeof part === "number") return String(part);
  return "html" in part ? part.html : part.map(written).join("");
}
