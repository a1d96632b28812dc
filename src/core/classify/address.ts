import type { Level, Target } from "../effect.ts";
import { addGraver, doubt, type EffectDraft } from "./effect-draft.ts";
import { type Address, parseAddress } from "./url.ts";

const WEB = new Set(["http", "https", "ws", "wss", "ftp"]);

/** One address that the call would reach, as a target; one that hands out credentials as a part of its own. */
export function addAddress(draft: EffectDraft, text: string, level: Level): void {
  const parsed = parseAddress(text);
  if (!parsed.ok) {
    doubt(draft, parsed.why);
    return;
  }
  const { address } = parsed;
  for (const note of address.notes) draft.notes.add(note);
  for (const why of address.doubts) doubt(draft, why);
  if (!WEB.has(address.scheme)) doubt(draft, `what an address of kind ${address.scheme} does is not known`);
  if (address.metadata) {
    draft.notes.add(`${address.host} hands out credentials`);
    addGraver(draft, "secrets.read", [targetOf(address, "admin")], "host");
    return;
  }
  draft.targets.push(targetOf(address, level));
  draft.reaches.push(address.reach);
}

function targetOf({ host, port }: Address, level: Level): Target {
  return port === undefined ? { kind: "domain", domain: host, level } : { kind: "domain", domain: host, port, level };
}
