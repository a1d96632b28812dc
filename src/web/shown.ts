import { maskText } from "../core/masking/redact.ts";
import { visible } from "../core/values/text.ts";

/** Text of others for a page: invisible characters are written out, and secrets are masked. */
export function shown(text: string): string {
  return visible(maskText(text));
}
