import { escaped } from "../../core/show/escape.ts";
import { visibleOnScreen } from "../../core/values/text.ts";

/** Text that is already HTML. Only `html` and `trusted` make it, so that everything else is escaped. */
export type Html = { readonly html: string };

export type Part = Html | string | number | undefined | false | readonly Part[];

/**
 * A piece of a page. Values in it are escaped unless they are pieces of a page themselves, and what is invisible in them is written
 * out where people read them. What a form sends back, and addresses, stay as they are.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const kept = keptAt(strings);
  let text = strings[0] ?? "";
  for (const [at, part] of parts.entries()) text += written(part, kept[at] === true) + (strings[at + 1] ?? "");
  return { html: text };
}

/** Which values of each template stay as they are. A template is looked at once. */
const KEPT = new WeakMap<TemplateStringsArray, readonly boolean[]>();

function keptAt(strings: TemplateStringsArray): readonly boolean[] {
  const known = KEPT.get(strings);
  if (known !== undefined) return known;
  const kept = strings.slice(0, -1).map((_, at) => isKept(strings.slice(0, at + 1).join("")));
  KEPT.set(strings, kept);
  return kept;
}

/** Attributes that browsers show or read aloud. */
const READ = /^(?:title|alt|placeholder|aria-.*)$/;

/** Whether a value after this part of a template is for the browser or the server, and not for readers. */
function isKept(before: string): boolean {
  const [, attribute] = /([\w-]+)="[^"]*$/.exec(before.slice(before.lastIndexOf(">") + 1)) ?? [];
  return attribute === undefined ? /<textarea\b[^>]*>[^<]*$/.test(before) : !READ.test(attribute);
}

/** Text that another renderer of ours has already escaped. */
export function trusted(text: string): Html {
  return { html: text };
}

function written(part: Part, isKept: boolean): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string") return escaped(isKept ? part : visibleOnScreen(part));
  if (typeof part === "number") return String(part);
  return "html" in part ? part.html : part.map((one) => written(one, isKept)).join("");
}
