import { maskText } from "../core/masking/redact.ts";
import { visible } from "../core/values/text.ts";

/** What somebody else wrote, as a page may show it: nothing in it hides, and what looks like a secret is masked. */
export function shown(text: string): string {
  return visible(maskText(text));
}
