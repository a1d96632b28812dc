import { HINTS_ZH } from "./hints-zh.ts";
import { reader } from "./reader.ts";
import { REASONS_ZH } from "./reasons-zh.ts";
import { TOLD_ZH } from "./told-zh.ts";

const read = reader([...REASONS_ZH, ...HINTS_ZH, ...TOLD_ZH]);

/** What the gate says in English to programs and to the record, in Chinese: refusals, notices, why something ended. */
export function toldZh(text: string): string {
  // What is wrong with something that was given begins with its name.
  const [, path, why = ""] = /^([\w./-]+): (.+)$/su.exec(text) ?? [];
  const said = read(why);
  return path === undefined || said === why ? read(text) : `${path}：${said}`;
}
