import { faultZh } from "./faults-zh.ts";
import { HINTS_ZH } from "./hints-zh.ts";
import { reader } from "./reader.ts";
import { REASONS_ZH } from "./reasons-zh.ts";
import { TOLD_ZH } from "./told-zh.ts";

const read = reader([...REASONS_ZH, ...HINTS_ZH, ...TOLD_ZH]);

/** What is wrong with a policy stands behind its place. */
const FAULT = /^(\S+:\d+:\d+): (.+)$/su;

function faultAt(text: string): string {
  return text.replace(FAULT, (_, place: string, fault: string) => `${place}：${faultZh(fault)}`);
}

/** What the gate says in English to programs and to the record, in Chinese: refusals, notices, why something ended. */
export function toldZh(text: string): string {
  if (FAULT.test(text))
    return text
      .split(/; (?=\S+:\d+:\d+: )/)
      .map(faultAt)
      .join("；");
  // What is wrong with something that was given begins with its name.
  const [, path, why = ""] = /^([\w./-]+): (.+)$/su.exec(text) ?? [];
  const said = read(why);
  return path === undefined || said === why ? read(text) : `${path}：${said}`;
}
